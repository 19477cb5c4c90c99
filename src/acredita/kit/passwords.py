"""Password hashes: Argon2id through the passlib interface, off the event loop.

An executor of two threads: each hash takes 19 MiB and tens of milliseconds, so that a burst of
logins must neither stop the loop nor fill the memory. Argon2id rather than bcrypt: passwords run
to 128 characters, bcrypt stops at 72 bytes.
"""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from passlib.hash import argon2

# OWASP's password storage guidance: 19 MiB, two passes, one lane.
_HASHER = argon2.using(type="ID", memory_cost=19 * 1024, rounds=2, parallelism=1)


class Passwords:
    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(max_workers=2, thread_name_prefix="password")

    async def hash(self, password: str) -> str:
        return await asyncio.get_running_loop().run_in_executor(
            self._threads, _HASHER.hash, password
        )

    def close(self) -> None:
        self._threads.shutdown(cancel_futures=True)
