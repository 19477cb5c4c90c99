"""Reads places from databases in MaxMind's format.

It uses the pure Python reader over bytes in memory. A lookup takes 0.1 ms, and a damaged file can
only raise. With the C extension, a damaged file could read outside its buffer.
"""

import io
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from ipaddress import IPv4Address, IPv6Address
from typing import Any

import maxminddb
from maxminddb.reader import Reader

from acredita.domain.location.ip_addresses import Address
from acredita.domain.location.places import Coordinates, Hidden, Network, Place, Region
from acredita.providers.geolocation.file_watch import InvalidFile
from acredita.providers.geolocation.protocol import DatabaseRole

# Words in the database's type, by role, to detect swapped paths.
TYPES = {
    DatabaseRole.CITY: ("city", "country", "enterprise", "insights", "location"),
    DatabaseRole.ASN: ("asn", "isp"),
    DatabaseRole.ANONYMOUS_IP: ("anonymous", "privacy", "proxy", "vpn"),
}
# Languages of place names, in order of preference.
LANGUAGES = ("es", "en")
# Number of addresses to look up before a database is used, to detect damage.
SAMPLES = 1024

Record = Mapping[str, Any]


class Database:
    """A database for one role. Raise InvalidFile for invalid bytes or another role."""

    def __init__(self, role: DatabaseRole, content: bytes) -> None:
        try:
            self._reader = Reader(io.BytesIO(content), maxminddb.MODE_FD)
        except Exception:
            raise InvalidFile("not a database, or truncated") from None
        metadata = self._reader.metadata()
        self.type = str(metadata.database_type)[:100]
        self.built_at = datetime.fromtimestamp(metadata.build_epoch, UTC)
        self._has_v6 = metadata.ip_version == 6
        if not any(word in self.type.lower() for word in TYPES[role]):
            raise InvalidFile("a database of another kind")
        for address in self._samples():
            self.record(address)

    def record(self, address: Address) -> Record | None:
        """The record of an address, or None. A damaged database can raise any exception."""
        found = self._reader.get(address)
        return found if isinstance(found, Mapping) else None

    def covers(self, address: Address) -> bool:
        return self._has_v6 or isinstance(address, IPv4Address)

    def _samples(self) -> Iterator[Address]:
        step = (1 << 32) // SAMPLES
        yield from (IPv4Address(number * step + 1) for number in range(SAMPLES))
        if self._has_v6:
            yield from (IPv6Address((0x2000 + number * 8 << 112) + 1) for number in range(SAMPLES))


def with_city(place: Place, record: Record) -> Place:
    country, city = _part(record, "country"), _part(record, "city")
    code = _text(country.get("iso_code"))
    names = city.get("names")
    regions = record.get("subdivisions")
    region = regions[0] if isinstance(regions, list) and regions else None
    return replace(
        place,
        country=code.upper() if code else None,
        country_name=_name(country),
        region=_region(region) if isinstance(region, Mapping) else None,
        city=_name(city),
        city_names=frozenset(filter(None, map(_text, names.values())))
        if isinstance(names, Mapping)
        else frozenset(),
        coordinates=_coordinates(_part(record, "location")),
    )


def with_network(place: Place, record: Record) -> Place:
    number = record.get("autonomous_system_number")
    if not isinstance(number, int) or isinstance(number, bool):
        return place
    organization = _text(record.get("autonomous_system_organization"))
    return replace(place, network=Network(number, organization))


def read_hidden(record: Record | None) -> Hidden:
    """Read the anonymity flags. They are all False for an address without a record."""
    record = record or {}
    vpn, tor, hosting = (
        record.get(name) is True
        for name in ("is_anonymous_vpn", "is_tor_exit_node", "is_hosting_provider")
    )
    proxy = any(record.get(f"is_{kind}_proxy") is True for kind in ("public", "residential"))
    # Anonymous, but of no specific kind.
    other = record.get("is_anonymous") is True and not (vpn or proxy or tor or hosting)
    return Hidden(vpn=vpn or other, proxy=proxy, tor=tor, hosting=hosting)


def _part(record: Record, name: str) -> Record:
    part = record.get(name)
    return part if isinstance(part, Mapping) else {}


def _text(value: Any) -> str | None:
    return value[:200] if isinstance(value, str) and value else None


def _name(part: Record) -> str | None:
    names = part.get("names")
    if not isinstance(names, Mapping):
        return None
    return next((name for each in LANGUAGES if (name := _text(names.get(each)))), None)


def _region(record: Record) -> Region | None:
    code, name = _text(record.get("iso_code")), _name(record)
    return Region(code, name) if code or name else None


def _coordinates(record: Record) -> Coordinates | None:
    latitude, longitude = record.get("latitude"), record.get("longitude")
    if not (isinstance(latitude, float | int) and isinstance(longitude, float | int)):
        return None
    if not (-90 <= latitude <= 90 and -180 <= longitude <= 180):
        return None
    radius = record.get("accuracy_radius")
    return Coordinates(
        float(latitude), float(longitude), radius if isinstance(radius, int) else None
    )
