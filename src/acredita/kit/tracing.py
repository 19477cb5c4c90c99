"""OpenTelemetry traces, exported as OTLP over HTTP. Off outside `exporting`, at no cost.

A row stores a `traceparent` (W3C Trace Context), from which another process continues the trace.
Spans carry kinds, route templates, statuses and our ids: no personal data, no exception messages.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer

Value = str | int | float | bool
Kind = Literal["server", "consumer", "client", "internal"]

# The standard environment variables of OpenTelemetry's exporter.
STANDARD: Final = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
# Seconds for one export, so also for the last export when a process stops.
EXPORT_TIMEOUT: Final = 5.0
NOTHING: Final[AbstractContextManager[None]] = nullcontext()

_tracer: "Tracer | None" = None


def environment_names_endpoint() -> bool:
    """Whether one of OpenTelemetry's own variables names a collector."""
    return any(os.environ.get(name) for name in STANDARD)


@asynccontextmanager
async def exporting(
    service: str, *, endpoint: str, headers: Mapping[str, str], ratio: float
) -> AsyncIterator[None]:
    """Sample this ratio (0 to 1) of new traces and send them to the collector at `endpoint`.

    Without an endpoint, here or in the environment, tracing stays off. When the block ends, a
    thread sends the remaining spans, for at most EXPORT_TIMEOUT seconds.
    """
    global _tracer  # noqa: PLW0603 (tracing is global to a process, like logging)
    if not endpoint and not environment_names_endpoint():
        yield
        return
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import (  # noqa: PLC0415
        OTLPSpanExporter,
    )
    from opentelemetry.sdk.resources import Resource  # noqa: PLC0415
    from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
    from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415
    from opentelemetry.sdk.trace.sampling import ParentBasedTraceIdRatio  # noqa: PLC0415

    exporter = OTLPSpanExporter(
        f"{endpoint.rstrip('/')}/v1/traces" if endpoint else None,
        headers=dict(headers) or None,
        timeout=EXPORT_TIMEOUT,
    )
    provider = TracerProvider(
        sampler=ParentBasedTraceIdRatio(ratio),
        resource=Resource.create({"service.name": service}),
        shutdown_on_exit=False,
    )
    provider.add_span_processor(BatchSpanProcessor(exporter))
    _tracer = provider.get_tracer("acredita")
    try:
        yield
    finally:
        _tracer = None
        await asyncio.to_thread(provider.shutdown)


def is_on() -> bool:
    return _tracer is not None


def begun(name: str, kind: Kind, **attributes: Value) -> "AbstractContextManager[Any]":
    """Start a span as a child of the current span, or as the root of a new trace."""
    return NOTHING if _tracer is None else _SpanContext(_tracer, name, kind, None, attributes)


def continued(
    traceparent: str | None, name: str, kind: Kind, **attributes: Value
) -> "AbstractContextManager[Any]":
    """Start a span in the trace of a stored traceparent. No span if it is None."""
    if _tracer is None or traceparent is None:
        return NOTHING
    return _SpanContext(_tracer, name, kind, traceparent, attributes)


def within(name: str, **attributes: Value) -> "AbstractContextManager[Any]":
    """Start a child of the current span. No span if there is no current one."""
    if traceparent() is None:
        return NOTHING
    return begun(name, "internal", **attributes)


def note(*, name: str | None = None, **attributes: Value) -> None:
    """Add attributes to the current span, or rename it, once its result is known."""
    if _tracer is not None:
        from opentelemetry.trace import get_current_span  # noqa: PLC0415

        span = get_current_span()
        span.set_attributes(attributes)
        if name is not None:
            span.update_name(name)


def traceparent() -> str | None:
    """The current span as a W3C traceparent, to store in a row. None without a span."""
    if _tracer is None:
        return None
    from opentelemetry.trace import get_current_span  # noqa: PLC0415

    context = get_current_span().get_span_context()
    if not context.is_valid:
        return None
    return f"00-{context.trace_id:032x}-{context.span_id:016x}-{context.trace_flags:02x}"


def log_ids() -> dict[str, str]:
    """The keys that link a log line to the current trace."""
    current = traceparent()
    return {} if current is None else {"trace_id": current.split("-")[1]}


class _SpanContext:
    """A span that is the current one inside its `with` block."""

    def __init__(
        self,
        tracer: "Tracer",
        name: str,
        kind: Kind,
        traceparent: str | None,
        attributes: Mapping[str, Value],
    ) -> None:
        self._tracer, self._name, self._kind = tracer, name, kind
        self._traceparent, self._attributes = traceparent, attributes

    def __enter__(self) -> "Span":
        from opentelemetry import context, trace  # noqa: PLC0415
        from opentelemetry.trace.propagation.tracecontext import (  # noqa: PLC0415
            TraceContextTextMapPropagator,
        )

        parent = None
        if self._traceparent is not None:
            carrier = {"traceparent": self._traceparent}
            parent = TraceContextTextMapPropagator().extract(carrier, context.Context())
        self._span = self._tracer.start_span(
            self._name,
            parent,
            trace.SpanKind[self._kind.upper()],
            attributes=dict(self._attributes),
            record_exception=False,
            set_status_on_exception=False,
        )
        self._token = context.attach(trace.set_span_in_context(self._span))
        return self._span

    def __exit__(
        self,
        kind: type[BaseException] | None,
        _fault: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        from opentelemetry import context  # noqa: PLC0415
        from opentelemetry.trace import StatusCode  # noqa: PLC0415

        context.detach(self._token)
        if kind is not None:
            # Only the class: exception messages may contain personal data.
            self._span.set_attribute("error.type", f"{kind.__module__}.{kind.__qualname__}")
            self._span.set_status(StatusCode.ERROR)
        self._span.end()
