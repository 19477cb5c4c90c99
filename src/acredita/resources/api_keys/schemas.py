from typing import Literal
from uuid import UUID

from pydantic import Field

from acredita.api.schemas import Body, Shape, Timestamp
from acredita.domain.roles import Role

DEFAULT_RATE = 10
FASTEST_RATE = 1000
RATE = (
    "Requests per second (burst: twice that), in addition to the organization's limit. 0: the key "
    "has no limit of its own."
)

# A key cannot have the role OWNER: only a user can.
KeyRole = Literal["ADMIN", "REVIEWER", "MEMBER"]


class ApiKeyCreate(Body):
    name: str = Field(min_length=1, max_length=100, examples=["Backend"])
    rate_limit: int | None = Field(
        None, ge=0, le=FASTEST_RATE, description=f"{RATE} Default {DEFAULT_RATE}."
    )
    role: KeyRole | None = Field(
        None,
        description="ADMIN (default), REVIEWER or MEMBER. Not above the caller's own role.",
    )


class CreatedApiKey(Shape):
    id: UUID
    name: str = Field(examples=["Backend"])
    key: str = Field(
        description="The raw API key. No other response shows it.",
        examples=["ak_4k2m9x7q_8Jt1vQzXw3nRk6LbYc0dHfMgPsUaEoIiTlNeWjCxVbB"],
    )
    prefix: str = Field(examples=["ak_4k2m9x7q"])
    role: Role
    rate_limit: int
    created_at: Timestamp


class CreatedApiKeyAnswer(Shape):
    api_key: CreatedApiKey


class ApiKeyShape(Shape):
    id: UUID
    name: str = Field(examples=["Backend"])
    prefix: str = Field(
        description="The first characters of the raw key.", examples=["ak_4k2m9x7q"]
    )
    role: Role
    rate_limit: int = Field(description=RATE)
    is_active: bool = Field(description="False if the key was revoked.")
    last_used_at: Timestamp | None = Field(description="Last use, with a resolution of a minute.")
    created_at: Timestamp


class ApiKeyList(Shape):
    api_keys: list[ApiKeyShape]
