from typing import Literal
from uuid import UUID

from pydantic import Field

from acredita.api.schemas import Body, Shape, Timestamp
from acredita.domain.roles import Role

DEFAULT_RATE = 10
FASTEST_RATE = 1000
RATE = "Requests a second, beside the organization's own limit; 0: no limit of the key's own."


# No key speaks with an owner's authority: only an owner does.
KeyRole = Literal["ADMIN", "REVIEWER", "MEMBER"]


class ApiKeyCreate(Body):
    name: str = Field(min_length=1, max_length=100, examples=["Backend"])
    rate_limit: int | None = Field(
        None, ge=0, le=FASTEST_RATE, description=f"{RATE} Default {DEFAULT_RATE}."
    )
    role: KeyRole | None = Field(
        None,
        description="ADMIN (the default), REVIEWER or MEMBER; never above the caller's own.",
    )


class CreatedApiKey(Shape):
    id: UUID
    name: str = Field(examples=["Backend"])
    key: str = Field(
        description="The raw API key. It is shown here and never again.",
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
    prefix: str = Field(description="How the raw key begins.", examples=["ak_4k2m9x7q"])
    role: Role
    rate_limit: int = Field(description=RATE)
    is_active: bool = Field(description="False once it was revoked.")
    last_used_at: Timestamp | None = Field(description="To the minute.")
    created_at: Timestamp


class ApiKeyList(Shape):
    api_keys: list[ApiKeyShape]
