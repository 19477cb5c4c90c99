from typing import Annotated, Self
from uuid import UUID

from pydantic import Field

from acredita.api.schemas import Body, Shape, Timestamp
from acredita.domain.roles import Role
from acredita.models import User
from acredita.resources.auth.schemas import Email

# Strict bodies take no string for an enumeration; a role is a string on the wire.
RoleGiven = Annotated[Role, Field(strict=False, description="Never above the caller's own.")]


class UserInvite(Body):
    email: Email
    role: RoleGiven


class UserUpdate(Body):
    """What is left out stays; neither may be null."""

    email: Email = Field(
        default_factory=str,
        description="Counts once it is confirmed by the link mailed to it; the old one is told.",
    )
    role: RoleGiven = Field(default_factory=lambda: Role.MEMBER)


class OrganizationUser(Shape):
    id: UUID
    email: str = Field(examples=["ana@banco.example"])
    pending_email: str | None = Field(
        description="An address that waits for its confirmation.",
        examples=["ana.maria@banco.example"],
    )
    role: Role
    has_joined: bool = Field(description="Whether the person has chosen a password.")
    created_at: Timestamp

    @classmethod
    def of(cls, user: User) -> Self:
        return cls(
            id=user.id,
            email=user.email,
            pending_email=user.pending_email,
            role=Role(user.role),
            has_joined=user.password_hash is not None,
            created_at=user.created_at,
        )


class UserAnswer(Shape):
    user: OrganizationUser


class UserList(Shape):
    users: list[OrganizationUser]


class EmailConfirmation(Body):
    token: str = Field(
        min_length=32,
        max_length=128,
        description="From the link in the mail.",
        examples=["kq3mZ0v9Xc7Yw2Lr5Tt8Bn1Hs4Jd6Pf0Ga"],
    )
