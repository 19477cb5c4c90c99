"""Probes of the service's dependencies. Each takes at most `PROBE_TIMEOUT` seconds."""

import asyncio
import importlib.util
from collections.abc import Awaitable

from redis.asyncio import Redis
from sqlalchemy import text

from acredita.engines.face import model_folder as models
from acredita.jobs import Queue
from acredita.kit.db import Database
from acredita.kit.storage import Storage
from acredita.providers.government import GovernmentRegistries
from acredita.resources.health.schemas import Component
from acredita.settings import Settings

PROBE_TIMEOUT = 2.0
ABSENT = Component(status="absent", detail="not part of this installation")


async def probe(check: Awaitable[str | None]) -> Component:
    """`up` with the detail that the check returns; `down` with the error's class if it raises."""
    try:
        async with asyncio.timeout(PROBE_TIMEOUT):
            return Component(status="up", detail=await check)
    except Exception as fault:
        return Component(status="down", detail=type(fault).__name__)


async def database(database: Database) -> str | None:
    async with database.reading() as connection:
        await connection.execute(text("SELECT 1"))
    return None


async def cache(redis: Redis) -> str | None:
    await redis.ping()
    return None


async def storage(storage: Storage) -> str | None:
    await storage.exists("health/probe")
    return None


async def probe_registries(settings: Settings, government: GovernmentRegistries) -> Component:
    """Probe the provider of registries: `absent` if they are turned off."""
    return await probe(_registries(government)) if settings.has_registries else ABSENT


async def _registries(government: GovernmentRegistries) -> str | None:
    await government.probe()
    return government.name


async def workers(database: Database, queue: Queue) -> str | None:
    """Count the workers that serve `queue` by the application name of their database sessions.

    Raise LookupError if there is none.
    """
    alive = text(
        "SELECT count(DISTINCT application_name) FROM pg_stat_activity"
        " WHERE datname = current_database() AND application_name LIKE :name"
    )
    async with database.reading() as connection:
        count = await connection.scalar(alive, {"name": f"acredita worker%{queue}%"})
    if not count:
        raise LookupError
    return f"{count} worker processes"


def has_face_models(settings: Settings) -> bool:
    """Whether the face models are installed, so that workers can compare faces."""
    return models.available(settings.face_models)


def synthetic_generator() -> Component:
    is_installed = importlib.util.find_spec("acredita_synthetic") is not None
    return Component(status="up", detail=None) if is_installed else ABSENT
