"""Convert a request to the stored package, and the row of a package to the response."""

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import orjson

from acredita.domain.esignature import PackageStatus, Tier
from acredita.engines.signing.markup import format_of
from acredita.engines.signing.package import ContentFormat
from acredita.kit.crypto import KeyRing
from acredita.models import SignaturePackage
from acredita.resources.esignature import conservation
from acredita.resources.esignature.schemas import (
    DocumentToSign,
    SignatureRecord,
    SignRequest,
)


@dataclass(frozen=True, slots=True)
class Source:
    """The inputs of the PDF that the row does not have."""

    contents: tuple[str, ...]
    # JPEG; empty if there is none.
    drawing: bytes

    def to_bytes(self) -> bytes:
        drawing = base64.b64encode(self.drawing).decode()
        return orjson.dumps({"contents": self.contents, "drawing": drawing})

    @classmethod
    def from_bytes(cls, content: bytes) -> "Source":
        read = orjson.loads(content)
        return cls(tuple(read["contents"]), base64.b64decode(read["drawing"]))


def details_of(data: SignRequest, evidence: dict[str, Any], *, has_drawing: bool) -> dict[str, Any]:
    """The details that the row stores encrypted. Hashes up to 0.5 MB per document: use a thread."""
    return {
        "signerName": data.signer_name,
        "documents": _documents(data.documents),
        "hasTouchSignature": has_drawing,
        "ipAddress": data.ip_address,
        "userAgent": data.user_agent,
        "evidence": evidence,
    }


def _documents(documents: Sequence[DocumentToSign]) -> list[dict[str, Any]]:
    return [
        {
            "title": document.title,
            "format": ContentFormat(document.format or format_of(document.content)).value,
            "characters": len(document.content),
            "sha256": sha256(document.content.encode()).hexdigest(),
        }
        for document in documents
    ]


def record_of(keys: KeyRing, row: SignaturePackage) -> SignatureRecord:
    """The response for a package, with its details decrypted."""
    details = row.details.open(keys) or {}
    outcome = row.outcome or {}
    seal = outcome.get("seal")
    return SignatureRecord.model_validate(
        {
            "id": row.id,
            "verificationId": row.verification_id,
            "status": PackageStatus(row.status),
            "code": row.code,
            "tier": Tier(row.tier),
            "signerName": details.get("signerName"),
            "documents": details.get("documents", []),
            "hasTouchSignature": details.get("hasTouchSignature"),
            "ipAddress": details.get("ipAddress"),
            "userAgent": details.get("userAgent"),
            "evidence": details.get("evidence"),
            "pdf": outcome.get("pdf"),
            "seal": seal,
            "conservation": outcome.get("conservation") or conservation.state(conservation.NONE),
            "sandbox": None if seal is None else seal["isDevelopment"],
            "createdAt": row.created_at,
            "signedAt": row.signed_at,
            "purgedAt": row.purged_at,
        }
    )
