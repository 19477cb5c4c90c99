"""`acredita --version`."""

import typer


def print_version(wanted: bool) -> None:  # noqa: FBT001 (typer's interface of a callback)
    """Print the version, and the commit if it is known, and exit."""
    if not wanted:
        return
    from acredita.version import VERSION, commit

    known = commit()
    typer.echo(f"acredita {VERSION}" + (f" (commit {known})" if known else ""))
    raise typer.Exit
