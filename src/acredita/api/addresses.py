"""The address that a request comes from."""

from ipaddress import IPv6Address, ip_address, ip_network

from starlette.requests import Request

from acredita.settings import Settings

# An IPv6 customer holds a whole network of this size, each address of it a fresh start otherwise.
IPV6_NETWORK = 64


def client_address(request: Request, settings: Settings) -> str | None:
    """The peer's address; where the peer is a trusted proxy, the one that it forwarded for.

    Proxies append to X-Forwarded-For, so it is read from its end, up to the first address that is
    not itself a trusted proxy: what stands before that may be the caller's invention.
    """
    if request.client is None:
        return None
    address = request.client.host
    hops = [
        hop.strip()
        for header in request.headers.getlist("x-forwarded-for")
        for hop in header.split(",")
    ]
    while hops and _is_trusted(address, settings):
        hop = hops.pop()
        try:
            address = str(ip_address(hop))
        except ValueError:
            break
    return address


def counted_as(address: str | None) -> str:
    """What is counted in place of an address: itself, or its IPv6 network."""
    try:
        parsed = ip_address(address or "")
    except ValueError:
        return ""
    if isinstance(parsed, IPv6Address) and parsed.ipv4_mapped is None:
        return str(ip_network((parsed, IPV6_NETWORK), strict=False))
    return str(parsed)


def _is_trusted(address: str, settings: Settings) -> bool:
    try:
        parsed = ip_address(address)
    except ValueError:
        return False
    return any(parsed in network for network in settings.trusted_proxies)
