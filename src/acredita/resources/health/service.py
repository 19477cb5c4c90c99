"""Probes of the service's dependencies. Each takes at most `PROBE_TIMEOUT` seconds."""

import asyncio
import importlib.util
from collections.abc import Awaitable

from sqlalchemy import text

from acredita.engines.face import model_folder as models
from acredita.jobs import Queue
from acredita.resources.health.schemas import Component
from acredita.services import Services

PROBE_TIMEOUT = 2.0
ABSENT = Component(status="absent", detail="not part of this installation")


async def probe(check: Awaitable[str | None]) -> Component:
    """`up` with the detail that the check returns; `down` with the error's class if it raises."""
    try:
        async with asyncio.timeout(PROBE_TIMEOUT):
            return Component(status="up", detail=await check)
    except Exception as fault:
        return Component(status="down", detail=type(fault).__name__)


async def database(services: Services) -> str | None:
    async with services.database.reading() as connection:
        await connection.execute(text("SELECT 1"))
    return None


async def cache(services: Services) -> str | None:
    await services.redis.ping()
    return None


async def storage(services: Services) -> str | None:
    await services.storage.exists("health/probe")
    return None


async def government(services: Services) -> str | None:
    await services.government.probe()
    return services.government.name


async def workers(services: Services, queue: Queue) -> str | None:
    """Count the workers that serve `queue` by the application name of their database sessions.

    Raise LookupError if there is none.
    """
    alive = text(
        "SELECT count(DISTINCT application_name) FROM pg_stat_activity"
        " WHERE datname = current_database() AND application_name LIKE :name"
    )
    async with services.database.reading() as connection:
        count = await connection.scalar(alive, {"name": f"acredita worker%{queue}%"})
    if not count:
        raise LookupError
    return f"{count} worker processes"


def has_face_models(services: Services) -> bool:
    """Whether the face models are installed, so that workers can compare faces."""
    return models.available(services.settings.face_models)


def synthetic_generator() -> Component:
    is_installed = importlib.util.find_spec("acredita_synthetic") is not None
    return Component(status="up", detail=None) if is_installed else ABSENT
