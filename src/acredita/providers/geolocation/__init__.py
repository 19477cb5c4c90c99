"""IP geolocation: the operator's databases, or a sandbox."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from acredita.providers.geolocation.maxmind import Files, MaxMindGeolocation
from acredita.providers.geolocation.protocol import DatabaseRole, Geolocation, Source
from acredita.providers.geolocation.sandbox import SandboxGeolocation


@asynccontextmanager
async def open_geolocation(
    provider: str, *, files: Files, check_interval: float
) -> AsyncIterator[Geolocation | None]:
    """Open `sandbox`, `none` (which is None), or `maxmind`, which checks its files.

    `check_interval`: seconds between these checks. Raise ValueError for an unknown provider. A
    missing file is reported, not raised, because databases may be downloaded after the start.
    """
    if provider == "sandbox":
        yield SandboxGeolocation()
        return
    if provider == "none":
        yield None
        return
    if provider != "maxmind":
        raise ValueError("the geolocation provider must be sandbox, maxmind or none")
    geolocation = MaxMindGeolocation(files, check_interval=check_interval)
    try:
        yield geolocation
    finally:
        await geolocation.close()
