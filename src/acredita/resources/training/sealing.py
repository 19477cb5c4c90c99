"""A label holds what people's documents say."""

from typing import Any
from uuid import UUID

import orjson

from acredita.kit.crypto import KeyRing


def seal(keys: KeyRing, label_id: UUID, label: dict[str, Any]) -> bytes:
    return keys.seal(orjson.dumps(label), context=label_context(label_id))


def unseal(keys: KeyRing, label_id: UUID, sealed: bytes) -> dict[str, Any]:
    label: dict[str, Any] = orjson.loads(keys.unseal(sealed, context=label_context(label_id)))
    return label


def label_context(label_id: UUID) -> str:
    return f"training_label:{label_id}"
