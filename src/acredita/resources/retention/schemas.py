from uuid import UUID

from pydantic import Field

from acredita.api.schemas import Body, Shape, Timestamp

REASON = "Why. Stored encrypted."


class HoldWrite(Body):
    reason: str | None = Field(
        None,
        min_length=1,
        max_length=1000,
        description=REASON,
        examples=["Requerimiento 123/2026"],
    )


class HoldShape(Shape):
    """A verification whose data the retention does not delete."""

    verification_id: UUID
    external_id: str | None = Field(examples=["cliente-4711"])
    held_at: Timestamp = Field(description="Since when.")
    reason: str | None = Field(description=REASON, examples=["Requerimiento 123/2026"])


class HoldList(Shape):
    holds: list[HoldShape] = Field(description="The newest hold first.")
    total: int = Field(examples=[1])
