"""Metrics and traces of a process (API or worker)."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from acredita.kit import tracing
from acredita.kit.metrics import Metric, gauges, server
from acredita.kit.metrics.exposition import Exposition, Source
from acredita.ports import MetricSources
from acredita.resources.admin.gauges import of_work
from acredita.settings import Settings


def exposition_of(services: MetricSources) -> Exposition:
    return Exposition(
        of_work(services.database),
        _connections(services),
        token=services.settings.metrics_token.get_secret_value(),
    )


def _connections(services: MetricSources) -> Source:
    """Gauges of this process's PostgreSQL connection pools."""

    async def collect() -> Sequence[Metric]:
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

    return collect


def _answers() -> bool:
    """The default: a process that answers is healthy."""
    return True


@asynccontextmanager
async def serving_metrics(
    settings: Settings, exposition: Exposition, *, works: Callable[[], bool] = _answers
) -> AsyncIterator[None]:
    """Serve metrics and health on METRICS_PORT, if it is set."""
    if not settings.metrics_port:
        yield
        return
    async with server.serve(settings.metrics_host, settings.metrics_port, exposition, works=works):
        yield


def exporting_traces(settings: Settings, process: str) -> AbstractAsyncContextManager[None]:
    """Export the traces of a process to the collector, if one is configured."""
    headers = settings.otel_exporter_otlp_headers.get_secret_value()
    pairs = (pair.partition("=") for pair in headers.split(",") if pair.strip())
    return tracing.exporting(
        process,
        endpoint=settings.otel_exporter_otlp_endpoint,
        headers={name.strip(): value.strip() for name, _, value in pairs},
        ratio=settings.otel_traces_ratio,
    )
