"""The worker process: runs jobs until it gets a stop signal."""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from importlib import import_module

import structlog

from acredita.engines.documents.inspection_elsewhere import serving
from acredita.engines.face import model_folder as models
from acredita.jobs.arq_worker import listen, open_arq
from acredita.jobs.error_descriptions import describe
from acredita.jobs.reaper import reap_for_ever
from acredita.jobs.registry import Queue
from acredita.jobs.runner import Runner
from acredita.kit import tasks
from acredita.kit.crypto import KeyRing
from acredita.resources.metrics.service import exporting_traces, exposition_of, serving_metrics
from acredita.resources.verifications.outcome import hash_models
from acredita.services import Services, open_services
from acredita.settings import Settings

log = structlog.get_logger()

Loop = Callable[[], Awaitable[None]]

# The modules whose @job functions a worker can run.
JOB_MODULES = (
    "acredita.jobs.purge",
    "acredita.resources.admin.jobs",
    "acredita.resources.aml.jobs",
    "acredita.resources.aml.lists.jobs",
    "acredita.resources.aml.monitors.jobs",
    "acredita.resources.auth.jobs",
    "acredita.resources.sessions.jobs",
    "acredita.resources.audit.jobs",
    "acredita.resources.credit.jobs",
    "acredita.resources.esignature.jobs",
    "acredita.resources.files.deletion",
    "acredita.resources.ground_truth.jobs",
    "acredita.resources.idempotency.jobs",
    "acredita.resources.invariants.jobs",
    "acredita.resources.metamap.jobs",
    "acredita.resources.otp.jobs",
    "acredita.resources.policy_trials.jobs",
    "acredita.resources.users.jobs",
    "acredita.resources.retention.jobs",
    "acredita.resources.verifications.jobs",
    "acredita.resources.verifications.link_sending",
    "acredita.resources.webhooks.jobs",
)

# How many jobs of a queue one process runs at once. Deliveries and queries to registries mostly
# wait for other servers. Each engine job keeps one engine process busy.
PLACES = {Queue.WEBHOOKS: 64, Queue.REGISTRIES: 16, Queue.LIGHT: 16}
# Seconds before a failed loop runs again, doubled after each failure.
SHORTEST_PAUSE = 0.5
LONGEST_PAUSE = 5.0


async def run(
    settings: Settings,
    queues: Collection[Queue] = tuple(Queue),
    *,
    job_modules: Collection[str] = JOB_MODULES,
) -> None:
    """Run the jobs of these queues until SIGTERM or SIGINT."""
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    for module in job_modules:
        import_module(module)
    purpose = f"worker {os.getpid()} {','.join(queues)}"
    async with (
        exporting_traces(settings, "acredita-worker"),
        open_services(settings, purpose=purpose) as services,
        _inspecting(settings, services.keys),
    ):
        # Loading the engines takes seconds, or fails. Other jobs do not wait for them.
        await serve(
            services, queues, stop, first={Queue.ENGINES: partial(_start_engines, services)}
        )


@asynccontextmanager
async def _inspecting(settings: Settings, keys: KeyRing) -> AsyncIterator[None]:
    """Decode uploads for the API, if this worker has a port for it."""
    async with AsyncExitStack() as opened:
        if settings.inspection_port:
            host, port = settings.inspection_host, settings.inspection_port
            await opened.enter_async_context(
                serving(host, port, keys, hidden_environment="ACREDITA_")
            )
        yield


async def _start_engines(services: Services) -> None:
    starting = [services.readers.start()]
    # Without models, comparisons of faces end in review, but documents are read.
    if models.available(services.settings.face_models):
        starting.append(services.faces.start())
    await asyncio.gather(*starting, asyncio.to_thread(hash_models, services.settings))


async def serve(
    services: Services,
    queues: Collection[Queue],
    stop: asyncio.Event,
    *,
    first: Mapping[Queue, Loop] | None = None,
) -> None:
    """Run the jobs of these queues until `stop`; then let running jobs finish or return them.

    `first` must finish for a queue before its jobs are claimed. Redis only makes claims faster:
    while it is unreachable, workers poll the ledger.
    """
    settings = services.settings
    places = {queue: PLACES.get(queue, services.readers.size) for queue in queues}
    runner = Runner(services, places)
    # One client for all loops, closed after they end: a loop's own clean-up may be cancelled.
    async with open_arq(settings.redis_url) as redis:
        loops: dict[str, Loop] = {
            "reaper": partial(reap_for_ever, services, every=settings.job_lease / 3),
        }
        for queue in queues:
            taking: dict[str, Loop] = {
                f"pull.{queue}": partial(runner.pull_for_ever, queue),
                f"listener.{queue}": partial(listen, redis, runner, queue, places=places[queue]),
            }
            if first and queue in first:
                is_ready = asyncio.Event()
                loops[f"start.{queue}"] = partial(_start, first[queue], is_ready)
                taking = {name: partial(_after, is_ready, loop) for name, loop in taking.items()}
            loops |= taking
        # One task each: a cancelled `gather` would leave some of them running.
        heartbeat = asyncio.create_task(_supervise("heartbeat", runner.keep_leases))
        supervised = [asyncio.create_task(_supervise(name, loop)) for name, loop in loops.items()]
        log.info(
            "worker.started",
            queues=[queue.value for queue in queues],
            engine_processes=services.readers.size,
            engine_threads=settings.engine_threads,
        )
        try:
            async with serving_metrics(settings, exposition_of(services), works=runner.is_healthy):
                await stop.wait()
        finally:
            log.info("worker.stopping", in_flight=runner.in_flight)
            await tasks.end(*supervised)
            await runner.stop(grace=settings.worker_grace)
            await tasks.end(heartbeat)
    log.info("worker.stopped")


async def _start(first: Loop, is_ready: asyncio.Event) -> None:
    await first()
    is_ready.set()
    await asyncio.Event().wait()


async def _after(is_ready: asyncio.Event, loop: Loop) -> None:
    await is_ready.wait()
    await loop()


async def _supervise(name: str, loop: Loop) -> None:
    """Run a loop for ever, and restart it after failures of PostgreSQL and Redis."""
    pause = SHORTEST_PAUSE
    while True:
        started = time.monotonic()
        try:
            await loop()
        except Exception as fault:
            log.warning("worker.loop_failed", name=name, error=describe(fault))
        ran_well = time.monotonic() - started > LONGEST_PAUSE
        pause = SHORTEST_PAUSE if ran_well else min(pause * 2, LONGEST_PAUSE)
        await asyncio.sleep(pause)
