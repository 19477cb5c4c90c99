"""The settings that a command runs with."""

import typer
from pydantic import ValidationError

from acredita.settings import Environment, Settings


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


def load_settings_with_database() -> Settings:
    """The settings, which name a database that runs; otherwise a clear sentence and exit code 2."""
    settings = load_settings()
    if not settings.database_url:
        typer.echo("acredita: ACREDITA_DATABASE_URL is missing", err=True)
        raise typer.Exit(2)
    return settings


def configure_logging(settings: Settings) -> None:
    from acredita.kit.logging import configure_logging

    configure_logging(level=settings.log_level, as_json=settings.env is not Environment.DEVELOPMENT)
