"""Signed packages of documents, and their files."""

from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from acredita.domain.esignature import PackageStatus, Tier
from acredita.kit import ids
from acredita.kit.sealed import BYTES, JSON_OBJECT, Sealed, SealedBytes, SealedOrNull
from acredita.models.base import Record, one_of
from acredita.models.tenancy import Owned


class SignaturePackage(Owned, Record):
    """What was asked to be signed, and what came of it."""

    __tablename__ = "signature_package"

    id: Mapped[UUID] = mapped_column(primary_key=True, default=ids.capability)
    verification_id: Mapped[UUID] = mapped_column(ForeignKey("verification.id"))
    tier: Mapped[str]
    status: Mapped[str]
    # Why it failed; while it is pending: what it waits for.
    code: Mapped[str | None]
    # Who signs what, resting on which evidence.
    details_sealed: Mapped[SealedBytes | None]
    details = SealedOrNull("signature_package:{id}", JSON_OBJECT)
    # The signed PDF: digest, size, pages, level, certificate, time stamp. Nothing personal.
    outcome: Mapped[dict[str, Any] | None]
    signed_at: Mapped[datetime | None]
    # When all that is personal was deleted, and this row was left as a tombstone.
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
    # What the PDF is to be made of, while that takes longer than a request.
    SOURCE = "source"
    SIGNED = "signed"


class SignatureFile(Owned, Record):
    """A file of a package. The row holds the key of the file, never its bytes."""

    __tablename__ = "signature_file"

    id: Mapped[UUID] = mapped_column(primary_key=True, default=ids.capability)
    package_id: Mapped[UUID] = mapped_column(ForeignKey("signature_package.id", ondelete="CASCADE"))
    kind: Mapped[str]
    storage_key: Mapped[str] = mapped_column(unique=True)
    # The file's own key.
    data_key_sealed: Mapped[SealedBytes]
    data_key = Sealed("signature_file:{id}", BYTES)

    __table_args__ = (
        one_of("kind", FileKind),
        # Signed once: no two files can be the signed one.
        UniqueConstraint("package_id", "kind"),
    )
