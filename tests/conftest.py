"""What every test may ask for: PostgreSQL, Redis, the whole application, two organizations.

Servers are the ones that ACREDITA_DATABASE_URL and ACREDITA_REDIS_URL name, else embedded ones that
live as long as the run. Each worker of a parallel run has a database and a Redis index of its own;
a test that asks for `services` finds both empty.
"""

import asyncio
import atexit
import gc
import json
import os
import signal
import ssl
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any, NoReturn

import asyncpg
import httpx
import hypothesis
import pytest
import redis.asyncio
import structlog
import uvloop
from fastapi import FastAPI
from httpx._transports import asgi, default
from hypothesis.internal.conjecture import providers
from sqlalchemy.engine import URL, make_url
from starlette.routing import BaseRoute

from acredita import main
from acredita.api.openapi import document
from acredita.api.routing import reserve_fixed_paths
from acredita.domain import steps
from acredita.embedded import temporary_servers
from acredita.kit import password_hashing
from acredita.kit.logging import exception_without_message, redact
from acredita.kit.migrations import upgrade
from acredita.main import create_app
from acredita.models import Base
from acredita.services import Services, open_services
from acredita.settings import Environment, Settings
from tests import (
    compiled_statements,
    drawn_faces,
    forked_workers,
    kept_in_run,
    one_connection,
    tenancy,
    warm_connections,
    warm_processes,
)
from tests.factories.organizations import Member
from tests.factories.receiver import Authority, make_authority
from tests.factories.repeated_organizations import Registrations

# Until the tests are collected: little that is imported becomes garbage.
gc.disable()
PROJECT = Path(__file__).parents[1]
FAST = 100_000
# The service has more, an application that a test makes up has fewer.
SOME_ROUTES = 100
# The name of a database of the run, on servers that end with it: migrated once for all processes.
MIGRATED = "TESTS_MIGRATED_DATABASE"
PRODUCTION_HASHER = password_hashing._HASHER
_servers = ExitStack()
# Speed is measured in benchmarks; here, a busy machine would fail.
# The same examples in each run: a change is refused for what it broke, not for what chance found.
PROPERTIES = hypothesis.settings(deadline=None, derandomize=True)
hypothesis.settings.register_profile("acredita", PROPERTIES, max_examples=25)
# Of `make thorough`, which runs all tests of properties.
hypothesis.settings.register_profile("thorough", PROPERTIES, max_examples=200)
hypothesis.settings.load_profile("acredita")
# What tests leave is a few rows in a few tables: deleting them takes a hundredth of what TRUNCATE
# takes for all tables (0.2 s). As a replica, so that neither foreign keys nor the triggers of
# append-only tables object.
EMPTY_TABLES = f"""
DO $$ DECLARE name text; is_filled boolean; BEGIN
    SET LOCAL session_replication_role = replica;
    FOREACH name IN ARRAY ARRAY{[table.name for table in Base.metadata.sorted_tables]} LOOP
        EXECUTE format('SELECT EXISTS (SELECT FROM %I)', name) INTO is_filled;
        IF is_filled THEN EXECUTE format('DELETE FROM %I', name); END IF;
    END LOOP;
END $$
"""  # noqa: S608 (our own names)
# The same in a statement that a connection plans once: a tenth of the time.
FILLED_TABLES = " UNION ALL ".join(
    f"SELECT '{table.name}' WHERE EXISTS (SELECT FROM \"{table.name}\")"  # noqa: S608
    for table in Base.metadata.sorted_tables
)


# When the plugins have said which marks they know: the tests are imported here.
@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    # A run in the background inherits ignored signals, which the children of tests would ignore.
    # In place of Python's own handler, asyncio would set one for each fixture and each test, and
    # take it away: a tenth of what it takes to open the application.
    signal.signal(signal.SIGINT, interrupt)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    # More processes would load the models once more for each test with a worker.
    os.environ.setdefault("ACREDITA_ENGINE_PROCESSES", "1")
    os.environ.setdefault("ACREDITA_ENGINE_THREADS", "2")
    is_parallel = config.getoption("dist", "no") != "no" and not config.option.collectonly
    if is_parallel and sys.platform == "linux":  # elsewhere, xdist starts interpreters
        _servers.callback(forked_workers.install(config))
        gc.enable()
    else:
        prepare_process(config)
    is_worker_of_parallel_run = hasattr(config, "workerinput")
    if not is_worker_of_parallel_run:
        os.environ[kept_in_run.FOLDER] = _servers.enter_context(TemporaryDirectory())
    if is_worker_of_parallel_run or "ACREDITA_DATABASE_URL" in os.environ:
        return
    os.environ.update(_servers.enter_context(temporary_servers()).environment())
    os.environ[MIGRATED] = "acredita_migrated"


