"""The interface of an IP geolocation provider. It never fails: unknown values are None."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from acredita.domain.location.ip_addresses import Address, AddressKind
from acredita.domain.location.places import Place


class DatabaseRole(StrEnum):
    """What a database is used for."""

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
    """A database in use. `problem` says why it is missing or why its newest version is not used."""

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
        """Whether the provider looks up addresses of this kind."""
        ...

    async def look_up(self, address: Address) -> tuple[Place, Sequence[Source]]: ...

    async def sources(self) -> Sequence[Source]: ...
