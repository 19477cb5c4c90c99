"""Load the settings of a command; report bad settings and exit with code 2."""

import typer
from pydantic import ValidationError

from acredita.settings import Environment, Settings


def load_settings() -> Settings:
    """Read the settings from the environment. Print each invalid one and exit with code 2."""
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
    """Read the settings. Exit with code 2 if they are invalid or name no database."""
    settings = load_settings()
    if not settings.database_url:
        typer.echo("acredita: ACREDITA_DATABASE_URL is missing", err=True)
        raise typer.Exit(2)
    return settings


def configure_logging(settings: Settings) -> None:
    from acredita.kit.logging import configure_logging

    configure_logging(level=settings.log_level, as_json=settings.env is not Environment.DEVELOPMENT)
