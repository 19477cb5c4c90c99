"""What holds personal data is sealed: results and evidence to their step, a reviewer's notes to
their verification."""

from typing import Any
from uuid import UUID

import orjson

from acredita.kit.crypto import KeyRing


def seal(keys: KeyRing, step_id: UUID, value: Any) -> bytes:
    return keys.seal(orjson.dumps(value), context=step_context(step_id))


def unseal(keys: KeyRing, step_id: UUID, sealed: bytes | None) -> Any:
    """The value that was sealed; None where there is none."""
    if sealed is None:
        return None
    return orjson.loads(keys.unseal(sealed, context=step_context(step_id)))


def seal_notes(keys: KeyRing, verification_id: UUID, notes: str | None) -> bytes | None:
    if notes is None:
        return None
    return keys.seal(notes.encode(), context=notes_context(verification_id))


def step_context(step_id: UUID) -> str:
    return f"verification_step:{step_id}"


def notes_context(verification_id: UUID) -> str:
    return f"verification:{verification_id}"
