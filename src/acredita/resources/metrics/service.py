"""What a process, API or worker, shows of itself, and on which port."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from acredita.kit import tracing
from acredita.kit.metrics import Metric, gauges, server
from acredita.kit.metrics.exposition import Exposition, Source
from acredita.resources.admin.gauges import of_work
from acredita.services import Services
from acredita.settings import Settings


def exposition_of(services: Services) -> Exposition:
    return Exposition(
        of_work(services),
        _connections(services),
        token=services.settings.metrics_token.get_secret_value(),
    )


def _connections(services: Services) -> Source:
    """This process's connections to PostgreSQL: the pools that it waits for."""

    async def look() -> Sequence[Metric]:
        pools = gauges("database_connections", "Open connections to PostgreSQL.", "pool", "state")
        usage = {
            "sessions": services.database.usage(),
            "reads": services.reads.usage(),
            "writes": services.writes.usage(),
        }
        for pool, (used, idle) in usage.items():
            pools.add_metric([pool, "used"], used)
            pools.add_metric([pool, "idle"], idle)
        return [pools]

    return look


def _answers() -> bool:
    """Of a process that works whenever it answers."""
    return True


@asynccontextmanager
async def watched(
    settings: Settings, exposition: Exposition, *, works: Callable[[], bool] = _answers
) -> AsyncIterator[None]:
    """Show the process on METRICS_PORT, if there is one."""
    if not settings.metrics_port:
        yield
        return
    async with server.serve(settings.metrics_host, settings.metrics_port, exposition, works=works):
        yield


def traced(settings: Settings, process: str) -> AbstractAsyncContextManager[None]:
    """Send the traces of a process to the collector, if there is one."""
    headers = settings.otel_exporter_otlp_headers.get_secret_value()
    pairs = (pair.partition("=") for pair in headers.split(",") if pair.strip())
    return tracing.exporting(
        process,
        endpoint=settings.otel_exporter_otlp_endpoint,
        headers={name.strip(): value.strip() for name, _, value in pairs},
        ratio=settings.otel_traces_ratio,
    )
