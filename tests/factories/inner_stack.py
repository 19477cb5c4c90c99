"""The API on a port and a worker, in a thread of this process.

For tests that need a running service and not its processes: each process would import the service
and load the engines once more, for seconds of the processor. All stacks of a run share one thread,
because engine processes end with the thread that started them (`tests/warm_processes.py`).
"""

import asyncio
import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib import import_module

import uvloop

from acredita import worker
from acredita.api.server import Server, config_of
from acredita.embedded.ports import HOST
from acredita.jobs import Queue
from acredita.main import create_app
from acredita.services import open_services
from acredita.settings import Settings
from tests.factories.housekeeping import put_off_housekeeping

SECONDS = 60.0


@contextmanager
def inner_stack(settings: Settings, *, port: int, has_worker: bool = True) -> Iterator[str]:
    """Yield the base URL of a service with these settings; its database is migrated already."""
    stop, is_ready = asyncio.Event(), threading.Event()
    running = asyncio.run_coroutine_threadsafe(
        _run(settings, port, stop, is_ready, has_worker=has_worker), _loop()
    )
    running.add_done_callback(lambda _: is_ready.set())
    try:
        is_ready.wait(SECONDS)
        if running.done():
            running.result()
        yield f"http://{HOST}:{port}"
    finally:
        _loop().call_soon_threadsafe(stop.set)
        running.result(SECONDS)


def settings_from(environment: Mapping[str, str]) -> Settings:
    """The settings of a process that has these variables as well."""
    before = dict(os.environ)
    os.environ.update(environment)
    try:
        return Settings(_env_file=None)
    finally:
        os.environ.clear()
        os.environ.update(before)


@cache
def _loop() -> asyncio.AbstractEventLoop:
    loop = uvloop.new_event_loop()
    threading.Thread(target=loop.run_forever, name="inner stacks", daemon=True).start()
    return loop


async def _run(
    settings: Settings,
    port: int,
    stop: asyncio.Event,
    is_ready: threading.Event,
    *,
    has_worker: bool,
) -> None:
    app = create_app(settings)
    server = Server(config_of(app, HOST, port), app.state.subscriptions.close)
    async with asyncio.TaskGroup() as group:
        if has_worker:
            group.create_task(_work(settings, stop))
        serving = group.create_task(server.serve())
        # uvicorn has no event for it.
        while not server.started and not serving.done():  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        if not server.started:
            raise RuntimeError("the API does not start")
        is_ready.set()
        await stop.wait()
        server.should_exit = True


async def _work(settings: Settings, stop: asyncio.Event) -> None:
    for module in worker.JOB_MODULES:
        import_module(module)
    async with open_services(settings, purpose="inner worker") as services:
        await put_off_housekeeping(services)
        await worker.serve(services, tuple(Queue), stop)
