"""The `acredita` command: one process kind an entry point, and the tools around them."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Annotated
from uuid import UUID

import typer
from pydantic import ValidationError

from acredita.cli_aml import app as aml
from acredita.cli_metamap import app as metamap
from acredita.cli_training import app as training
from acredita.cli_training import calibrate
from acredita.settings import FASTEST_RATE, Environment, Settings

app = typer.Typer(
    help="Identity verification that anyone can run themselves.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
audit = typer.Typer(help="The audit log: check its chains, show their signed heads.")
app.add_typer(audit, name="audit")
keys = typer.Typer(help="The keys of data at rest: make one, count what each seals, rotate.")
app.add_typer(keys, name="keys")
hold = typer.Typer(help="Legal holds: what retention leaves alone.")
app.add_typer(hold, name="hold")
org = typer.Typer(help="Organizations: what an operator does for them.", no_args_is_help=True)
app.add_typer(org, name="org")
app.add_typer(aml, name="aml")
app.add_typer(metamap, name="metamap")
app.add_typer(training, name="training")
app.command()(calibrate)
OPENAPI_FILE = Path("openapi.json")


def load_settings() -> Settings:
    """The settings of the environment; a clear sentence and exit code 2 when they are at fault."""
    try:
        return Settings()
    except ValidationError as fault:
        for error in fault.errors():
            place = "_".join(str(part) for part in error["loc"]).upper()
            message = error["msg"].removeprefix("Value error, ")
            typer.echo(
                f"acredita: ACREDITA_{place}: {message}" if place else f"acredita: {message}",
                err=True,
            )
        raise typer.Exit(2) from None


def load_settings_of_a_server() -> Settings:
    """The settings, which name a database that runs; otherwise a clear sentence and exit code 2."""
    settings = load_settings()
    if not settings.database_url:
        typer.echo("acredita: ACREDITA_DATABASE_URL is missing", err=True)
        raise typer.Exit(2)
    return settings


def _configure_logging(settings: Settings) -> None:
    from acredita.kit.logging import configure_logging

    configure_logging(level=settings.log_level, as_json=settings.env is not Environment.DEVELOPMENT)


@app.command()
def api(
    host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on.")] = None,
) -> None:
    """Serve the API."""
    import uvicorn

    from acredita.api.server import GRACE, serve
    from acredita.main import create_app

    settings = load_settings()
    _configure_logging(settings)
    app = create_app(settings)
    config = uvicorn.Config(
        app,
        host=host or settings.host,
        port=settings.port if port is None else port,
        log_config=None,
        access_log=False,
        server_header=False,
        # The peer's address is the truth; forwarded ones are weighed in api/addresses.py.
        proxy_headers=False,
        timeout_graceful_shutdown=GRACE,
        h11_max_incomplete_event_size=64 * 1024,
    )
    serve(config, leave=app.state.watching.leave)


@app.command()
def worker(
    queues: Annotated[
        str,
        typer.Option(help="Comma-separated: engines, webhooks, registries, light; default all."),
    ] = "engines,webhooks,registries,light",
) -> None:
    """Do the background work."""
    import uvloop

    from acredita.jobs import Queue
    from acredita.worker import run

    settings = load_settings()
    _configure_logging(settings)
    try:
        chosen = [Queue(name.strip()) for name in queues.split(",")]
    except ValueError:
        raise typer.BadParameter(f"queues are {', '.join(Queue)}") from None
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(run(settings, chosen))


@app.command()
def migrate(revision: Annotated[str, typer.Argument(help="Target revision.")] = "head") -> None:
    """Bring the database to a revision of the schema (default: the newest)."""
    from acredita.kit.migrations import upgrade

    upgrade(load_settings_of_a_server().database_url, revision)


@app.command()
def demo(
    seed: Annotated[int, typer.Option(help="Which synthetic person.")] = 20,
    *,
    verbose: Annotated[bool, typer.Option(help="Show the processes' own lines, too.")] = False,
) -> None:
    """Verify one synthetic person end to end on a stack of its own, then stop everything."""
    import shutil
    import time

    from rich.console import Console

    from acredita import demo as demonstration
    from acredita.embedded import EmbeddedError
    from acredita.embedded.ports import free_port
    from acredita.embedded.processes import unwind_on_sigterm
    from acredita.embedded.stack import running_stack

    console = Console(highlight=False)
    unwind_on_sigterm()
    began = time.monotonic()
    settings = load_settings()
    folder = settings.data_dir / "demo"
    folder.mkdir(parents=True, exist_ok=True)
    log_path = folder / "processes.log"
    data = folder / "data"
    try:
        with (
            log_path.open("w") as log,
            running_stack(
                settings,
                data,
                port=free_port(),
                durable=False,
                output=sys.stdout if verbose else log,
                extra={"ACREDITA_ENV": "development", "ACREDITA_WEBHOOK_ALLOW_PRIVATE": "true"},
            ) as stack,
        ):
            console.print(f"[bold]0[/]  Stack up after {time.monotonic() - began:.1f} s")
            asyncio.run(demonstration.run(stack.base_url, seed=seed, console=console))
    except (EmbeddedError, demonstration.DemoFailed) as fault:
        typer.echo(f"acredita demo: {fault}\nThe processes' lines: {log_path}", err=True)
        raise typer.Exit(1) from None
    except KeyboardInterrupt:
        raise typer.Exit(130) from None
    finally:
        # Nothing of a demonstration is kept, or taken up again by the next.
        shutil.rmtree(data, ignore_errors=True)
    console.print(f"[bold]9[/]  Everything stopped after {time.monotonic() - began:.1f} s")


@app.command()
def dev() -> None:
    """Run API and worker over embedded servers, with the credentials of a demo organization."""
    from acredita.development import run
    from acredita.embedded import EmbeddedError

    try:
        run(load_settings())
    except EmbeddedError as fault:
        typer.echo(f"acredita dev: {fault}", err=True)
        raise typer.Exit(1) from None
    except KeyboardInterrupt:
        raise typer.Exit(130) from None


@app.command()
def synth(
    folder: Annotated[Path, typer.Argument(help="Where images and truths are written.")],
    count: Annotated[int, typer.Option(min=1, help="How many people.")] = 10,
    seed: Annotated[int, typer.Option(help="The first person's seed.")] = 1,
    kinds: Annotated[
        str,
        typer.Option(
            help="Comma-separated: ine_front, ine_back, passport, driver_licence, "
            "curp_certificate, rfc_certificate, rfc_certificate_company (also as PDF)."
        ),
    ] = "ine_front,ine_back,passport",
    difficulties: Annotated[
        str, typer.Option(help="Comma-separated: clean, mild, lowres, photo, hard.")
    ] = "clean",
) -> None:
    """Write specimen documents of synthetic people, the truth as JSON beside each image."""
    from acredita.engines.synthetic.capture import Difficulty
    from acredita.engines.synthetic.certificates import CertificateKind, write_certificates
    from acredita.engines.synthetic.specimens import write_specimens
    from acredita.engines.synthetic.truth import SpecimenKind

    try:
        names = [name.strip() for name in kinds.split(",")]
        papers = [CertificateKind(name) for name in names if name in tuple(CertificateKind)]
        chosen = [SpecimenKind(name) for name in names if name not in papers]
        levels = [Difficulty(name.strip()) for name in difficulties.split(",")]
    except ValueError as fault:
        raise typer.BadParameter(str(fault)) from None
    written = write_specimens(folder, count, seed, chosen, levels)
    written += write_certificates(folder, count, seed, papers, levels)
    typer.echo(f"{len(written)} specimens in {folder}")


@app.command()
def openapi(
    *, check: Annotated[bool, typer.Option(help="Fail if openapi.json is out of date.")] = False
) -> None:
    """Write the API's description to openapi.json."""
    from acredita.main import create_app

    document = json.dumps(
        create_app(Settings(_env_file=None)).openapi(), indent=2, ensure_ascii=False, sort_keys=True
    )
    if not check:
        OPENAPI_FILE.write_text(document + "\n")
        return
    if not OPENAPI_FILE.exists() or OPENAPI_FILE.read_text() != document + "\n":
        typer.echo("openapi.json is out of date: run `make openapi` and commit it.", err=True)
        sys.exit(1)


