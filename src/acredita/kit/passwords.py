"""Password hashes: Argon2id through the passlib interface, off the event loop.

An executor of two threads: each hash takes 19 MiB and tens of milliseconds, so that a burst of
logins must neither stop the loop nor fill the memory. Argon2id rather than bcrypt: passwords run
to 128 characters, bcrypt stops at 72 bytes.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from passlib.hash import argon2

Result = TypeVar("Result")

# OWASP's password storage guidance: 19 MiB, two passes, one lane.
_HASHER = argon2.using(type="ID", memory_cost=19 * 1024, rounds=2, parallelism=1)
# The hash of no password, with the cost of one of ours: what is verified where there is no account.
_NOBODY = "$argon2id$v=19$m=19456,t=2,p=1$" + "A" * 22 + "$" + "A" * 43
# About two seconds' work. Whoever comes then would wait longer than people do.
MOST_WAITING = 100


class TooManyPasswords(Exception):
    """More passwords are waiting for the processor than will be served in time."""


class Passwords:
    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(max_workers=2, thread_name_prefix="password")
        self._waiting = 0

    async def hash(self, password: str) -> str:
        """Raise TooManyPasswords when too many wait already."""
        return await self._run(_HASHER.hash, password)

    async def verify(self, password: str, hashed: str | None) -> bool:
        """Whether the password has this hash; None is the hash of nothing, at the same cost.

        Raise TooManyPasswords when too many wait already.
        """
        matches = await self._run(_HASHER.verify, password, hashed or _NOBODY)
        return matches and hashed is not None

    def is_outdated(self, hashed: str) -> bool:
        """Whether a hash was made at another cost than is asked for now."""
        return bool(_HASHER.needs_update(hashed))

    async def _run(self, work: Callable[..., Result], *arguments: str) -> Result:
        if self._waiting >= MOST_WAITING:
            raise TooManyPasswords
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work, *arguments)
        finally:
            self._waiting -= 1

    def close(self) -> None:
        self._threads.shutdown(cancel_futures=True)
