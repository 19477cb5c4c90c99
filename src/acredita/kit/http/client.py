"""The HTTP client for untrusted URLs, protected against SSRF.

It follows no redirects, ignores proxy variables of the environment, keeps no cookies and does not
decompress. It limits the size of the response and the time of the whole exchange (DNS, connection,
TLS, headers, body). It checks each address right before it connects.
"""

import asyncio
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from ipaddress import ip_address
from pathlib import Path
from typing import Self

import aiohttp
from aiohttp import http_exceptions
from aiohttp.client_reqrep import ClientRequest
from aiohttp.connector import Connection
from aiohttp.tracing import Trace

from acredita.kit.http.errors import ConnectionFailed, Fault, ForbiddenAddress, TimedOut
from acredita.kit.http.public_addresses import is_public
from acredita.kit.http.resolver import VettingResolver
from acredita.kit.http.urls import parse_target
from acredita.kit.trust import trusting

LONGEST_BODY = 64 * 1024
LONGEST_HEADER = 8 * 1024
MOST_HEADERS = 64
# Seconds. Shorter than common servers keep an idle connection (gunicorn 2 s, Node and uvicorn 5 s):
# a POST on a connection that the server is closing would count as failed.
KEEP_ALIVE = 1.0
# Seconds that `check_target` waits for DNS. A name that does not resolve in time is accepted.
CHECK_TIMEOUT = 3.0
NO_OTHER_TIMEOUT = aiohttp.ClientTimeout(total=None, sock_connect=None)


@dataclass(frozen=True, slots=True)
class Response:
    status: int
    headers: Mapping[str, str]
    # At most `longest_body` bytes as received: a Content-Encoding is not decoded.
    body: bytes
    truncated: bool

    @property
    def is_success(self) -> bool:
        return 200 <= self.status < 300


@dataclass(frozen=True, slots=True)
class Terms:
    timeout: float
    allow_private: bool
    longest_body: int


class HttpClient:
    """Create it in a running event loop; `close` it, or use it as an async context manager.

    `timeout`: seconds for a whole exchange. `longest_body`: maximum bytes read of a response.
    `allow_private`: allow http and private addresses. `ca_file`: additional trusted CAs.
    `overrides`: see VettingResolver. Every exchange opens its own connection, except in a
    `conversation`.
    """

    def __init__(
        self,
        *,
        timeout: float,
        allow_private: bool = False,
        ca_file: Path | None = None,
        overrides: Path | None = None,
        longest_body: int = LONGEST_BODY,
    ) -> None:
        self._terms = Terms(timeout, allow_private, longest_body)
        self._resolver = VettingResolver(allow_private=allow_private, overrides=overrides)
        self._trust = trusting(ca_file)
        self._session = self._open_session(keep_alive=False)

    def _open_session(self, *, keep_alive: bool) -> aiohttp.ClientSession:
        return aiohttp.ClientSession(
            connector=VettingConnector(
                allow_private=self._terms.allow_private,
                resolver=self._resolver,
                trust=self._trust,
                keep_alive=keep_alive,
            ),
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            trust_env=False,
            timeout=NO_OTHER_TIMEOUT,
            max_line_size=LONGEST_HEADER,
            max_field_size=LONGEST_HEADER,
            max_headers=MOST_HEADERS,
        )

    @asynccontextmanager
    async def conversation(self) -> AsyncIterator["Conversation"]:
        """Several exchanges with one receiver, with keep-alive connections.

        A connection is checked when it opens. Requests to other receivers never use it, even if
        the receivers share a host name.
        """
        async with self._open_session(keep_alive=True) as session:
            yield Conversation(session, self._terms)

    async def request(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
        timeout: float | None = None,
    ) -> Response:
        """Same as Conversation.request, over a new connection."""
        terms = self._terms if timeout is None else replace(self._terms, timeout=timeout)
        exchange = Conversation(self._session, terms)
        return await exchange.request(method, url, headers=headers, body=body)

    async def check_target(self, url: str) -> None:
        """Raise InvalidTarget or ForbiddenAddress for a URL that must not be registered.

        A name that does not resolve now passes: every connection checks the address again.
        """
        target = parse_target(url, allow_private=self._terms.allow_private)
        if target.literal is None and target.url.raw_host:
            try:
                async with asyncio.timeout(CHECK_TIMEOUT):
                    await self._resolver.addresses(target.url.raw_host)
            except OSError:  # TimeoutError is one
                return

    async def close(self) -> None:
        await self._session.close()
        await self._resolver.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


