"""Parses untrusted URLs. The client connects to exactly what is checked here."""

import re
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address

from yarl import URL

from acredita.kit.http.errors import ForbiddenAddress, InvalidTarget
from acredita.kit.http.public_addresses import Address, is_public

# An @ in the authority means user information, which is refused even if empty.
SHAPE = re.compile(
    r"https?://(?:\[[0-9a-f.]*:[0-9a-f:.]*\](?::\d+)?|[^/?#@\[\]]+)(?:[/?#].*)?",
    re.IGNORECASE | re.ASCII,
)
NAME = re.compile(r"(?=.{1,253}\.?$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.|$))+")
# getaddrinfo reads a host whose last label is a number as an IPv4 address, in any notation:
# 127.1, 2130706433, 0x7f.1, 0177.0.0.1 (rule of the WHATWG URL standard).
ENDS_IN_NUMBER = re.compile(r"(?:.*\.)?(?:[0-9]+|0x[0-9a-f]*)\.?")


@dataclass(frozen=True, slots=True)
class Target:
    url: URL
    # The host's IP address, if the URL has an address instead of a name.
    literal: Address | None


@lru_cache(maxsize=1024)
def parse_target(text: str, *, allow_private: bool) -> Target:
    """Parse a URL. Raise InvalidTarget for a form that is never requested.

    Raise ForbiddenAddress for a literal address that is not public.
    """
    if any(not mark.isprintable() or mark.isspace() or mark == "\\" for mark in text):
        raise InvalidTarget("must not hold spaces, control characters or backslashes")
    if not SHAPE.fullmatch(text):
        raise InvalidTarget("must be an https address without user information")
    try:
        # Normalizes full-width and circled digits, IDNA and letter case.
        url = URL(text)
        host = url.raw_host or ""
        port = url.port
    except ValueError as fault:
        raise InvalidTarget("is not a valid address") from fault
    if url.scheme != "https" and not allow_private:
        raise InvalidTarget("must begin with https://")
    if not port:
        raise InvalidTarget("must name a port between 1 and 65535, or none")
    literal = _literal(host)
    if literal and not allow_private and not is_public(literal):
        raise ForbiddenAddress("leads to an address that is not public")
    return Target(url, literal)


def _literal(host: str) -> Address | None:
    try:
        if ":" in host:
            return IPv6Address(host)
        if ENDS_IN_NUMBER.fullmatch(host):
            return IPv4Address(host)
    except ValueError as fault:
        raise InvalidTarget("writes an address in an unusual form") from fault
    if not NAME.fullmatch(host):
        raise InvalidTarget("does not name a valid host")
    return None
