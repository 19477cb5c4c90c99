"""Names to addresses, all of which must be public.

One bad answer condemns the name: an attacker who mixes a private address among public ones
must not win by being dialled second.
"""

import asyncio
import re
import socket
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from ipaddress import ip_address
from pathlib import Path

from aiohttp.abc import AbstractResolver, ResolveResult

from acredita.kit.http.addresses import Address, is_public
from acredita.kit.http.errors import ForbiddenAddress

# A name whose servers never answer holds a thread, one however often it is asked for; and so many
# names at a time has no process to call.
THREADS = 128
SEPARATORS = re.compile(r"[\s,=]+")


class VettingResolver(AbstractResolver):
    """Asks the system's resolver anew, and keeps no answer.

    Those who ask for a name while it is being asked for share the answer.

    `overrides` is a file of lines `name address address ...`, read at each question; a name that
    stands there without an address does not resolve. Names that it does not list go to the system.
    """

    def __init__(self, *, allow_private: bool, overrides: Path | None = None) -> None:
        self._allow_private = allow_private
        self._overrides = overrides
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="resolve")
        self._asking: dict[str, asyncio.Future[list[Address]]] = {}

    async def addresses(self, host: str) -> list[Address]:
        """At least one address. Raise OSError if there is none, ForbiddenAddress for a bad one."""
        asking = self._asking.get(host)
        if asking is None:
            loop = asyncio.get_running_loop()
            asking = loop.run_in_executor(self._threads, self._look_up, host)
            self._asking[host] = asking
            asking.add_done_callback(partial(self._answered, host))
        # Who loses patience leaves the question to the others, and to those who come later.
        found = await asyncio.shield(asking)
        if not self._allow_private and not all(map(is_public, found)):
            raise ForbiddenAddress("leads to an address that is not public")
        return found

    def _answered(self, host: str, asking: asyncio.Future[list[Address]]) -> None:
        del self._asking[host]
        if not asking.cancelled():
            asking.exception()  # noted, should nobody wait for it any more

    async def resolve(
        self,
        host: str,
        port: int = 0,
        family: socket.AddressFamily = socket.AF_UNSPEC,  # noqa: ARG002 (all families are dialled)
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
