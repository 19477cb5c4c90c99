"""Health endpoints. They return 200 while the process answers; the body says what is down
(DECISIONS)."""

import asyncio
from datetime import datetime
from typing import Literal

from starlette.requests import Request

from acredita.api.dependencies import ServicesDep
from acredita.api.permissions import public
from acredita.api.rate_limits import unlimited
from acredita.api.routing import make_router
from acredita.jobs import Queue
from acredita.resources.health import service
from acredita.resources.health.schemas import Component, EngineHealth, FullHealth, Health

router = make_router("", tag="System")


@router.get("/health", summary="Get the health of this process")
@public
@unlimited
async def health(request: Request, services: ServicesDep) -> Health:
    """200 while the process answers, also without Redis; `redis` says so. No rate limit applies."""
    redis = await service.probe(service.cache(services.redis))
    return Health(
        status=_overall(redis),
        uptime=_uptime(request, services.clock.now()),
        timestamp=services.clock.now(),
        redis="up" if redis.status == "up" else "down",
    )


@router.get("/health/services", summary="Get the health of the engines and providers")
@public
async def engine_health(services: ServicesDep) -> EngineHealth:
    """200 while the process answers; the body says which component is down or not configured."""
    text_recognition, government = await asyncio.gather(
        service.probe(service.workers(services.database, Queue.ENGINES)),
        service.probe_registries(services.settings, services.government),
    )
    face = text_recognition if service.has_face_models(services.settings) else service.ABSENT
    return EngineHealth(
        status=_overall(text_recognition, government),
        text_recognition=text_recognition,
        face=face,
        government_bridge=government,
        synthetic_id_generator=service.synthetic_generator(),
        timestamp=services.clock.now(),
    )


@router.get("/v1/health/full", summary="Get the health of all dependencies")
@public
async def full_health(request: Request, services: ServicesDep) -> FullHealth:
    """Probes PostgreSQL, Redis, storage, the workers and the registries. 200 while the process
    answers; the body says what is down.
    """
    database, redis, storage, workers, government = await asyncio.gather(
        service.probe(service.database(services.database)),
        service.probe(service.cache(services.redis)),
        service.probe(service.storage(services.storage)),
        service.probe(service.workers(services.database, Queue.LIGHT)),
        service.probe_registries(services.settings, services.government),
    )
    return FullHealth(
        status=_overall(database, redis, storage, workers, government),
        uptime=_uptime(request, services.clock.now()),
        timestamp=services.clock.now(),
        database=database,
        redis=redis,
        storage=storage,
        workers=workers,
        government_bridge=government,
    )


def _uptime(request: Request, now: datetime) -> float:
    started_at: datetime = request.app.state.started_at
    return round((now - started_at).total_seconds(), 3)


def _overall(*components: Component) -> Literal["ok", "degraded"]:
    return "degraded" if any(component.status == "down" for component in components) else "ok"