def prepare_process(config: pytest.Config) -> None:
    """Change what a process that runs tests would do again and again."""
    if config.getoption("hypothesis_profile") != "thorough":
        # From the sources of all modules that are loaded: each process reads them for seconds, and
        # the examples depend on the modules.
        providers._get_local_constants = lambda: providers._local_constants
    # As in production: no message, no local variable of an exception is rendered.
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            exception_without_message,
            redact,
            structlog.processors.JSONRenderer(),
        ],
        # Not to sys.stderr: commands are run in this process, and what they print is read. A test
        # reads the log with `capfd`.
        logger_factory=lambda *_: structlog.PrintLogger(sys.__stderr__),
    )
    # The transport of `client` would look for a package of trio's with each request.
    asgi.is_running_trio = lambda: False
    # No server of the tests is certified by public authorities. Parsing theirs takes 50 ms for each
    # context.
    ssl.SSLContext.load_default_certs = lambda *_: None  # type: ignore[assignment,method-assign]
    default.create_ssl_context = lru_cache(default.create_ssl_context)
    tenancy.install()
    one_connection.install()
    warm_processes.install()
    warm_connections.install()
    compiled_statements.install()
    drawn_faces.install()


def interrupt(_signal: int, _frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt


def pytest_xdist_auto_num_workers() -> int:
    """Two more than the cores: half of the time, a test waits for a process or a moment."""
    return len(os.sched_getaffinity(0)) + 2


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put files with slow tests first: no process of a parallel run works alone at the end."""
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()
    # Only at the end of the process: pytest searches five times for what tests left.
    atexit.register(gc.unfreeze)
    gc.set_threshold(20_000, 20, 100)
    gc.enable()


@pytest.fixture(autouse=True)
def logging_stays_as_it_was() -> Iterator[None]:
    """A test that changes the logging of the process would silence the tests that follow it."""
    before = structlog.get_config()
    yield
    after = structlog.get_config()
    structlog.configure(**before)
    assert after == before


@pytest.fixture(autouse=True)
def every_statement_is_of_the_callers_organization() -> Iterator[None]:
    tenancy.violations.clear()
    yield
    assert not tenancy.violations, "\n".join(tenancy.violations)


@pytest.fixture(autouse=True)
def every_task_holds_one_connection_at_most() -> Iterator[None]:
    one_connection.violations.clear()
    yield
    assert not one_connection.violations, "\n".join(one_connection.violations)


def pytest_unconfigure() -> None:
    warm_processes.close()
    _servers.close()


def test_data(*parts: str) -> Path:
    """A file of the shared test data; without that folder the test is skipped and says so."""
    folder = Path(os.environ.get("ACREDITA_TEST_DATA", PROJECT.parent / "shared" / "data"))
    path = folder.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"test data {'/'.join(parts)} is absent (ACREDITA_TEST_DATA)")
    return path


@pytest.fixture(scope="session")
def _asyncio_loop_factory() -> Callable[[], asyncio.AbstractEventLoop]:
    """The loop of production. By pytest-asyncio's hook, which makes it a parameter of the tests,
    each test without a loop would close what is open for the session."""
    return uvloop.new_event_loop


@pytest.fixture(scope="session", autouse=True)
def cheap_passwords() -> Iterator[None]:
    """Hash passwords at the lowest cost: most tests register an organization or two."""
    with pytest.MonkeyPatch.context() as patch:
        cheap = PRODUCTION_HASHER.using(memory_cost=64, rounds=1)
        patch.setattr(password_hashing, "_HASHER", cheap)
        yield


@pytest.fixture(scope="session", autouse=True)
def paths_reserved_once() -> Iterator[None]:
    """All applications have the same routes, and what is reserved in them stays."""
    known: dict[tuple[int, ...], Sequence[BaseRoute]] = {}

    def reserve(routes: Sequence[BaseRoute]) -> None:
        key = tuple(id(route) for route in routes)
        if key not in known:
            reserve_fixed_paths(routes)
            known[key] = tuple(routes)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(main, "reserve_fixed_paths", reserve)
        yield


@pytest.fixture(scope="session", autouse=True)
def described_once() -> Iterator[None]:
    """All applications of the same routes and types of steps have the same description, which takes
    seconds to make: also those of the run's other processes."""
    known: dict[tuple[Any, ...], dict[str, Any]] = {}
    make = document._describe

    def describe(app: FastAPI) -> dict[str, Any]:
        key = (*steps.types(), *(id(route) for route in app.routes))
        if key not in known:
            known[key] = describe_for_run(app) if len(app.routes) > SOME_ROUTES else make(app)
        return known[key]

    def describe_for_run(app: FastAPI) -> dict[str, Any]:
        routes = [*steps.types(), *(getattr(route, "path", "") for route in app.routes)]
        key = b"description", repr(routes).encode()
        description = kept_in_run.find(*key)
        if description is None:
            description = json.dumps(make(app)).encode()
            kept_in_run.keep(description, *key)
        return json.loads(description)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(document, "_describe", describe)
        yield


@pytest.fixture(scope="session")
def worker_number(worker_id: str) -> int:
    return 0 if worker_id == "master" else int(worker_id.removeprefix("gw")) + 1


@pytest.fixture(scope="session")
def database_url(worker_number: int) -> Iterator[str]:
    """A migrated database of this worker's own."""
    server = make_url(os.environ["ACREDITA_DATABASE_URL"])
    name = f"acredita_test_{os.getpid()}_{worker_number}"
    admin = plain_url(server)
    url = server.set(database=name).render_as_string(hide_password=False)
    if pattern := os.environ.get(MIGRATED):
        asyncio.run(copy_migrated(server, pattern, name))
    else:
        asyncio.run(on_server(admin, f'CREATE DATABASE "{name}"'))
        upgrade(url)
    # An organization's first key, that is; those that a test makes have the rate it asks for.
    without_limit = "ALTER TABLE api_key ALTER COLUMN rate_limit SET DEFAULT 0"
    asyncio.run(on_server(plain_url(url), without_limit))
    yield url
    asyncio.run(on_server(admin, f'DROP DATABASE "{name}" WITH (FORCE)'))


async def copy_migrated(server: URL, pattern: str, name: str) -> None:
    """Copy the migrated database; the first process of a run that wants it makes it."""
    connection = await asyncpg.connect(plain_url(server))
    try:
        await connection.execute("SELECT pg_advisory_lock(1)")
        found = await connection.fetchval("SELECT 1 FROM pg_database WHERE datname = $1", pattern)
        if not found:
            await connection.execute(f'CREATE DATABASE "{pattern}"')
            url = server.set(database=pattern).render_as_string(hide_password=False)
            await asyncio.to_thread(upgrade, url)
        # Through the log, PostgreSQL would copy ten times as long.
        copied = f'CREATE DATABASE "{name}" TEMPLATE "{pattern}" STRATEGY FILE_COPY'
        await connection.execute(copied)
    finally:
        await connection.close()


def plain_url(url: str | URL) -> str:
    return make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)


