"""What a sample holds of a person, sealed to its row."""

from typing import Any
from uuid import UUID

import orjson

from acredita.kit.crypto import KeyRing

Reading = dict[str, tuple[str, float]]
"""Value and confidence by field."""


def licence_context(truth_id: UUID) -> str:
    return f"licence_truth:{truth_id}"


def selfie_context(truth_id: UUID) -> str:
    return f"selfie_truth:{truth_id}"


def seal_licence(keys: KeyRing, truth_id: UUID, value: Any) -> bytes:
    return keys.seal(orjson.dumps(value), context=licence_context(truth_id))


def unseal_licence(keys: KeyRing, truth_id: UUID, sealed: bytes | None) -> Any:
    """None of None."""
    if sealed is None:
        return None
    return orjson.loads(keys.unseal(sealed, context=licence_context(truth_id)))
