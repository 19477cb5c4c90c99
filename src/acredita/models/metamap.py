"""What the compatible API (/v1/metamap) keeps of its own: names, and whom a verification is of."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import ForeignKey, Index, func
from sqlalchemy.orm import Mapped, mapped_column

from acredita.kit.sealed import BYTES, Sealed, SealedBytes
from acredita.models.base import Base, Record
from acredita.models.tenancy import Owned


class MetamapAlias(Owned):
    """A chosen 24-hex id, of a workflow or of the organization itself.

    Everything has one without a row here (resources/metamap/naming.py). Rows are only ever added:
    what a webhook said once, each later attempt says in the same bytes.
    """

    __tablename__ = "metamap_alias"

    alias: Mapped[str] = mapped_column(primary_key=True)
    # Absent: the alias is the organization's own (its clientId).
    workflow_id: Mapped[UUID | None] = mapped_column(ForeignKey("workflow.id"))
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())

    __table_args__ = (Index("ix_metamap_alias_target", "organization_id", "workflow_id"),)


class MetamapCallback(Owned, Record):
    """What a government check found, until it was posted to the address given with the question."""

    __tablename__ = "metamap_callback"

    url: Mapped[str]
    # The JSON that is posted.
    body_sealed: Mapped[SealedBytes]
    body = Sealed("metamap_callback:{id}", BYTES)


class MetamapIdentity(Base):
    """A verification that was started for the identity of an earlier one.

    One without a row is the first of its identity, whose id is then the verification's own.
    """

    __tablename__ = "metamap_identity"

    verification_id: Mapped[UUID] = mapped_column(
        ForeignKey("verification.id", ondelete="CASCADE"), primary_key=True
    )
    # The first verification of the identity.
    identity_id: Mapped[UUID] = mapped_column(
        ForeignKey("verification.id", ondelete="CASCADE"), index=True
    )
