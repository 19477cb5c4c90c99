"""Whether a domain takes mail, by its records in the DNS, and whether it lends mailboxes."""

import asyncio
from ipaddress import ip_address

import dns.asyncresolver
import dns.exception
import dns.name
import dns.resolver

SECONDS = 3.0


async def takes_mail(domain: str) -> bool | None:
    """Return whether the domain has a mail server: an MX record, or without one an address (RFC
    5321, 5.1). None: the name servers did not answer in time, or not to the question.
    """
    try:
        async with asyncio.timeout(SECONDS):
            return await _look_up(domain)
    except dns.resolver.NXDOMAIN:
        return False
    except (TimeoutError, dns.exception.DNSException):
        return None


async def _look_up(domain: str) -> bool:
    resolver = dns.asyncresolver.get_default_resolver()
    try:
        servers = await resolver.resolve(domain, "MX", search=False)
    except dns.resolver.NoAnswer:
        return await _has_address(resolver, domain)
    # The root as the only server: the domain takes no mail (RFC 7505).
    return any(server.exchange != dns.name.root for server in servers)


async def _has_address(resolver: dns.asyncresolver.Resolver, domain: str) -> bool:
    for kind in ("A", "AAAA"):
        try:
            found = await resolver.resolve(domain, kind, search=False)
        except dns.resolver.NoAnswer:
            continue
        # The internet's mail does not reach others, and the names of private networks are not to
        # be found out here.
        if any(ip_address(each.address).is_global for each in found):
            return True
    return False


def is_disposable(domain: str) -> bool:
    """Return whether the domain, or one above it, is known to lend mailboxes to anyone for a short
    time. A domain that is not known may do so, too."""
    # 5,000 names.
    from disposable_email_domains import blocklist  # noqa: PLC0415

    labels = domain.lower().split(".")
    return any(".".join(labels[first:]) in blocklist for first in range(len(labels) - 1))
