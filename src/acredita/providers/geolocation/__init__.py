"""Where addresses are: the operator's databases, and a sandbox."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from acredita.providers.geolocation.maxmind import Files, MaxMindGeolocation
from acredita.providers.geolocation.protocol import DatabaseRole, Geolocation, Source
from acredita.providers.geolocation.sandbox import SandboxGeolocation

__all__ = ["DatabaseRole", "Files", "Geolocation", "Source", "open_geolocation"]


@asynccontextmanager
async def open_geolocation(
    provider: str, *, files: Files, check_interval: float
) -> AsyncIterator[Geolocation]:
    """`sandbox`, or `maxmind` with the files, which are looked at every `check_interval` seconds.

    Raise ValueError for an unknown provider. A file that is not there is told of, not raised for:
    those who download databases may come after the service has started.
    """
    if provider == "sandbox":
        yield SandboxGeolocation()
        return
    if provider != "maxmind":
        raise ValueError("the geolocation provider is sandbox or maxmind")
    geolocation = MaxMindGeolocation(files, check_interval=check_interval)
    try:
        yield geolocation
    finally:
        await geolocation.close()
