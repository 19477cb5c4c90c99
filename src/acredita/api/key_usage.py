"""When an API key was last used: written at most once a minute a key, after the answer's work."""

import asyncio
import time
from datetime import timedelta
from uuid import UUID

import structlog
from sqlalchemy import func, or_, update

from acredita.kit.db import Database
from acredita.kit.logging import describe
from acredita.models import ApiKey

log = structlog.get_logger()

EVERY = timedelta(minutes=1)
MOST_REMEMBERED = 10_000


class KeyUsage:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._noted: dict[UUID, float] = {}
        self._writing: set[asyncio.Task[None]] = set()

    def note(self, key_id: UUID) -> None:
        """The key was used just now. Returns at once: no request waits for this to be written."""
        now = time.monotonic()
        noted = self._noted.get(key_id)
        if noted is not None and now - noted < EVERY.total_seconds():
            return
        if len(self._noted) >= MOST_REMEMBERED:
            self._noted.clear()
        self._noted[key_id] = now
        task = asyncio.create_task(self._write(key_id))
        self._writing.add(task)
        task.add_done_callback(self._writing.discard)

    async def _write(self, key_id: UUID) -> None:
        # Other processes note the same key: the condition keeps all of them to one a minute.
        statement = (
            update(ApiKey)
            .where(
                ApiKey.id == key_id,
                or_(ApiKey.last_used_at.is_(None), ApiKey.last_used_at <= func.now() - EVERY),
            )
            .values(last_used_at=func.now())
        )
        try:
            async with self._database.transaction() as session:
                await session.execute(statement)
        except Exception as fault:
            self._noted.pop(key_id, None)
            log.warning("a key's use was not written", error=describe(fault))

    async def close(self) -> None:
        """Wait for what is being written."""
        await asyncio.gather(*self._writing)
