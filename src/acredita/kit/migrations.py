"""Alembic, run from code: where the scripts are and which database they are for."""

from pathlib import Path

from alembic import command
from alembic.config import Config

# Beside the sources in a checkout, in the working folder of a container.
CANDIDATES = (Path(__file__).parents[3] / "migrations", Path("migrations"))


def configuration(database_url: str) -> Config:
    """Raise FileNotFoundError where no migrations are at hand."""
    for folder in CANDIDATES:
        if (folder / "env.py").exists():
            config = Config()
            config.set_main_option("script_location", str(folder.resolve()))
            config.attributes["database_url"] = database_url
            return config
    raise FileNotFoundError("the folder `migrations` is neither beside the sources nor here")


def upgrade(database_url: str, revision: str = "head") -> None:
    command.upgrade(configuration(database_url), revision)


def downgrade(database_url: str, revision: str) -> None:
    command.downgrade(configuration(database_url), revision)
