"""Records the last use of API keys: at most once a minute per key, outside the request."""

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
        self._recorded: dict[UUID, float] = {}
        self._writing: set[asyncio.Task[None]] = set()

    def note(self, key_id: UUID) -> None:
        """Record that the key is used now. Returns at once: a task writes it."""
        now = time.monotonic()
        noted = self._recorded.get(key_id)
        if noted is not None and now - noted < EVERY.total_seconds():
            return
        if len(self._recorded) >= MOST_REMEMBERED:
            self._recorded.clear()
        self._recorded[key_id] = now
        task = asyncio.create_task(self._write(key_id))
        self._writing.add(task)
        task.add_done_callback(self._writing.discard)

    async def _write(self, key_id: UUID) -> None:
        # Other processes record the same key: the condition limits all of them to one a minute.
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
            self._recorded.pop(key_id, None)
            log.warning("a key's use was not written", error=describe(fault))

    async def close(self) -> None:
        """Wait for writes in progress."""
        await asyncio.gather(*self._writing)
