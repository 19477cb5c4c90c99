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
        of_work(services.database, services.redis),
        _connections(services),
        token=services.settings.metrics_token.get_secret_value(),
    )


def _connections(services: MetricSources) -> Source:
    """Gauges of this process's connections to PostgreSQL."""

    async def collect() -> Sequence[Metric]:
        pool = services.database.pool
        used, idle = pool.usage()
        open_ones = gauges("database_connections", "Open connections to PostgreSQL.", "state")
        open_ones.add_metric(["used"], used)
        open_ones.add_metric(["idle"], idle)
        ceiling = gauges("database_connections_ceiling", "The most that this process may open.")
        ceiling.add_metric([], pool.ceiling)
        waiting = gauges("database_connections_waiting", "Callers that wait for a connection.")
        waiting.add_metric([], pool.waiting)
        return [open_ones, ceiling, waiting]

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
