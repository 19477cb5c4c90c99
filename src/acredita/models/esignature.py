"""Signed packages of documents, and their files."""

from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from acredita.domain.esignature import PackageStatus, Tier
from acredita.kit import ids
from acredita.kit.sealed import BYTES, JSON_OBJECT, Sealed, SealedBytes, SealedOrNull
from acredita.models.base import Record, one_of
from acredita.models.tenancy import Owned, refers_to


class SignaturePackage(Owned, Record):
    """A request for a signature, and its result."""

    __tablename__ = "signature_package"

    id: Mapped[UUID] = mapped_column(primary_key=True, default=ids.capability)
    verification_id: Mapped[UUID] = refers_to("verification.id")
    tier: Mapped[str]
    status: Mapped[str]
    # Why it failed; while it is pending, what it waits for.
    code: Mapped[str | None]
    # The signers, the documents and the evidence.
    details_sealed: Mapped[SealedBytes | None]
    details = SealedOrNull("signature_package:{id}", JSON_OBJECT)
    # The signed PDF: digest, size, pages, level, certificate, timestamp. No personal data.
    outcome: Mapped[dict[str, Any] | None]
    signed_at: Mapped[datetime | None]
    # When the purge left this row as a tombstone.
    purged_at: Mapped[datetime | None]

    __table_args__ = (
        one_of("tier", Tier),
        one_of("status", PackageStatus),
        Index("ix_signature_package_verification", "verification_id"),
        Index(
            "ix_signature_package_to_purge",
            "organization_id",
            text("coalesce(signed_at, created_at)"),
            postgresql_where=text("purged_at IS NULL"),
        ),
    )


class FileKind(StrEnum):
    # The input of the PDF, if composing it takes longer than a request.
    SOURCE = "source"
    SIGNED = "signed"


class SignatureFile(Owned, Record):
    """A file of a package. The row holds the file's data key, never its bytes."""

    __tablename__ = "signature_file"

    id: Mapped[UUID] = mapped_column(primary_key=True, default=ids.capability)
    package_id: Mapped[UUID] = refers_to("signature_package.id", ondelete="CASCADE")
    kind: Mapped[str]
    storage_key: Mapped[str]
    # The file's data key.
    data_key_sealed: Mapped[SealedBytes]
    data_key = Sealed("signature_file:{id}", BYTES)

    __table_args__ = (
        one_of("kind", FileKind),
        # Only one file of a package can be the signed one.
        UniqueConstraint("package_id", "kind", "organization_id"),
        UniqueConstraint("storage_key", "organization_id"),
    )
