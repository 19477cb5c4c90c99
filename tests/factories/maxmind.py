"""Small databases in MaxMind's format, written as its specification says (MaxMind DB 2.0)."""

import struct
from collections.abc import Mapping
from ipaddress import IPv4Network, ip_network
from typing import Any

MARKER = b"\xab\xcd\xefMaxMind.com"
BUILT = 1_790_000_000  # 2026-09-21


def write(kind: str, networks: Mapping[str, Any], *, version: int = 6, built: int = BUILT) -> bytes:
    """A database of that type: networks and their records, the wider networks first."""
    data = bytearray()
    tree: list[list[Any]] = [[None, None]]
    for network, record in networks.items():
        offset = len(data)
        data += encode(record)
        _insert(tree, _bits(network, version), offset)
    metadata = {
        "binary_format_major_version": 2,
        "binary_format_minor_version": 0,
        "build_epoch": built,
        "database_type": kind,
        "description": {"en": "for tests"},
        "ip_version": version,
        "languages": ["en", "es"],
        "node_count": len(tree),
        "record_size": 28,
    }
    return _nodes(tree) + bytes(16) + bytes(data) + MARKER + encode(metadata)


def _bits(network: str, version: int) -> list[int]:
    """IPv4 stands in a tree of IPv6 under ::/96."""
    parsed = ip_network(network)
    number, length, width = int(parsed.network_address), parsed.prefixlen, parsed.max_prefixlen
    if isinstance(parsed, IPv4Network) and version == 6:
        length, width = length + 96, 128
    return [number >> (width - 1 - place) & 1 for place in range(length)]


def _insert(tree: list[list[Any]], bits: list[int], offset: int) -> None:
    node = tree[0]
    for bit in bits[:-1]:
        below = node[bit]
        if not isinstance(below, list):
            # What a wider network says goes on for the rest of it.
            below = [node[bit], node[bit]]
            tree.append(below)
            node[bit] = below
        node = below
    node[bits[-1]] = offset


def _nodes(tree: list[list[Any]]) -> bytes:
    """Records of 28 bits: another node's number, no data, or data beyond the tree."""
    numbers = {id(node): number for number, node in enumerate(tree)}

    def record(side: Any) -> int:
        if isinstance(side, list):
            return numbers[id(side)]
        return len(tree) if side is None else len(tree) + 16 + int(side)

    content = bytearray()
    for left, right in ((record(left), record(right)) for left, right in tree):
        content += (left & 0xFFFFFF).to_bytes(3, "big")
        content += bytes((left >> 24 << 4 | right >> 24,))
        content += (right & 0xFFFFFF).to_bytes(3, "big")
    return bytes(content)


def encode(value: Any) -> bytes:
    match value:
        case bool():
            return _control(14, int(value))
        case str():
            content = value.encode()
            return _control(2, len(content)) + content
        case float():
            return _control(3, 8) + struct.pack(">d", value)
        case int():
            content = value.to_bytes((value.bit_length() + 7) // 8, "big")
            return _control(9 if value >= 1 << 32 else 6, len(content)) + content
        case list():
            return _control(11, len(value)) + b"".join(map(encode, value))
        case dict():
            parts = (encode(name) + encode(each) for name, each in value.items())
            return _control(7, len(value)) + b"".join(parts)
    raise TypeError(value)


def _control(kind: int, size: int) -> bytes:
    """Type and size: sizes from 29 on are written after, types from 8 on in a byte of their own."""
    if size < 29:
        short, rest = size, b""
    elif size < 285:
        short, rest = 29, bytes((size - 29,))
    else:
        short, rest = 30, (size - 285).to_bytes(2, "big")
    if kind < 8:
        return bytes((kind << 5 | short,)) + rest
    return bytes((short, kind - 7)) + rest


def city(country: str, name: str | None = None) -> dict[str, Any]:
    record: dict[str, Any] = {"country": {"iso_code": country, "names": {"en": country}}}
    if name is not None:
        record["city"] = {"names": {"en": name, "es": name}}
    return record


MEXICO_CITY = {
    "country": {"iso_code": "MX", "names": {"en": "Mexico", "es": "México"}},
    "city": {"geoname_id": 3530597, "names": {"en": "Mexico City", "es": "Ciudad de México"}},
    "subdivisions": [{"iso_code": "CMX", "names": {"es": "Ciudad de México"}}],
    "location": {"latitude": 19.4326, "longitude": -99.1332, "accuracy_radius": 20},
}
CITIES = {
    "8.0.0.0/8": city("US"),
    "8.8.8.0/24": city("US", "Mountain View"),
    "187.188.0.0/16": MEXICO_CITY,
    "189.203.0.0/16": city("MX", "Ciudad Nezahualcóyotl"),
    "2806::/16": MEXICO_CITY,
}
ASNS = {
    "187.188.0.0/16": {
        "autonomous_system_number": 17072,
        "autonomous_system_organization": "TOTAL PLAY",
    },
}
ANONYMOUS = {
    "187.188.1.0/24": {"is_anonymous": True, "is_anonymous_vpn": True},
    "187.188.2.0/24": {"is_anonymous": True, "is_public_proxy": True},
    "187.188.3.0/24": {"is_anonymous": True, "is_tor_exit_node": True},
    "187.188.4.0/24": {"is_anonymous": True, "is_hosting_provider": True},
    "187.188.5.0/24": {"is_anonymous": True, "is_residential_proxy": True},
    "187.188.6.0/24": {"is_anonymous": True},
}
