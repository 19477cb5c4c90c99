"""Time stamps by RFC 3161: proof by a third party that a digest existed at a moment."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from acredita.kit.http import HttpClient, HttpError
from acredita.kit.http.targets import parse_target
from acredita.providers.timestamps.protocol import (
    Timestamp,
    TimestampAuthority,
    TimestampError,
    TimestampRefused,
    TimestampUnavailable,
)
from acredita.providers.timestamps.sandbox import SandboxTimestamps

__all__ = [
    "SandboxTimestamps",
    "Timestamp",
    "TimestampAuthority",
    "TimestampError",
    "TimestampRefused",
    "TimestampUnavailable",
    "open_timestamps",
]


@asynccontextmanager
async def open_timestamps(
    url: str,
    *,
    development_folder: Path,
    username: str = "",
    password: str = "",
    timeout: float = 10.0,
    ca_file: Path | None = None,
    trusted: Path | None = None,
) -> AsyncIterator[TimestampAuthority]:
    """The authority at `url`; without one, the sandbox, whose keys are in `development_folder`.

    `timeout` is in seconds and covers one exchange. `ca_file` adds a trusted authority for TLS;
    `trusted` is a PEM file of the certificates that a token's chain must lead to. Raise ValueError
    for an address that is none.
    """
    if not url:
        yield SandboxTimestamps(development_folder)
        return
    try:
        parse_target(url, allow_private=True)
    except HttpError:
        raise ValueError("the time-stamping authority needs an http or https address") from None
    # As in `sandbox`: pyHanko is only for those who sign.
    from acredita.providers.timestamps.http import HttpTimestamps  # noqa: PLC0415

    async with HttpClient(timeout=timeout, allow_private=True, ca_file=ca_file) as http:
        yield HttpTimestamps(http, url=url, username=username, password=password, trusted=trusted)
