"""RFC 3161 timestamps: proof by a third party that a digest existed at a point in time."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from acredita.kit.http import HttpClient, HttpError
from acredita.kit.http.urls import parse_target
from acredita.providers.timestamps.none import NoTimestamps
from acredita.providers.timestamps.protocol import (
    Timestamp,
    TimestampAuthority,
    TimestampError,
    TimestampRefused,
    TimestampUnavailable,
)
from acredita.providers.timestamps.sandbox import SandboxTimestamps


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
    """Open the authority at `url`. Without a URL, the sandbox, with keys in `development_folder`.

    With the URL `none`, an authority that refuses all.

    `timeout`: seconds for one exchange. `ca_file`: additional CA certificates for TLS. `trusted`:
    PEM file of the root certificates for tokens. Raise ValueError for an invalid URL.
    """
    if url == "none":
        yield NoTimestamps()
        return
    if not url:
        yield SandboxTimestamps(development_folder)
        return
    try:
        parse_target(url, allow_private=True)
    except HttpError:
        raise ValueError("the timestamp authority needs an http or https URL") from None
    # Imported here: pyHanko costs a second and 30 MB, and only processes that sign need it.
    from acredita.providers.timestamps.http import HttpTimestamps  # noqa: PLC0415

    async with HttpClient(timeout=timeout, allow_private=True, ca_file=ca_file) as http:
        yield HttpTimestamps(http, url=url, username=username, password=password, trusted=trusted)
