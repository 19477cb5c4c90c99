"""Who is calling."""

from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from acredita.domain.roles import Role
from acredita.kit.gcra import Bucket


class CallerKind(StrEnum):
    """What the caller proved to be; the `typ` claim of its token."""

    CLIENT = "client"
    USER = "user"


@dataclass(frozen=True, slots=True)
class Caller:
    organization_id: UUID
    kind: CallerKind
    # The API key's id (client), or the user's.
    id: UUID
    role: Role
    # On which the caller's requests are counted.
    buckets: tuple[Bucket, ...] = ()
