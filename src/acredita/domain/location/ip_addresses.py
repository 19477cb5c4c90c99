"""Parse and classify IP addresses.

Several forms of IPv6 contain an IPv4 address, which is the one to locate: a rule for 8.8.8.8 must
also apply to ::ffff:8.8.8.8 and to its NAT64 address.
Sources: the IANA special-purpose address registries; RFC 4291, 6052, 3056, 4380.
"""

from dataclasses import dataclass
from enum import StrEnum
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

Address = IPv4Address | IPv6Address


class AddressKind(StrEnum):
    PUBLIC = "PUBLIC"
    PRIVATE = "PRIVATE"
    SHARED = "SHARED"  # Carrier-grade NAT: the customers of one provider.
    LOOPBACK = "LOOPBACK"
    LINK_LOCAL = "LINK_LOCAL"
    DOCUMENTATION = "DOCUMENTATION"
    MULTICAST = "MULTICAST"
    RESERVED = "RESERVED"


class Carrier(StrEnum):
    """The form of IPv6 in which an IPv4 address was written."""

    MAPPED = "IPV4_MAPPED"
    NAT64 = "NAT64"
    SIX_TO_FOUR = "6TO4"
    TEREDO = "TEREDO"


@dataclass(frozen=True, slots=True)
class Read:
    """`address` is the address to locate. `carrier` is the IPv6 form that contained it, or None."""

    address: Address
    carrier: Carrier | None = None


NAT64 = IPv6Network("64:ff9b::/96")
# The first network with the address gives its kind. Without one, an IPv4 address is public.
KINDS_V4 = tuple(
    (IPv4Network(network), kind)
    for network, kind in (
        ("10.0.0.0/8", AddressKind.PRIVATE),
        ("172.16.0.0/12", AddressKind.PRIVATE),
        ("192.168.0.0/16", AddressKind.PRIVATE),
        ("100.64.0.0/10", AddressKind.SHARED),
        ("127.0.0.0/8", AddressKind.LOOPBACK),
        ("169.254.0.0/16", AddressKind.LINK_LOCAL),
        ("192.0.2.0/24", AddressKind.DOCUMENTATION),
        ("198.51.100.0/24", AddressKind.DOCUMENTATION),
        ("203.0.113.0/24", AddressKind.DOCUMENTATION),
        ("0.0.0.0/8", AddressKind.RESERVED),
        ("192.0.0.0/24", AddressKind.RESERVED),
        ("192.88.99.0/24", AddressKind.RESERVED),
        ("198.18.0.0/15", AddressKind.RESERVED),
        ("224.0.0.0/4", AddressKind.MULTICAST),
        ("240.0.0.0/4", AddressKind.RESERVED),
    )
)
# Outside of these, an IPv6 address is public if it is global unicast, the only allocated block.
GLOBAL_UNICAST = IPv6Network("2000::/3")
KINDS_V6 = tuple(
    (IPv6Network(network), kind)
    for network, kind in (
        ("::1/128", AddressKind.LOOPBACK),
        ("fc00::/7", AddressKind.PRIVATE),
        ("64:ff9b:1::/48", AddressKind.PRIVATE),  # NAT64 of one network
        ("fe80::/10", AddressKind.LINK_LOCAL),
        ("fec0::/10", AddressKind.PRIVATE),
        ("2001:db8::/32", AddressKind.DOCUMENTATION),
        ("3fff::/20", AddressKind.DOCUMENTATION),
        ("2001::/23", AddressKind.RESERVED),
        ("3ffe::/16", AddressKind.RESERVED),
        ("ff00::/8", AddressKind.MULTICAST),
    )
)


def read(text: str) -> Read | None:
    """Parse an address without port, prefix length and blanks. Return None for any other text.

    The zone ("fe80::1%eth0") is dropped, because it has a meaning on one machine only.
    """
    try:
        address = ip_address(text)
    except ValueError:
        return None
    if isinstance(address, IPv4Address):
        return Read(address)
    # An IPv6Address keeps its zone; the number does not.
    address = IPv6Address(int(address))
    carried, carrier = _carried(address)
    return Read(carried, carrier)


def _carried(address: IPv6Address) -> tuple[Address, Carrier | None]:
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped, Carrier.MAPPED
    if address in NAT64:
        return IPv4Address(int(address) & 0xFFFF_FFFF), Carrier.NAT64
    if address.sixtofour is not None:
        return address.sixtofour, Carrier.SIX_TO_FOUR
    if address.teredo is not None:
        return address.teredo[1], Carrier.TEREDO  # The client, not the server.
    return address, None


def kind_of(address: Address) -> AddressKind:
    """Return the kind of an address by the tables of special-purpose networks above."""
    if isinstance(address, IPv4Address):
        kinds = (kind for network, kind in KINDS_V4 if address in network)
        return next(kinds, AddressKind.PUBLIC)
    found = next((kind for network, kind in KINDS_V6 if address in network), None)
    if found is not None:
        return found
    return AddressKind.PUBLIC if address in GLOBAL_UNICAST else AddressKind.RESERVED


def read_network(text: str) -> IPv4Network | IPv6Network | None:
    """Parse a network of a list: an address or a prefix. Host bits may be set."""
    try:
        network = ip_network(text, strict=False)
    except ValueError:
        return None
    if isinstance(network, IPv6Network) and network.network_address.scope_id is not None:
        return None
    return network
