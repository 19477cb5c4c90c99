"""Who is calling."""

from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from acredita.domain.roles import Role
from acredita.kit.gcra import Bucket


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
    # On which the caller's requests are counted.
    buckets: tuple[Bucket, ...] = ()


def holder(organization_id: UUID, verification_id: UUID) -> Caller:
    """Whoever knows the id of a verification: may upload to it, and see how it gets on."""
    return Caller(organization_id, CallerKind.HOLDER, verification_id, Role.MEMBER)
