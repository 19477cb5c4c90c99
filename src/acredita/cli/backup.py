"""`acredita backup` and `acredita restore`."""

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Annotated, Any

import typer

from acredita.cli.settings import load_settings_with_database


def backup(folder: Annotated[Path, typer.Argument(help="New folder for the backup.")]) -> None:
    """Write the database and all files to a folder. The service may run meanwhile."""
    from acredita.backup import back_up

    _run("backup", back_up(load_settings_with_database(), folder, typer.echo))


def restore(folder: Annotated[Path, typer.Argument(help="Folder of `acredita backup`.")]) -> None:
    """Load a backup into an empty database and the storage of the settings."""
    from acredita.backup import restore as load

    _run("restore", load(load_settings_with_database(), folder, typer.echo))


def _run(command: str, work: Coroutine[Any, Any, None]) -> None:
    from acredita.dumps import BackupFailed
    from acredita.kit.storage import StorageUnavailable

    try:
        asyncio.run(work)
    except StorageUnavailable as fault:
        typer.echo(f"acredita {command}: the file storage cannot be used: {fault}", err=True)
        raise typer.Exit(1) from None
    except (BackupFailed, OSError) as fault:
        typer.echo(f"acredita {command}: {fault}", err=True)
        raise typer.Exit(1) from None