async def on_server(url: str, statement: str) -> None:
    connection = await asyncpg.connect(url)
    try:
        await connection.execute(statement)
    finally:
        await connection.close()


@pytest.fixture(scope="session")
def settings_of_worker(database_url: str, worker_number: int) -> Settings:
    """What all tests share of the settings: reading them takes longer than many a test."""
    redis_url = os.environ["ACREDITA_REDIS_URL"].rstrip("/")
    base = redis_url if redis_url.count("/") == 2 else redis_url.rpartition("/")[0]
    return Settings(
        _env_file=None,
        env=Environment.TEST,
        database_url=database_url,
        # The upper half of the usual sixteen: a developer's own Redis keeps its index 0.
        redis_url=f"{base}/{8 + worker_number % 8}",
        base_url="http://test",
        webhook_allow_private=True,
        database_pool_size=4,
        # Tests ask faster than customers; those of the limits set their own.
        org_rate_limit=FAST,
        org_rate_burst=FAST,
        ip_rate_limit=FAST,
        ip_rate_burst=FAST,
    )


@pytest.fixture
def settings(settings_of_worker: Settings, tmp_path: Path) -> Settings:
    return settings_of_worker.model_copy(update={"data_dir": tmp_path})


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    """A certificate authority of the test's receivers."""
    return make_authority(tmp_path)


