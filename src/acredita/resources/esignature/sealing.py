"""Encrypt the details of a package: signer, documents, evidence."""

from typing import Any
from uuid import UUID

import orjson

from acredita.kit.crypto import KeyRing


def seal(keys: KeyRing, package_id: UUID, details: dict[str, Any]) -> bytes:
    return keys.seal(orjson.dumps(details), context=package_context(package_id))


def unseal(keys: KeyRing, package_id: UUID, sealed: bytes | None) -> dict[str, Any] | None:
    """Decrypt the details; None if they were purged."""
    if sealed is None:
        return None
    details: dict[str, Any] = orjson.loads(keys.unseal(sealed, context=package_context(package_id)))
    return details


def package_context(package_id: UUID) -> str:
    return f"signature_package:{package_id}"
