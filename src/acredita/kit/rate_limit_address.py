"""What limits count in place of an IP address."""

from ipaddress import IPv6Address, ip_address, ip_network

# An IPv6 customer has a whole network of this size. Each of its addresses would have fresh limits.
IPV6_NETWORK = 64


def counted_as(address: str | None) -> str:
    """Return the address, or its network for IPv6; empty if it is not an address."""
    try:
        parsed = ip_address(address or "")
    except ValueError:
        return ""
    if isinstance(parsed, IPv6Address) and parsed.ipv4_mapped is None:
        return str(ip_network((parsed, IPV6_NETWORK), strict=False))
    return str(parsed)
