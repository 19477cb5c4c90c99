"""A small built-in table instead of databases. It is deterministic and reports itself as a sandbox.

Its test addresses are from the ranges reserved for documentation. It also has a few networks that
have had the same well-known owners for decades. All other addresses are unknown. They are
listed in docs/integrators/location.md.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from ipaddress import ip_network

from acredita.domain.location.ip_addresses import Address, AddressKind
from acredita.domain.location.places import (
    NOWHERE,
    Coordinates,
    Hidden,
    Network,
    Place,
    Region,
)
from acredita.providers.geolocation.protocol import DatabaseRole, Source

TABLE_DATE = datetime(2026, 11, 1, tzinfo=UTC)
NOT_HIDDEN = Hidden(vpn=False, proxy=False, tor=False, hosting=False)
SOURCES = (Source(DatabaseRole.SANDBOX, "built-in table", TABLE_DATE),)


def _in_mexico(
    city: str, others: tuple[str, ...], region: Region, coordinates: Coordinates
) -> Place:
    return Place(
        country="MX",
        country_name="México",
        region=region,
        city=city,
        city_names=frozenset((city, *others)),
        coordinates=coordinates,
        network=Network(64496, "Example Network"),  # reserved for documentation (RFC 5398)
        hidden=NOT_HIDDEN,
    )


CAPITAL = _in_mexico(
    "Ciudad de México",
    ("Mexico City",),
    Region("CMX", "Ciudad de México"),
    Coordinates(19.4326, -99.1332, 20),
)
GUADALAJARA = _in_mexico(
    "Guadalajara", (), Region("JAL", "Jalisco"), Coordinates(20.6736, -103.344, 20)
)
MONTERREY = _in_mexico(
    "Monterrey", (), Region("NLE", "Nuevo León"), Coordinates(25.6714, -100.309, 20)
)
LOS_ANGELES = Place(
    country="US",
    country_name="Estados Unidos",
    region=Region("CA", "California"),
    city="Los Ángeles",
    city_names=frozenset(("Los Ángeles", "Los Angeles")),
    coordinates=Coordinates(34.0544, -118.244, 20),
    network=Network(64497, "Example Network"),
    hidden=NOT_HIDDEN,
)


def _hidden(**flags: bool) -> Place:
    hidden = Hidden(**{"vpn": False, "proxy": False, "tor": False, "hosting": False} | flags)
    return Place(
        country="MX",
        country_name="México",
        network=Network(64498, "Example Hosting"),
        hidden=hidden,
    )


def _known(country: str, name: str, number: int, organization: str, *, hosting: bool) -> Place:
    return Place(
        country=country,
        country_name=name,
        network=Network(number, organization),
        hidden=Hidden(vpn=False, proxy=False, tor=False, hosting=hosting),
    )


TABLE = tuple(
    (ip_network(network), place)
    for network, place in (
        ("203.0.113.0/26", CAPITAL),
        ("203.0.113.64/26", GUADALAJARA),
        ("203.0.113.128/26", MONTERREY),
        ("203.0.113.192/26", LOS_ANGELES),
        ("2001:db8:52::/48", CAPITAL),
        ("2001:db8:1::/48", LOS_ANGELES),
        ("198.51.100.0/26", _hidden(vpn=True)),
        ("198.51.100.64/26", _hidden(proxy=True)),
        ("198.51.100.128/26", _hidden(tor=True)),
        ("198.51.100.192/26", _hidden(hosting=True)),
        ("8.8.8.0/24", _known("US", "Estados Unidos", 15169, "Google", hosting=True)),
        ("2001:4860::/32", _known("US", "Estados Unidos", 15169, "Google", hosting=True)),
        ("132.248.0.0/16", _known("MX", "México", 278, "UNAM", hosting=False)),
    )
)


class SandboxGeolocation:
    name = "sandbox"
    is_sandbox = True

    def knows(self, kind: AddressKind) -> bool:
        return kind in (AddressKind.PUBLIC, AddressKind.DOCUMENTATION)

    async def look_up(self, address: Address) -> tuple[Place, Sequence[Source]]:
        found = (place for network, place in TABLE if address in network)
        return next(found, NOWHERE), SOURCES

    async def sources(self) -> Sequence[Source]:
        return SOURCES
