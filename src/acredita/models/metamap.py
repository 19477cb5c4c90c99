"""Tables of the compatible API (/v1/metamap): aliases, callbacks and identities."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import Index, func
from sqlalchemy.orm import Mapped, mapped_column

from acredita.kit.sealed import BYTES, Sealed, SealedBytes
from acredita.models.base import Record
from acredita.models.tenancy import Owned, refers_to


class MetamapAlias(Owned):
    """A chosen id of 24 hex digits, for a workflow or the organization itself.

    Everything has a default id without a row here (resources/metamap/id_aliases.py). Rows are never
    changed or deleted, so that each attempt of a delivery has the same bytes.
    """

    __tablename__ = "metamap_alias"
    has_organization_in_key = False

    alias: Mapped[str] = mapped_column(primary_key=True)
    # Null: the alias is the organization's clientId.
    workflow_id: Mapped[UUID | None] = refers_to("workflow.id")
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())

    __table_args__ = (Index("ix_metamap_alias_target", "organization_id", "workflow_id"),)


class MetamapCallback(Owned, Record):
    """The result of a check, or a request for reports, until it is posted to its callback URL."""

    __tablename__ = "metamap_callback"

    url: Mapped[str]
    # The JSON that is posted, or the request whose reports are.
    body_sealed: Mapped[SealedBytes]
    body = Sealed("metamap_callback:{id}", BYTES)


class MetamapIdentity(Owned):
    """A verification for the same identity as an earlier one.

    A verification without a row is the first of its identity, and its id is the identity's id.
    """

    __tablename__ = "metamap_identity"

    # Of the parent, which refers to the organization. A cluster divides tables by it.
    organization_id: Mapped[UUID] = mapped_column()
    verification_id: Mapped[UUID] = refers_to(
        "verification.id", ondelete="CASCADE", primary_key=True
    )
    # The first verification of the identity.
    identity_id: Mapped[UUID] = refers_to("verification.id", ondelete="CASCADE", index=True)
