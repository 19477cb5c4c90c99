"""`acredita check-config` and `acredita init`: the settings."""

import asyncio
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from acredita.cli.settings import print_faults

if TYPE_CHECKING:
    from acredita.settings import Settings

STANDARD_OUTPUT = Path("-")


def check_config(
    *,
    connect: Annotated[
        bool,
        typer.Option(
            "--connect",
            help="Also try the database, Redis, the storage, the mail server and the TSA.",
        ),
    ] = False,
) -> None:
    """Check all settings without starting anything; exit code 1 if one is wrong."""
    from acredita.settings_check.check_all import examine

    found = asyncio.run(examine(parses_postal_codes=True))
    print_faults(found.remarks, "note: ")
    print_faults(found.faults)
    if found.settings is None:
        count = len(found.faults)
        said = "1 setting is wrong" if count == 1 else f"{count} settings are wrong"
        typer.echo(f"acredita: {said}", err=True)
        raise typer.Exit(1)
    typer.echo(f"The settings are sound. {_where_from(found.settings)}")
    if connect:
        _try_servers(found.settings)


def _where_from(settings: "Settings") -> str:
    """Say what was read: in another folder, another `.env` or none."""
    from acredita.settings_check.env_lines import ENV_FILE

    file = ENV_FILE.absolute()
    source = f"{file} and the environment" if file.is_file() else f"the environment; no {file}"
    return f"They are for {settings.env}, from {source}."


def _try_servers(settings: "Settings") -> None:
    from acredita.settings_check.connections import try_servers

    tried = asyncio.run(try_servers(settings))
    for answer in tried.answers:
        typer.echo(answer)
    print_faults(tried.faults)
    if tried.faults:
        raise typer.Exit(1)


def init(
    base_url: Annotated[
        str, typer.Argument(help="Address at which customers reach the API: https://…")
    ],
    file: Annotated[Path, typer.Option(help="File to write; - for the standard output.")] = Path(
        ".env"
    ),
) -> None:
    """Write a complete `.env` for production with generated secrets. Overwrites nothing."""
    from acredita.settings_check.env_file import new_installation
    from acredita.settings_check.files import PUBLIC_FORM, is_public_address

    if not is_public_address(base_url):
        typer.echo(f"acredita init: the address {PUBLIC_FORM}.", err=True)
        raise typer.Exit(1)
    if file == STANDARD_OUTPUT:
        typer.echo(new_installation(base_url), nl=False)
        return
    try:
        # Private from the start: nobody can open it between its creation and a change of mode.
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        typer.echo(f"acredita init: {file} exists. Move it away first.", err=True)
        raise typer.Exit(1) from None
    except OSError as fault:
        typer.echo(f"acredita init: {file}: {fault.strerror}", err=True)
        raise typer.Exit(1) from None
    with os.fdopen(descriptor, "w") as written:
        written.write(new_installation(base_url))
    typer.echo(
        f"Wrote {file}. Keep a copy of it apart from the data: without its keys, the data are lost."
    )