@app.command()
def doctor(
    hours: Annotated[
        float, typer.Option(min=0.1, help="How far back events and decisions are looked at.")
    ] = 24,
) -> None:
    """Check what must always hold, and change nothing; exit code 1 if something does not."""
    from rich.console import Console

    from acredita.resources.invariants.commands import doctor as examine

    sound = asyncio.run(examine(load_settings_of_a_server(), hours, Console(highlight=False)))
    raise typer.Exit(0 if sound else 1)


@audit.command("verify")
def verify_audit(
    organization: Annotated[UUID | None, typer.Option(help="One organization alone.")] = None,
    heads: Annotated[
        Path | None, typer.Option(help="Heads kept elsewhere, as `acredita audit heads` prints.")
    ] = None,
) -> None:
    """Check every entry against its hash and its signed heads; exit code 1 if a row is at fault."""
    from acredita.resources.audit.commands import verify
    from acredita.resources.audit.heads import UnreadableHead, read_kept

    try:
        kept = read_kept(heads) if heads else []
    except (OSError, UnreadableHead):
        raise typer.BadParameter(f"{heads} does not hold lines of `acredita audit heads`") from None
    sound = asyncio.run(verify(load_settings_of_a_server(), organization, kept, typer.echo))
    raise typer.Exit(0 if sound else 1)