class Conversation:
    def __init__(self, session: aiohttp.ClientSession, terms: Terms) -> None:
        self._session = session
        self._terms = terms

    async def request(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
    ) -> Response:
        """Return the response with any status (also a redirect). Raise HttpError."""
        target = parse_target(url, allow_private=self._terms.allow_private)
        try:
            async with (
                asyncio.timeout(self._terms.timeout),
                self._session.request(
                    method,
                    target.url,
                    data=body,
                    headers={"Accept-Encoding": "identity", **(headers or {})},
                    allow_redirects=False,
                ) as response,
            ):
                content, truncated = await _bounded_body(response, self._terms.longest_body)
                return Response(response.status, response.headers, content, truncated)
        except TimeoutError as fault:
            raise TimedOut("the exchange took too long") from fault
        except (aiohttp.ClientError, OSError) as fault:
            raise ConnectionFailed(_classify(fault)) from fault


class VettingConnector(aiohttp.TCPConnector):
    """Checks the peer address of each connection before it sends the request."""

    def __init__(
        self,
        *,
        allow_private: bool,
        resolver: VettingResolver,
        trust: ssl.SSLContext,
        keep_alive: bool,
    ) -> None:
        # No connection limit: waiting for a connection would use up the exchange's time, and
        # callers limit their own concurrency.
        super().__init__(
            resolver=resolver,
            use_dns_cache=False,
            ssl=trust,
            limit=0,
            force_close=not keep_alive,
            keepalive_timeout=KEEP_ALIVE if keep_alive else None,
        )
        self._checks_peers = not allow_private

    async def connect(
        self, req: ClientRequest, traces: list[Trace], timeout: aiohttp.ClientTimeout
    ) -> Connection:
        connection = await super().connect(req, traces, timeout)
        if self._checks_peers:
            transport = connection.transport
            peer = transport.get_extra_info("peername") if transport else None
            if peer is None or not _is_public_peer(peer[0]):
                connection.close()
                raise ForbiddenAddress("connected to an address that is not public")
        return connection


@lru_cache(maxsize=1024)
def _is_public_peer(address: str) -> bool:
    return is_public(ip_address(address))


async def _bounded_body(response: aiohttp.ClientResponse, most: int) -> tuple[bytes, bool]:
    if response.content.at_eof():
        return b"", False
    content = bytearray()
    async for chunk in response.content.iter_any():
        content += chunk
        if len(content) > most:
            response.close()
            return bytes(content[:most]), True
    return bytes(content), False


def _classify(fault: Exception) -> Fault:
    match fault:
        case aiohttp.ClientConnectorDNSError():
            return Fault.DNS
        case aiohttp.ClientSSLError() | ssl.SSLError():
            return Fault.TLS
        case aiohttp.ClientConnectorError():
            return Fault.REFUSED
        case aiohttp.ClientResponseError() | aiohttp.ClientPayloadError():
            return Fault.TOO_LARGE if _is_about_length(fault) else Fault.INVALID_RESPONSE
        case _:
            return Fault.DISCONNECTED


def _is_about_length(fault: BaseException | None) -> bool:
    while fault is not None and not isinstance(fault, http_exceptions.LineTooLong):
        fault = fault.__cause__
    return fault is not None
