"""What any source of places does. It never fails: what it cannot tell is None."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from acredita.domain.location.addresses import Address, AddressKind
from acredita.domain.location.places import Place


class DatabaseRole(StrEnum):
    """What a database is asked for."""

    CITY = "city"
    ASN = "asn"
    ANONYMOUS_IP = "anonymousIp"
    VPN = "vpn"
    PROXY = "proxy"
    TOR = "tor"
    HOSTING = "hosting"
    SANDBOX = "sandbox"


@dataclass(frozen=True, slots=True)
class Source:
    """A database that answers rest on. `problem` says why there is none, or none that is newer."""

    role: DatabaseRole
    name: str
    built_at: datetime | None
    problem: str | None = None


class Geolocation(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def is_sandbox(self) -> bool: ...

    def knows(self, kind: AddressKind) -> bool:
        """Whether addresses of that kind are looked up at all."""
        ...

    async def look_up(self, address: Address) -> tuple[Place, Sequence[Source]]: ...

    async def sources(self) -> Sequence[Source]: ...
