"""Make a package: compose it in a separate process, get a time stamp, seal it."""

from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from acredita.domain.esignature import Tier
from acredita.engines.signing.package import (
    Attachment,
    ContentFormat,
    Package,
    PackageDocument,
)
from acredita.kit.clock import timestamp
from acredita.models import SignaturePackage
from acredita.ports import PackageMaking
from acredita.providers.timestamps import Timestamp, TimestampRefused
from acredita.resources.esignature.evidence_page import certificate
from acredita.resources.esignature.package import Source

# Seconds. Measured: 2,500,000 characters (600 pages) take 3 s of CPU.
SLOWEST_COMPOSITION = 60.0


@dataclass(frozen=True, slots=True)
class MadePackage:
    pdf: bytes
    # Stored in the row: digest, size, pages, level, certificate, time stamp.
    outcome: dict[str, Any]


async def make(
    services: PackageMaking, row: SignaturePackage, details: dict[str, Any], source: Source
) -> MadePackage:
    """Make the signed PDF. Raise CannotCompose, PoolError, TimestampError, NotSigned."""
    seal = services.seal
    if seal is None:
        raise TimestampRefused("e-signatures are turned off")
    name = await seal.name()
    is_development = name.is_development or services.timestamps.is_sandbox
    documents = tuple(
        PackageDocument(
            title=document["title"],
            content=content,
            format=ContentFormat(document["format"]),
            sha256=document["sha256"],
        )
        for document, content in zip(details["documents"], source.contents, strict=True)
    )
    package = Package(
        id=str(row.id),
        documents=documents,
        signer=details["signerName"],
        drawing=source.drawing,
        certificate=certificate(
            package_id=row.id,
            verification_id=row.verification_id,
            tier=Tier(row.tier),
            created_at=row.created_at,
            details=details,
            seal=name,
            is_development=is_development,
            is_conserved=services.conservation is not None,
        ),
    )
    composed = await services.composition.compose(
        package, row.organization_id, seconds=SLOWEST_COMPOSITION
    )
    stamps: list[Timestamp] = []

    async def stamp(digest: bytes) -> bytes:
        stamps.append(await services.timestamps.stamp(digest))
        return stamps[-1].token

    signed = await seal.sign(
        composed.pdf,
        [_attachment(number, document) for number, document in enumerate(documents, start=1)],
        reason=f"Firma electrónica de {details['signerName']}",
        stamp=stamp,
    )
    last = stamps[-1]
    return MadePackage(
        signed.content,
        {
            "pdf": {
                "sha256": sha256(signed.content).hexdigest(),
                "fileSize": len(signed.content),
                "pages": composed.pages,
                "replacedCharacters": composed.replaced,
            },
            "seal": {
                "level": signed.level.value,
                "certificateSubject": name.subject,
                "certificateSha256": name.fingerprint,
                "timestampAuthority": last.authority,
                "timestampedAt": timestamp(last.moment),
                "isDevelopment": is_development,
            },
        },
    )


def _attachment(number: int, document: PackageDocument) -> Attachment:
    """Attach a document as plain text, so that no viewer opens untrusted HTML as a page."""
    return Attachment(f"documento-{number}.txt", document.title, document.content.encode())