@pytest.fixture(scope="session")
async def redis_of_worker(settings_of_worker: Settings) -> AsyncIterator[redis.asyncio.Redis]:
    async with redis.asyncio.from_url(settings_of_worker.redis_url) as client:
        yield client


@pytest.fixture
async def empty_redis(redis_of_worker: redis.asyncio.Redis) -> None:
    """Delete what the test before left: its limits hold for this test's address as well."""
    await redis_of_worker.flushdb()


@pytest.fixture(scope="session", autouse=True)
async def loop_of_tests() -> asyncio.AbstractEventLoop:
    """One loop for all tests of a worker: what is kept open from test to test belongs to it."""
    return asyncio.get_running_loop()


@pytest.fixture(autouse=True)
def no_task_outlives_its_test(loop_of_tests: asyncio.AbstractEventLoop) -> Iterator[None]:
    """Cancel what a test left running, as the end of a loop of its own would."""
    yield
    if left := asyncio.all_tasks(loop_of_tests):
        for task in left:
            task.cancel()
        loop_of_tests.run_until_complete(asyncio.gather(*left, return_exceptions=True))


@pytest.fixture(scope="session")
async def kept_connections(database_url: str) -> AsyncIterator[None]:
    database = make_url(database_url).database
    assert database is not None
    warm_connections.keep_for(database, asyncio.get_running_loop())
    yield
    await warm_connections.close()


@pytest.fixture(scope="session")
async def emptying(database_url: str) -> AsyncIterator[asyncpg.Connection]:
    """A connection that is always a replica's: to become one, a session forgets all its plans."""
    terms = {"session_replication_role": "replica", "application_name": "empties tables"}
    connection = await asyncpg.connect(plain_url(database_url), server_settings=terms)
    yield connection
    await connection.close()


async def empty_tables(connection: asyncpg.Connection) -> None:
    if filled := await connection.fetch(FILLED_TABLES):
        # S608: our own names.
        await connection.execute(";".join(f'DELETE FROM "{name}"' for (name,) in filled))  # noqa: S608


@pytest.fixture
async def emptied_tables(emptying: asyncpg.Connection) -> None:
    await empty_tables(emptying)


@pytest.fixture
async def services(
    settings: Settings, empty_redis: None, emptied_tables: None, kept_connections: None
) -> AsyncIterator[Services]:
    """Open services over an empty database and an empty Redis."""
    async with open_services(settings) as opened:
        yield opened


@pytest.fixture
async def app(services: Services) -> AsyncIterator[FastAPI]:
    """The application over the same services: as fast again to open, and one clock for both."""

    @asynccontextmanager
    async def opened(_settings: Settings) -> AsyncIterator[Services]:
        yield services

    app = create_app(services.settings, services_opener=opened)
    async with app.router.lifespan_context(app):
        yield app


@pytest.fixture
async def client(app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    """Speaks to the whole application, middleware included; no caller is known yet."""
    transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
        yield client


@pytest.fixture(scope="session")
def registrations(emptying: asyncpg.Connection, settings_of_worker: Settings) -> Registrations:
    return Registrations(emptying, settings_of_worker)


@pytest.fixture
async def banco(client: httpx.AsyncClient, app: FastAPI, registrations: Registrations) -> Member:
    """An organization, seen through its first API key (ADMIN)."""
    return await registrations.register(client, app, "Banco Uno")


@pytest.fixture
async def rival(client: httpx.AsyncClient, app: FastAPI, registrations: Registrations) -> Member:
    """Another organization, which must never see anything of the first."""
    return await registrations.register(client, app, "Caja Dos")
