"""The commands of `acredita keys`."""

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
Add it to ACREDITA_ENCRYPTION_KEYS, a comma-separated list, newest key first:
  1. add it after the existing keys and restart every process: then all can open its values;
  2. move it to the front and restart again: then it seals new values;
  3. run `acredita keys rotate`;
  4. if `acredita keys status` counts nothing under an older key, remove that key, but keep it as
     long as you keep backups that need it.
Keep a copy in another place than the backups of the database: they cannot be opened without it."""


async def rotate(settings: Settings, console: Console) -> bool:
    """Seal all values with the newest key. Return whether no older key is in use."""
    keys = _keys(settings)
    sealed = unreadable = 0
    async with open_database(settings) as database:
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
    console.print(f"{sealed} values sealed again with key {keys.newest}.")
    if unreadable:
        console.print(f"{unreadable} times a value opened with no key that is set: it was left.")
    if missed:
        console.print(f"{missed} values are still under other keys: see `acredita keys status`.")
    return not missed


async def show_status(settings: Settings, say: Say) -> bool:
    """Print the number of values per key. Return whether all needed keys are set."""
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
