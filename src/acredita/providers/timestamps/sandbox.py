"""A time-stamping authority within the process: real tokens, by which nobody is bound.

Whoever operates the service holds its key, and could write any time into them.
"""

import asyncio
from pathlib import Path

from acredita.providers.timestamps.protocol import Timestamp


class SandboxTimestamps:
    is_sandbox = True

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def stamp(self, digest: bytes) -> Timestamp:
        return await asyncio.to_thread(_stamp, self._folder, digest)


def _stamp(folder: Path, digest: bytes) -> Timestamp:
    # pyHanko costs a second and 30 MB: a process that never signs does without.
    from acredita.providers.timestamps.local import LocalAuthority  # noqa: PLC0415

    return LocalAuthority(folder).stamp(digest)
