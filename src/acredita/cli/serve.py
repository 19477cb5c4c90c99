"""`acredita api`, `worker`, `migrate` and `doctor`: run and check a server."""

import asyncio
import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from acredita.cli.settings import load_settings_with_database, load_settings_with_servers

if TYPE_CHECKING:
    from acredita.settings import Settings


def api(
    host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on.")] = None,
    processes: Annotated[
        int, typer.Option(min=1, max=64, help="Processes that share the port.")
    ] = 1,
) -> None:
    """Serve the API."""
    settings = load_settings_with_servers(host=host, port=port)
    if processes == 1:
        _serve(settings, is_shared=False)
        return
    if settings.port == 0:
        raise typer.BadParameter("several processes need a --port other than 0")
    from acredita.api.processes import supervise

    environments = [
        {
            "ACREDITA_HOST": settings.host,
            "ACREDITA_PORT": str(settings.port),
            # Each process has counters of its own, so each has its own port.
            "ACREDITA_METRICS_PORT": str(settings.metrics_port and settings.metrics_port + number),
        }
        for number in range(processes)
    ]
    raise typer.Exit(supervise([sys.executable, "-c", CHILD], environments))


CHILD = "from acredita.cli.serve import serve_with_others; serve_with_others()"


def serve_with_others() -> None:
    """Serve the API as one of several processes (`acredita api --processes`)."""
    from acredita.api.processes import end_with_parent

    end_with_parent()
    settings = load_settings_with_servers()
    _serve(settings, is_shared=True)


@contextmanager
def _loading() -> Iterator[None]:
    """Collect no garbage while the service is loaded, which would take a fifth of that time, and
    never search what is loaded."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def _serve(settings: "Settings", *, is_shared: bool) -> None:
    with _loading():
        from acredita.api.processes import shared_socket
        from acredita.api.server import config_of, serve
        from acredita.main import create_app

        app = create_app(settings)
    config = config_of(app, settings.host, settings.port)
    sockets = [shared_socket(settings.host, settings.port)] if is_shared else None
    serve(config, leave=app.state.subscriptions.close, sockets=sockets)


def worker(
    queues: Annotated[
        str,
        typer.Option(help="Comma-separated: engines, webhooks, registries, light; default all."),
    ] = "engines,webhooks,registries,light",
) -> None:
    """Run background jobs."""
    with _loading():
        import uvloop

        from acredita.jobs import Queue
        from acredita.worker import run

    settings = load_settings_with_servers()
    try:
        chosen = [Queue(name.strip()) for name in queues.split(",")]
    except ValueError:
        raise typer.BadParameter(f"queues are {', '.join(Queue)}") from None
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(run(settings, chosen))


def migrate(revision: Annotated[str, typer.Argument(help="Target revision.")] = "head") -> None:
    """Migrate the database to a revision of the schema (default: the newest)."""
    from alembic.util import CommandError

    from acredita.kit.database_url import is_pooled
    from acredita.kit.migrations import SchemaIsNewer, upgrade

    url = load_settings_with_database().direct_url
    if is_pooled(url):
        raise typer.BadParameter(
            "migrations need a lock that a pooler does not keep: set ACREDITA_DATABASE_DIRECT_URL"
        )
    try:
        upgrade(url, revision)
    except SchemaIsNewer as newer:
        # The way back from an upgrade: units and containers run this before the former release.
        typer.echo(
            f"A later release has migrated the database, to {newer}. The schema stays as it is: a"
            " release runs on the schema of the next one."
        )
    except CommandError as fault:
        typer.echo(f"acredita migrate: {fault}.", err=True)
        raise typer.Exit(1) from None


def doctor(
    hours: Annotated[
        float, typer.Option(min=0.1, help="Check the events and decisions of the last N hours.")
    ] = 24,
) -> None:
    """Check the invariants without changing anything; exit code 1 if one is violated."""
    from rich.console import Console

    from acredita.resources.invariants.commands import doctor as examine

    sound = asyncio.run(examine(load_settings_with_database(), hours, Console(highlight=False)))
    raise typer.Exit(0 if sound else 1)
