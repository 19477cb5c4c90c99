"""Hashes passwords with Argon2id, through passlib, off the event loop.

Two threads do the work: a hash takes 19 MiB and tens of milliseconds, and a burst of logins must
not block the event loop or exhaust the memory. Argon2id rather than bcrypt, because a password may
have 128 characters and bcrypt ignores all after 72 bytes.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from passlib.hash import argon2

Result = TypeVar("Result")

# OWASP's password storage guidance: 19 MiB, two passes, one lane.
_HASHER = argon2.using(type="ID", memory_cost=19 * 1024, rounds=2, parallelism=1)
# Verified for an unknown user, so that the timing is the same. It matches no password.
_DUMMY_HASH = "$argon2id$v=19$m=19456,t=2,p=1$" + "A" * 22 + "$" + "A" * 43
# About two seconds of work. People do not wait longer.
MAX_WAITING = 100


class TooManyPasswords(Exception):
    """Too many passwords are queued to be hashed in time."""


class Passwords:
    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(max_workers=2, thread_name_prefix="password")
        self._waiting = 0

    async def hash(self, password: str) -> str:
        """Return the encoded hash. Raise TooManyPasswords if the queue is full."""
        return await self._run(_HASHER.hash, password)

    async def verify(self, password: str, hashed: str | None) -> bool:
        """Whether the password matches the hash.

        For an unknown user, pass None: this verifies a dummy hash, so that the timing is the same,
        and returns False. Raise TooManyPasswords if the queue is full.
        """
        matches = await self._run(_HASHER.verify, password, hashed or _DUMMY_HASH)
        return matches and hashed is not None

    def is_outdated(self, hashed: str) -> bool:
        """Whether the hash has other cost parameters than the current ones."""
        return bool(_HASHER.needs_update(hashed))

    async def _run(self, work: Callable[..., Result], *arguments: str) -> Result:
        if self._waiting >= MAX_WAITING:
            raise TooManyPasswords
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work, *arguments)
        finally:
            self._waiting -= 1

    def close(self) -> None:
        self._threads.shutdown(cancel_futures=True)
