"""Runs Alembic from code: finds the migration scripts and sets the database."""

import time
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from alembic.script.revision import ResolutionError
from alembic.util import CommandError
from sqlalchemy.exc import DBAPIError

# Next to `src` in a checkout and in the image; inside the package in a wheel.
CANDIDATES = (Path(__file__).parents[3] / "migrations", Path(__file__).parents[1] / "migrations")

# SQLSTATE of a deadlock, of a lock that another session held too long, and of a statement that took
# too long, which may have waited for several locks.
IN_THE_WAY = {"40P01", "55P03", "57014"}
# Seconds before each further attempt.
PAUSES = (0.5, 1.0, 2.0, 4.0, 8.0, 8.0, 8.0, 8.0)


class SchemaIsNewer(Exception):
    """A later release has migrated the database. The message is its revision."""


def configuration(database_url: str) -> Config:
    """The Alembic configuration. Raise FileNotFoundError if there is no `migrations` folder."""
    for folder in CANDIDATES:
        if (folder / "env.py").exists():
            config = Config()
            config.set_main_option("script_location", str(folder.resolve()))
            config.attributes["database_url"] = database_url
            return config
    raise FileNotFoundError("no folder `migrations` next to the sources or in the package")


def upgrade(database_url: str, revision: str = "head") -> None:
    """Run the migrations up to `revision`. Each is one transaction.

    A migration that meets the locks of live traffic is rolled back and tried again: waiting for its
    locks would make all requests wait behind it. Raises DBAPIError after the last attempt, and
    SchemaIsNewer.
    """
    config = configuration(database_url)
    for pause in (*PAUSES, None):
        try:
            command.upgrade(config, revision)
        except CommandError as fault:
            if newer := _later_revision(config, fault, revision):
                raise SchemaIsNewer(newer) from None
            raise
        except DBAPIError as fault:
            if pause is None or getattr(fault.orig, "sqlstate", None) not in IN_THE_WAY:
                raise
            time.sleep(pause)
        else:
            return


def _later_revision(config: Config, fault: CommandError, target: str) -> str:
    """The database's revision if it comes after all of this release's; otherwise an empty text."""
    unknown = fault.__cause__.argument if isinstance(fault.__cause__, ResolutionError) else ""
    newest = ScriptDirectory.from_config(config).get_current_head() or ""
    # Revisions are numbers of four digits. The target, too, may be unknown.
    is_later = unknown.isdigit() and len(unknown) == len(newest) and unknown > newest
    return unknown if is_later and unknown != target else ""


def downgrade(database_url: str, revision: str) -> None:
    command.downgrade(configuration(database_url), revision)
