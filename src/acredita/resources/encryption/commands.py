"""What `acredita keys` does."""

from collections.abc import Callable

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from acredita.kit.crypto import KeyRing
from acredita.resources.encryption import rotation
from acredita.services import open_database
from acredita.settings import Settings

Say = Callable[[str], None]
# Counting reads whole tables.
SLOWEST_COUNT = 3600.0

ADVICE = """\
Put it into ACREDITA_ENCRYPTION_KEYS, where several keys stand comma-separated, newest first:
  1. behind the keys that are there, and restart every process: each can open what it seals;
  2. then in front of them, and restart again: now it seals what is new;
  3. run `acredita keys rotate`;
  4. once `acredita keys status` counts nothing under an older key, take that key out, and keep it
     for as long as backups that it opens are kept.
Keep a copy where the database's backups are not: without it nobody opens them."""


async def rotate(settings: Settings, console: Console) -> bool:
    """Seal everything with the newest key; whether nothing is left under others."""
    keys = _keys(settings)
    sealed = unreadable = 0
    async with open_database(
        settings, statement_timeout=settings.database_statement_timeout
    ) as database:
        async with database.reading() as connection:
            total = await rotation.rows_to_look_at(connection)
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
        with Progress(*columns, TimeElapsedColumn(), console=console, transient=True) as bar:
            task = bar.add_task("", total=total)
            async for progress in rotation.rotate(database, keys):
                sealed += progress.sealed
                unreadable += progress.unreadable
                bar.update(task, advance=progress.rows, description=progress.column.name)
    async with (
        open_database(settings, statement_timeout=SLOWEST_COUNT) as database,
        database.reading() as connection,
    ):
        counts = await rotation.seals_by_key(connection)
    missed = counts.total() - counts[keys.newest]
    console.print(f"{sealed} values sealed anew with key {keys.newest}.")
    if unreadable:
        console.print(f"{unreadable} times a value opened with no key that is set: it was left.")
    if missed:
        console.print(f"{missed} values are still under other keys: see `acredita keys status`.")
    return not missed


async def show_status(settings: Settings, say: Say) -> bool:
    """How many values each key seals; whether every key that is needed is set."""
    keys = _keys(settings)
    async with (
        open_database(settings, statement_timeout=SLOWEST_COUNT) as database,
        database.reading() as connection,
    ):
        counts = await rotation.seals_by_key(connection)
    complete = True
    for key_id in dict.fromkeys((*keys.ids, *sorted(counts))):
        if key_id == keys.newest:
            remark = "seals what is new"
        elif key_id not in keys.ids:
            remark, complete = "IS NOT SET: these values cannot be opened", False
        else:
            remark = "to be rotated" if counts[key_id] else "may be taken out"
        say(f"{key_id:<24} {counts[key_id]:>12}  {remark}")
    return complete


def _keys(settings: Settings) -> KeyRing:
    return KeyRing.from_text(settings.encryption_keys.get_secret_value())
