"""The place of an IP address and its anonymizers, from databases. None: unknown."""

import re
from dataclasses import dataclass, field
from math import asin, cos, radians, sin, sqrt

from acredita.domain.names import fold

# Mean radius (IUGG).
EARTH_RADIUS_KM = 6371.0


@dataclass(frozen=True, slots=True)
class Coordinates:
    """`accuracy_radius` in kilometres: the address is probably within it."""

    latitude: float
    longitude: float
    accuracy_radius: int | None = None

    def distance_to(self, other: "Coordinates") -> float:
        """Return the great-circle distance in kilometres (haversine formula)."""
        south, north = radians(self.latitude), radians(other.latitude)
        east = radians(other.longitude - self.longitude)
        chord = sin((north - south) / 2) ** 2 + cos(south) * cos(north) * sin(east / 2) ** 2
        return 2 * EARTH_RADIUS_KM * asin(sqrt(min(1.0, chord)))


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
    """Whether the address belongs to a VPN, a proxy, a Tor exit or a data centre."""

    vpn: bool | None = None
    proxy: bool | None = None
    tor: bool | None = None
    hosting: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """`country`: ISO 3166-1 alpha-2. `city`: in the response's language. `city_names`: in all."""

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
    """Normalize a place's name for comparison: "México, D.F." becomes "MEXICO D F"."""
    return " ".join(re.findall(r"\w+", fold(name)))
