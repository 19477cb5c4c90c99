"""The address that a request comes from."""

from ipaddress import ip_address

from starlette.requests import Request

from acredita.settings import Settings


def client_address(request: Request, settings: Settings) -> str | None:
    """Return the peer's address; behind a trusted proxy, the address that the proxy forwards.

    Proxies append to X-Forwarded-For, so this reads it from the end, up to the first address that
    is not a trusted proxy. The caller may have forged what comes before it.
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


def _is_trusted(address: str, settings: Settings) -> bool:
    try:
        parsed = ip_address(address)
    except ValueError:
        return False
    return any(parsed in network for network in settings.trusted_proxies)
