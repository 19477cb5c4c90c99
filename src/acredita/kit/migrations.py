"""Runs Alembic from code: finds the migration scripts and sets the database."""

from pathlib import Path

from alembic import command
from alembic.config import Config

# Next to `src` in a checkout; in the working directory in a container.
CANDIDATES = (Path(__file__).parents[3] / "migrations", Path("migrations"))


def configuration(database_url: str) -> Config:
    """The Alembic configuration. Raise FileNotFoundError if there is no `migrations` folder."""
    for folder in CANDIDATES:
        if (folder / "env.py").exists():
            config = Config()
            config.set_main_option("script_location", str(folder.resolve()))
            config.attributes["database_url"] = database_url
            return config
    raise FileNotFoundError(
        "no folder `migrations` next to the sources or in the working directory"
    )


def upgrade(database_url: str, revision: str = "head") -> None:
    command.upgrade(configuration(database_url), revision)


def downgrade(database_url: str, revision: str) -> None:
    command.downgrade(configuration(database_url), revision)
