"""Resolves host names and requires every address to be public.

One private address rejects the name: otherwise an attacker mixes a private address with public
ones, and the client connects to it on its second try.
"""

import asyncio
import re
import socket
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from ipaddress import ip_address
from pathlib import Path

from aiohttp.abc import AbstractResolver, ResolveResult

from acredita.kit.http.errors import ForbiddenAddress
from acredita.kit.http.public_addresses import Address, is_public

# A name whose DNS servers never answer occupies one thread. No process calls so many hosts at once.
THREADS = 128
SEPARATORS = re.compile(r"[\s,=]+")


class VettingResolver(AbstractResolver):
    """Uses the system's resolver without a cache. Concurrent queries for a name share one lookup.

    `overrides` is a file of lines `name address address ...`, read for every query. A name listed
    without an address does not resolve. All other names go to the system's resolver.
    """

    def __init__(self, *, allow_private: bool, overrides: Path | None = None) -> None:
        self._allow_private = allow_private
        self._overrides = overrides
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="resolve")
        self._asking: dict[str, asyncio.Future[list[Address]]] = {}

    async def addresses(self, host: str) -> list[Address]:
        """Return at least one address. Raise OSError if there is none.

        Raise ForbiddenAddress if any of them is not public.
        """
        asking = self._asking.get(host)
        if asking is None:
            loop = asyncio.get_running_loop()
            asking = loop.run_in_executor(self._threads, self._look_up, host)
            self._asking[host] = asking
            asking.add_done_callback(partial(self._answered, host))
        # A caller that times out does not cancel the lookup, which other callers share.
        found = await asyncio.shield(asking)
        if not self._allow_private and not all(map(is_public, found)):
            raise ForbiddenAddress("leads to an address that is not public")
        return found

    def _answered(self, host: str, asking: asyncio.Future[list[Address]]) -> None:
        del self._asking[host]
        if not asking.cancelled():
            asking.exception()  # retrieved, so that asyncio does not log it if no caller is left

    async def resolve(
        self,
        host: str,
        port: int = 0,
        family: socket.AddressFamily = socket.AF_UNSPEC,  # noqa: ARG002 (connects with every family)
    ) -> list[ResolveResult]:
        return [
            ResolveResult(
                hostname=host,
                host=str(address),
                port=port,
                family=socket.AF_INET if address.version == 4 else socket.AF_INET6,
                proto=socket.IPPROTO_TCP,
                flags=socket.AI_NUMERICHOST,
            )
            for address in await self.addresses(host)
        ]

    async def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _look_up(self, host: str) -> list[Address]:
        listed = self._listed(host.rstrip("."))
        if listed is None:
            answers = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
            listed = [ip_address(answer[4][0]) for answer in answers]
        if not listed:
            raise OSError("the name has no address")
        return list(dict.fromkeys(listed))

    def _listed(self, name: str) -> list[Address] | None:
        if self._overrides is None:
            return None
        for line in self._overrides.read_text().splitlines():
            listed, *addresses = SEPARATORS.split(line.strip())
            if listed == name:
                return [ip_address(address) for address in addresses if address]
        return None
