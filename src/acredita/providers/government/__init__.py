"""Government registries: RENAPO (CURP), INE (voter cards) and SAT (RFC)."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from acredita.kit.clock import Clock
from acredita.kit.http import HttpClient, HttpError
from acredita.kit.http.urls import parse_target
from acredita.providers.government.bridge import BridgeRegistries
from acredita.providers.government.none import NoRegistries
from acredita.providers.government.protocol import (
    GovernmentRegistries,
    RegistryError,
    RegistryRefused,
    RegistryUnavailable,
    ask,
)
from acredita.providers.government.sandbox import SandboxRegistries


@asynccontextmanager
async def open_government(
    provider: str,
    *,
    clock: Clock,
    url: str = "",
    token: str = "",
    timeout: float = 20.0,
    ca_file: Path | None = None,
) -> AsyncIterator[GovernmentRegistries]:
    """Open `sandbox`, `none`, or `bridge` at `url` with a bearer token.

    `timeout`: seconds for one whole exchange. `ca_file`: additional CA certificates, for a bridge
    with a private CA. Raise ValueError for an unknown provider, an invalid URL or a missing token.
    """
    if provider == "sandbox":
        yield SandboxRegistries(clock)
        return
    if provider == "none":
        yield NoRegistries()
        return
    if provider != "bridge":
        raise ValueError("the government provider must be sandbox, bridge or none")
    _check_bridge(url, token)
    async with HttpClient(timeout=timeout, allow_private=True, ca_file=ca_file) as http:
        yield BridgeRegistries(http, base_url=url, token=token)


def _check_bridge(url: str, token: str) -> None:
    try:
        address = parse_target(url, allow_private=True).url
    except HttpError:
        address = None
    if address is None or address.raw_query_string or "#" in url:
        raise ValueError("the government bridge needs a base URL without query or fragment")
    if not re.fullmatch("[!-~]+", token):
        raise ValueError("the government bridge needs a token of printable ASCII characters")
