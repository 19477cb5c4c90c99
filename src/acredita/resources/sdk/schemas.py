from uuid import UUID

from pydantic import Field

from acredita.api.schemas import Shape, Timestamp
from acredita.domain.liveness import Move


class PromptShape(Shape):
    id: str = Field(description="Names the frames of the prompt.", examples=["p2"])
    action: Move = Field(examples=["turn_left"])
    timeout_ms: int = Field(description="What it may take.", examples=[5000])


class ChallengeAnswer(Shape):
    challenge_id: UUID
    nonce: str = Field(
        description="Goes back with the frames.",
        examples=["Vg3hJmkqYw0b2oQ8n0lTnU9oVb1Z2yq5"],
    )
    prompts: list[PromptShape] = Field(description="To be followed in this order.")
    expires_at: Timestamp


class FramesAnswer(Shape):
    challenge_id: UUID
    frames: int = Field(description="How many were stored.", examples=[30])
    message: str = Field(examples=["30 frames were stored; they are judged next."])
