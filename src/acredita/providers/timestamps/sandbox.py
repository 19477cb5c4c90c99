"""A sandbox timestamp authority: real tokens without value as evidence.

The operator of the service has its key and could write any time into a token.
"""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from acredita.providers.timestamps.protocol import Timestamp

if TYPE_CHECKING:
    from acredita.providers.timestamps.local import LocalAuthority


class SandboxTimestamps:
    is_sandbox = True

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._opening = asyncio.Lock()
        self._authority: LocalAuthority | None = None

    async def stamp(self, digest: bytes) -> Timestamp:
        async with self._opening:
            if self._authority is None:
                self._authority = await asyncio.to_thread(_open, self._folder)
        return await asyncio.to_thread(self._authority.stamp, digest)


def _open(folder: Path) -> "LocalAuthority":
    # Imported here: pyHanko costs a second and 30 MB, and only processes that sign need it.
    from acredita.providers.timestamps.local import LocalAuthority  # noqa: PLC0415

    return LocalAuthority(folder)
