"""Workflows: the ordered steps of verifications."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, Index, func, text
from sqlalchemy.orm import Mapped, mapped_column

from acredita.models.base import Record
from acredita.models.tenancy import Owned, refers_to


class Workflow(Owned, Record):
    __tablename__ = "workflow"

    organization_id: Mapped[UUID] = mapped_column(ForeignKey("organization.id"), index=True)
    name: Mapped[str]
    description: Mapped[str | None]
    is_active: Mapped[bool] = mapped_column(server_default=text("true"))
    # Each: id, type, order, config; in the order of execution.
    steps: Mapped[list[dict[str, Any]]]
    # The appearance of its pages, in wire names; null until it is set.
    theme: Mapped[dict[str, Any] | None]
    # Whether the capture page offers to upload files, and not only the camera.
    allow_files: Mapped[bool] = mapped_column(server_default=text("true"))
    # The policy that decides its verifications; null: the rule without a policy.
    policy_id: Mapped[UUID | None] = refers_to("policy.id")
    # The policy whose draft is evaluated beside it, without any effect.
    shadow_policy_id: Mapped[UUID | None] = refers_to("policy.id")
    # Whether compatible calls that name no workflow use it, instead of the oldest active one.
    is_metamap_default: Mapped[bool] = mapped_column(server_default=text("false"))
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())

    __table_args__ = (
        Index(
            "uq_workflow_metamap_default",
            "organization_id",
            unique=True,
            postgresql_where=text("is_metamap_default"),
        ),
    )
