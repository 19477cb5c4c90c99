"""The government's registries: RENAPO (CURP), INE (voter cards) and SAT (RFC)."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from acredita.kit.clock import Clock
from acredita.kit.http import HttpClient, HttpError
from acredita.kit.http.targets import parse_target
from acredita.providers.government.bridge import BridgeRegistries
from acredita.providers.government.protocol import (
    GovernmentRegistries,
    RegistryError,
    RegistryRefused,
    RegistryUnavailable,
    ask,
)
from acredita.providers.government.sandbox import SandboxRegistries

__all__ = [
    "GovernmentRegistries",
    "RegistryError",
    "RegistryRefused",
    "RegistryUnavailable",
    "ask",
    "open_government",
]


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
    """The provider that the settings name: `sandbox`, or `bridge` at `url` with its bearer token.

    `timeout` is in seconds and covers one whole question. `ca_file` adds a trusted authority, for
    a bridge whose certificate is the operator's own. Raises ValueError for an unknown provider, an
    address that is none, or a missing token.
    """
    if provider == "sandbox":
        yield SandboxRegistries(clock)
        return
    if provider != "bridge":
        raise ValueError("the government provider is sandbox or bridge")
    _check_bridge(url, token)
    async with HttpClient(timeout=timeout, allow_private=True, ca_file=ca_file) as http:
        yield BridgeRegistries(http, base_url=url, token=token)


def _check_bridge(url: str, token: str) -> None:
    try:
        address = parse_target(url, allow_private=True).url
    except HttpError:
        address = None
    if address is None or address.raw_query_string or "#" in url:
        raise ValueError("the government bridge needs a base address, without query or fragment")
    if not re.fullmatch("[!-~]+", token):
        raise ValueError("the government bridge needs a token of printable ASCII characters")
