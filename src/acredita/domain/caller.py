"""Who is calling."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from acredita.domain.roles import Role


class CallerKind(StrEnum):
    """The kind of caller, as authenticated."""

    CLIENT = "client"
    USER = "user"
    # Proved nothing: the id of a verification is a capability (browser flow). No token proves it.
    HOLDER = "holder"


@dataclass(frozen=True, slots=True)
class Caller:
    organization_id: UUID
    kind: CallerKind
    # The API key's id (client), the user's, or the verification's (holder).
    id: UUID
    role: Role
    # The address of a holder, if it is known. Never stored.
    address: str | None = field(default=None, kw_only=True)
    # When a user signed in. None: the caller is no user.
    signed_in_at: datetime | None = field(default=None, kw_only=True)
    # The session of a request that a cookie authenticates.
    session_id: UUID | None = field(default=None, kw_only=True)


def holder(organization_id: UUID, verification_id: UUID, address: str | None = None) -> Caller:
    """A person who knows the id of a verification. They may upload to it and read its status."""
    return Caller(organization_id, CallerKind.HOLDER, verification_id, Role.MEMBER, address=address)