@audit.command("heads")
def show_audit_heads() -> None:
    """Sign and print how far every chain has grown: lines to keep out of the database's reach."""
    from acredita.resources.audit.commands import show_heads

    asyncio.run(show_heads(load_settings_of_a_server(), typer.echo))


@org.command("create")
def create_organization(
    name: Annotated[str, typer.Argument(help="The organization's name.")],
    email: Annotated[str, typer.Argument(help="Its owner's e-mail address.")],
    language: Annotated[str, typer.Option(help="Of the mail to the owner: es or en.")] = "es",
) -> None:
    """Make an organization: print its credentials, mail its owner a link that sets the password."""
    from acredita.api.errors import Conflict
    from acredita.domain.languages import Language
    from acredita.resources.auth.commands import create
    from acredita.resources.auth.schemas import NewOrganization

    if language not in set(Language):
        raise typer.BadParameter("languages are es and en")
    try:
        data = NewOrganization.model_validate({"orgName": name, "email": email})
    except ValidationError as fault:
        faults = "; ".join(f"{error['loc'][0]}: {error['msg']}" for error in fault.errors())
        raise typer.BadParameter(faults) from None
    try:
        asyncio.run(create(load_settings_of_a_server(), data, Language(language), typer.echo))
    except Conflict as fault:
        typer.echo(f"acredita: {fault.message}", err=True)
        raise typer.Exit(1) from None


@org.command("set-rate")
def set_organization_rate(
    organization: Annotated[str, typer.Argument(help="The organization's id or slug.")],
    rate: Annotated[int, typer.Argument(min=1, max=FASTEST_RATE, help="Requests a second.")],
    burst: Annotated[
        int | None,
        typer.Option(min=1, max=FASTEST_RATE, help="Requests at once; default twice the rate."),
    ] = None,
) -> None:
    """Set how often an organization may ask; every process heeds it within a second."""
    from acredita.api.errors import NotFound
    from acredita.resources.organizations.commands import set_rate

    burst = burst or min(2 * rate, FASTEST_RATE)
    try:
        changed = asyncio.run(set_rate(load_settings_of_a_server(), organization, rate, burst))
    except NotFound:
        raise typer.BadParameter("there is no organization of this id or slug") from None
    typer.echo(f"{changed}: {rate} requests a second, {burst} at once")


@keys.command("new")
def new_key() -> None:
    """Print a new key for ACREDITA_ENCRYPTION_KEYS, and how to bring it into use."""
    from datetime import UTC, datetime

    from acredita.resources.encryption.commands import ADVICE
    from acredita.resources.encryption.commands import new_key as make

    typer.echo(make(datetime.now(UTC).date()))
    typer.echo(ADVICE, err=True)


@keys.command("status")
def show_keys() -> None:
    """Count the values that each key seals; exit code 1 if a key that is needed is not set."""
    from acredita.resources.encryption.commands import show_status

    complete = asyncio.run(show_status(load_settings_of_a_server(), typer.echo))
    raise typer.Exit(0 if complete else 1)


@keys.command("rotate")
def rotate_keys() -> None:
    """Seal everything with the newest key, while the service runs; may be stopped and run again."""
    from rich.console import Console

    from acredita.resources.encryption.commands import rotate

    done = asyncio.run(rotate(load_settings_of_a_server(), Console(highlight=False)))
    raise typer.Exit(0 if done else 1)


@hold.command("set")
def set_hold(
    verification: Annotated[UUID, typer.Argument(help="The verification's or credit check's id.")],
    reason: Annotated[str | None, typer.Option(help="Why; kept sealed.")] = None,
) -> None:
    """Keep a verification's or credit check's data until the hold is cleared."""
    from acredita.resources.retention.commands import set_hold
    from acredita.resources.retention.holds import NotHeld

    try:
        asyncio.run(set_hold(load_settings_of_a_server(), verification, reason, typer.echo))
    except NotHeld as fault:
        typer.echo(f"acredita: {fault}", err=True)
        raise typer.Exit(1) from None


@hold.command("clear")
def clear_hold(
    verification: Annotated[UUID, typer.Argument(help="The verification's or credit check's id.")],
) -> None:
    """Let retention have a verification or credit check again."""
    from acredita.resources.retention.commands import clear_hold
    from acredita.resources.retention.holds import NotHeld

    try:
        asyncio.run(clear_hold(load_settings_of_a_server(), verification, typer.echo))
    except NotHeld as fault:
        typer.echo(f"acredita: {fault}", err=True)
        raise typer.Exit(1) from None


@hold.command("list")
def list_holds() -> None:
    """Show what is held: verification, organization, since when, why."""
    from acredita.resources.retention.commands import list_holds

    asyncio.run(list_holds(load_settings_of_a_server(), typer.echo))


if __name__ == "__main__":
    app()
