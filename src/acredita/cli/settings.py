"""Load the settings of a command; report everything that is wrong and exit with code 2."""

import asyncio
import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from acredita.settings import Settings
    from acredita.settings_check.faults import Fault

ADVICE = "`acredita check-config` checks the settings without starting anything."


def load_settings(**overrides: Any) -> "Settings":
    """Read the settings from the environment. Print each fault and exit with code 2.

    Logs go to standard error from then on.

    `overrides` replace settings; None replaces nothing.
    """
    from acredita.settings_check.check_all import examine

    given = {name: value for name, value in overrides.items() if value is not None}
    found = asyncio.run(examine(given))
    print_faults(found.remarks, "note: ")
    if found.settings is None:
        print_faults(found.faults)
        typer.echo(f"acredita: {ADVICE}", err=True)
        raise typer.Exit(2)
    _log_to_standard_error(found.settings)
    return found.settings


def load_settings_with_servers(**overrides: Any) -> "Settings":
    """As `load_settings_with_database`, for a process of the service: it needs Redis, too."""
    settings = load_settings_with_database(**overrides)
    if not settings.redis_url:
        typer.echo(
            "acredita: ACREDITA_REDIS_URL is missing. Set it to redis://:password@host:6379/0.",
            err=True,
        )
        raise typer.Exit(2)
    return settings


def load_settings_with_database(**overrides: Any) -> "Settings":
    """Read the settings. In development without a database, take those of the running stack.

    Exit with code 2 if they are invalid or name no database.
    """
    settings = load_settings(**overrides)
    if settings.database_url:
        return settings
    running = _of_development(settings, overrides)
    if running is not None:
        return running
    typer.echo("acredita: ACREDITA_DATABASE_URL is missing", err=True)
    _explain_development(settings)
    raise typer.Exit(2)


def _of_development(settings: "Settings", overrides: Mapping[str, Any]) -> "Settings | None":
    """The settings of the stack that `acredita dev` runs with this data directory, if it runs."""
    from acredita.development import VARIABLES, is_running, read_variables
    from acredita.settings import Environment

    if settings.env is not Environment.DEVELOPMENT:
        return None
    file = settings.data_dir / VARIABLES
    variables = read_variables(file)
    if not variables or not is_running(variables):
        return None
    typer.echo(f"acredita: using the development stack of {file}", err=True)
    os.environ.update(variables)
    return load_settings(**overrides)


def _explain_development(settings: "Settings") -> None:
    from acredita.development import VARIABLES
    from acredita.settings import Environment

    variables = settings.data_dir / VARIABLES
    if variables.exists() and settings.env is Environment.DEVELOPMENT:
        typer.echo(
            f"The stack of `acredita dev` with {settings.data_dir} does not run:"
            " start `acredita dev` (or `make dev`) in another terminal, and repeat this command.",
            err=True,
        )
    elif variables.exists():
        typer.echo(
            f"For the stack of `acredita dev`, first type: set -a; . {variables}; set +a", err=True
        )
    else:
        typer.echo(
            "Set it: export ACREDITA_DATABASE_URL=postgresql://USER:PASSWORD@HOST/DATABASE\n"
            "or start the command in the folder of its .env.\n"
            "To try the service: start `acredita dev` (or `make dev`) in another terminal, in this"
            f" folder; it writes {variables}, and this command then finds its database.",
            err=True,
        )


def refuse_unknown_variables() -> None:
    """Exit with code 2 if a variable of the environment or of `.env` is no setting."""
    from acredita.settings_check import env_lines, misspelt_names

    if env_lines.why_unreadable() or misspelt_names.unknown_variables():
        load_settings()


def print_faults(faults: "Iterable[Fault]", kind: str = "") -> None:
    for fault in faults:
        typer.echo(f"acredita: {kind}{fault}", err=True)


def _log_to_standard_error(settings: "Settings") -> None:
    """Keep standard output for what the command prints."""
    import structlog

    from acredita.kit.logging import configure_logging
    from acredita.settings import Environment

    if not structlog.is_configured():  # by the tests, for example
        as_json = settings.env is not Environment.DEVELOPMENT
        configure_logging(level=settings.log_level, as_json=as_json)
