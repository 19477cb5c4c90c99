"""Encrypt submitted answers. They are personal data, whatever the form asks."""

from typing import Any
from uuid import UUID

import orjson

from acredita.kit.crypto import KeyRing


def seal(keys: KeyRing, submission_id: UUID, values: dict[str, Any]) -> bytes:
    return keys.seal(orjson.dumps(values), context=submission_context(submission_id))


def unseal(keys: KeyRing, submission_id: UUID, sealed: bytes) -> dict[str, Any]:
    values: dict[str, Any] = orjson.loads(
        keys.unseal(sealed, context=submission_context(submission_id))
    )
    return values


def submission_context(submission_id: UUID) -> str:
    return f"custom_submission:{submission_id}"
