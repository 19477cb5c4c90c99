"""GET /v1/verifications/{id}/history: the history and the audit log of a verification, in order."""

from typing import Any, Final
from uuid import UUID

import orjson
from asyncpg import Record

from acredita.domain.audit import Action, ResourceType
from acredita.domain.caller import Caller
from acredita.domain.errors import NotFound
from acredita.kit.clock import timestamp
from acredita.kit.crypto import KeyRing
from acredita.kit.statement_pool import Reads
from acredita.models import HistoryEntry, Verification
from acredita.resources.organizations.masking import MASK, is_masked_for

FOUND = "SELECT id, notes_sealed FROM verification WHERE organization_id = $1 AND id = $2"
# Decisions and notes are in both logs: the audit entry names the entry of the history.
EVERYTHING = f"""(
        SELECT id, created_at, kind, actor_type, actor_id, details::text AS details, note_sealed
        FROM verification_history WHERE organization_id = $1 AND verification_id = $2
        UNION ALL
        SELECT id, created_at, action, actor_type, actor_id, details, NULL
        FROM audit_log
        WHERE organization_id = $1 AND resource_id = $2
            AND resource_type = '{ResourceType.VERIFICATION}'
            AND NOT details::jsonb ? 'history'
) AS everything"""  # noqa: S608 (constants)
PAGE = f"SELECT * FROM {EVERYTHING} ORDER BY created_at, id LIMIT $3 OFFSET $4"  # noqa: S608
NOTED = """
    SELECT id, note_sealed FROM verification_history
    WHERE organization_id = $1 AND verification_id = $2 AND note_sealed IS NOT NULL
    ORDER BY created_at, id
"""
TOTAL = f"SELECT count(*) FROM {EVERYTHING}"  # noqa: S608
# The last change of status of a release that kept no history.
LAST_WITHOUT_HISTORY = f"""
    SELECT id FROM audit_log
    WHERE organization_id = $1 AND resource_id = $2
        AND action = '{Action.VERIFICATION_STATUS_CHANGED}' AND NOT details::jsonb ? 'history'
    ORDER BY position DESC LIMIT 1
"""  # noqa: S608 (constants)
NO_ID: Final = UUID(int=0)


async def page(
    reads: Reads, keys: KeyRing, caller: Caller, verification_id: UUID, *, limit: int, offset: int
) -> tuple[list[dict[str, Any]], int]:
    """Return HistoryItems as plain data, oldest first, and the number of all. Raise NotFound.

    The notes are MASK for users of an organization with `revealsOnDemand`.
    """
    mine = (caller.organization_id, verification_id)
    noted_id, older_note = await _older_note(reads, keys, *mine)
    rows = await reads.rows(PAGE, *mine, limit, offset)
    counted = await reads.row(TOTAL, *mine)
    items = [_item(keys, row, older_note if row["id"] == noted_id else None) for row in rows]
    if await is_masked_for(reads, caller):
        items = [{**item, "note": item["note"] and MASK} for item in items]
    return items, 0 if counted is None else counted[0]


async def notes(
    reads: Reads, keys: KeyRing, caller: Caller, verification_id: UUID
) -> list[dict[str, str]]:
    """Return RevealedNotes as plain data, oldest first. Raise NotFound."""
    mine = (caller.organization_id, verification_id)
    noted_id, older_note = await _older_note(reads, keys, *mine)
    rows = await reads.rows(NOTED, *mine)
    found = [(noted_id, older_note)] + [
        (row["id"], HistoryEntry.note.open(keys, row["id"], row["note_sealed"])) for row in rows
    ]
    return [{"id": str(entry_id), "note": note} for entry_id, note in found if note]


async def _older_note(
    reads: Reads, keys: KeyRing, organization_id: UUID, verification_id: UUID
) -> tuple[UUID, str | None]:
    """Return the note of a release that kept no history, and the id of its entry."""
    mine = (organization_id, verification_id)
    found = await reads.row(FOUND, *mine)
    if found is None:
        raise NotFound
    note = Verification.notes.open(keys, found["id"], found["notes_sealed"])
    if note is None:
        return NO_ID, None
    last = await reads.row(LAST_WITHOUT_HISTORY, *mine)
    return (NO_ID, None) if last is None else (last["id"], note)


def _item(keys: KeyRing, row: Record, older_note: str | None) -> dict[str, Any]:
    return {
        "id": str(row["id"]),
        "kind": row["kind"],
        "actor": {
            "type": row["actor_type"],
            "id": None if row["actor_id"] is None else str(row["actor_id"]),
        },
        "details": orjson.loads(row["details"]),
        "note": HistoryEntry.note.open(keys, row["id"], row["note_sealed"]) or older_note,
        "createdAt": timestamp(row["created_at"]),
    }
