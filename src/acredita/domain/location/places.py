"""Where an address is and who hides behind it, as far as the databases know. None: not known."""

import re
from dataclasses import dataclass, field

from acredita.domain.names import fold


@dataclass(frozen=True, slots=True)
class Coordinates:
    """`accuracy_radius` in kilometres: where the address is likely to be."""

    latitude: float
    longitude: float
    accuracy_radius: int | None


@dataclass(frozen=True, slots=True)
class Region:
    code: str | None
    name: str | None


@dataclass(frozen=True, slots=True)
class Network:
    """The autonomous system that announces the address."""

    number: int
    organization: str | None


@dataclass(frozen=True, slots=True)
class Hidden:
    """Whether the address is that of a VPN, a proxy, a Tor exit, a data centre."""

    vpn: bool | None = None
    proxy: bool | None = None
    tor: bool | None = None
    hosting: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """`country` by ISO 3166-1; `city` in the language shown, `city_names` in every one known."""

    country: str | None = None
    country_name: str | None = None
    region: Region | None = None
    city: str | None = None
    city_names: frozenset[str] = frozenset()
    coordinates: Coordinates | None = None
    network: Network | None = None
    hidden: Hidden = field(default_factory=Hidden)


NOWHERE = Place()


def comparable(name: str) -> str:
    """A place's name without case, accents and signs: "México, D.F." is "MEXICO D F"."""
    return " ".join(re.findall(r"\w+", fold(name)))
