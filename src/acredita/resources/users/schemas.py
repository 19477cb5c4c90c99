from typing import Annotated
from uuid import UUID

from pydantic import Field

from acredita.api.schemas import Body, Shape, Timestamp
from acredita.domain.roles import Role
from acredita.resources.auth.schemas import Email

# Strict bodies reject a string for an enum; the wire has a string.
RoleGiven = Annotated[Role, Field(strict=False, description="Not above the caller's own role.")]


class UserInvite(Body):
    email: Email
    role: RoleGiven


class UserUpdate(Body):
    """An absent field stays unchanged. Null is not allowed."""

    email: Email = Field(
        default_factory=str,
        description=(
            "Takes effect when the user confirms it with the link mailed to it. The old address "
            "gets a notice."
        ),
    )
    role: RoleGiven = Field(default_factory=lambda: Role.MEMBER)


class HandOver(Body):
    """Give what one reviews to another reviewer."""

    user_id: str = Field(
        max_length=36,
        description="A user who may review.",
        examples=["0b6a4c3e-1f7b-4c55-9a51-2f9b8f0d3a11"],
    )


class OrganizationUser(Shape):
    id: UUID
    email: str = Field(examples=["ana@banco.example"])
    pending_email: str | None = Field(
        description="A new address that is not confirmed yet.",
        examples=["ana.maria@banco.example"],
    )
    role: Role
    has_joined: bool = Field(
        description="Whether the user has set a password, or signed in with the identity provider."
    )
    created_at: Timestamp


class UserAnswer(Shape):
    user: OrganizationUser


class UserList(Shape):
    users: list[OrganizationUser]


class EmailConfirmation(Body):
    token: str = Field(
        min_length=32,
        max_length=128,
        description="The token of the mailed link.",
        examples=["kq3mZ0v9Xc7Yw2Lr5Tt8Bn1Hs4Jd6Pf0Ga"],
    )
