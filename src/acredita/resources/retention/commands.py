"""The commands of `acredita hold`."""

from collections.abc import Callable
from uuid import UUID

from acredita.kit.clock import timestamp
from acredita.kit.crypto import KeyRing
from acredita.models import Verification
from acredita.resources.retention import holds
from acredita.services import open_database, open_transaction
from acredita.settings import Settings

Say = Callable[[str], None]


async def set_hold(settings: Settings, held_id: UUID, reason: str | None, say: Say) -> None:
    """Raise NotHeld."""
    async with open_transaction(settings) as session:
        name = await holds.hold(session, _keys(settings), held_id, reason)
    say(f"{name} {held_id} is held: it is not purged until the hold is cleared")


async def clear_hold(settings: Settings, held_id: UUID, say: Say) -> None:
    """Raise NotHeld."""
    async with open_transaction(settings) as session:
        name = await holds.release(session, held_id)
    say(f"{name} {held_id} is no longer held")


async def list_holds(settings: Settings, say: Say) -> None:
    keys = _keys(settings)
    async with open_database(settings) as database, database.reading() as connection:
        rows = await holds.held(connection)
    for row in rows:
        # The reason of a credit check is sealed with the same context.
        reason = Verification.hold_reason.open(keys, row.id, row.hold_reason_sealed) or "-"
        since = "-" if row.held_at is None else timestamp(row.held_at)
        say(f"{row.id}  {row.organization_id}  {since}  {reason}")
    say(f"{len(rows)} held")


def _keys(settings: Settings) -> KeyRing:
    return KeyRing.from_text(settings.encryption_keys.get_secret_value())
