"""Results and evidence of steps hold personal data: they are sealed, each to its own step."""

from typing import Any
from uuid import UUID

import orjson

from acredita.kit.crypto import KeyRing


def seal(keys: KeyRing, step_id: UUID, value: Any) -> bytes:
    return keys.seal(orjson.dumps(value), context=_context(step_id))


def unseal(keys: KeyRing, step_id: UUID, sealed: bytes | None) -> Any:
    """The value that was sealed; None where there is none."""
    if sealed is None:
        return None
    return orjson.loads(keys.unseal(sealed, context=_context(step_id)))


def _context(step_id: UUID) -> str:
    return f"verification_step:{step_id}"
