from typing import Any, Self
from uuid import UUID

import orjson
from pydantic import Field
from sqlalchemy import RowMapping

from acredita.api.pagination import CursorPage, Pagination
from acredita.api.schemas import Shape, Timestamp
from acredita.domain.audit import Action, ActorType, ResourceType


class ActorShape(Shape):
    type: str = Field(description="Kind of actor.", examples=list(ActorType))
    id: UUID | None = Field(description="Id of the API key (client) or of the user.")


class AuditEntryShape(Shape):
    id: UUID
    position: int | None = Field(
        description=(
            "Position in the organization's chain, from 1. Null in the seconds before the entry is"
            " chained."
        )
    )
    action: str = Field(examples=[Action.WORKFLOW_CREATED])
    actor: ActorShape
    resource_type: str = Field(examples=[ResourceType.WORKFLOW])
    resource_id: UUID
    details: dict[str, Any] = Field(
        description="Ids, digests and codes; no personal data.", examples=[{"fields": ["name"]}]
    )
    hash: str | None = Field(
        description=(
            "HMAC-SHA256, in hex, over the previous entry's hash and this entry's content. Null"
            " until the entry is chained."
        ),
        examples=["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"],
    )
    created_at: Timestamp

    @classmethod
    def from_row(cls, row: RowMapping) -> Self:
        return cls(
            id=row["id"],
            position=row["position"],
            action=row["action"],
            actor=ActorShape(type=row["actor_type"], id=row["actor_id"]),
            resource_type=row["resource_type"],
            resource_id=row["resource_id"],
            details=orjson.loads(row["details"]),
            hash=None if row["hash"] is None else row["hash"].hex(),
            created_at=row["created_at"],
        )


class ChainCheck(Shape):
    sound: bool = Field(description="Whether no entry was changed, removed or inserted.")
    entries: int = Field(description="How many entries are valid, from the first one.")
    unchained: int = Field(description="Entries of the last seconds, which are not chained yet.")
    bad_position: int | None = Field(
        description="The position of the first entry that is wrong or missing.", examples=[None]
    )
    fault: str | None = Field(
        description="What is wrong with it.", examples=["its content does not match its hash"]
    )
    checked_at: Timestamp


class AuditLogPage(CursorPage):
    audit_logs: list[AuditEntryShape]
    pagination: Pagination
