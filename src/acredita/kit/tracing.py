"""Traces, exported by OpenTelemetry (OTLP over HTTP). Off until `exporting`, and free while off.

A trace goes on in another process from a `traceparent` (W3C Trace Context) that a row keeps. Spans
carry kinds, templates, statuses and ids of ours: no personal data, no message of an exception.
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

# OpenTelemetry's own variables, which its exporter reads.
STANDARD: Final = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
# Seconds for one export, and so for the last one of a process that stops.
EXPORT_TIMEOUT: Final = 5.0
NOTHING: Final[AbstractContextManager[None]] = nullcontext()

_tracer: "Tracer | None" = None


@asynccontextmanager
async def exporting(
    service: str, *, endpoint: str, headers: Mapping[str, str], ratio: float
) -> AsyncIterator[None]:
    """Trace this share of what begins here, and send it to the collector at `endpoint`, if any.

    Whatever is not sent when the block ends is sent then, by a thread, for some seconds.
    """
    global _tracer  # noqa: PLW0603 (a process is traced or not, like it is logged)
    if not endpoint and not any(os.environ.get(name) for name in STANDARD):
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
    """A span within the present one; without one, a trace begins."""
    return NOTHING if _tracer is None else _Open(_tracer, name, kind, None, attributes)


def continued(
    traceparent: str | None, name: str, kind: Kind, **attributes: Value
) -> "AbstractContextManager[Any]":
    """A span of the trace that a row keeps; nothing where it keeps none."""
    if _tracer is None or traceparent is None:
        return NOTHING
    return _Open(_tracer, name, kind, traceparent, attributes)


def within(name: str, **attributes: Value) -> "AbstractContextManager[Any]":
    """A span within the present one, if there is one."""
    if traceparent() is None:
        return NOTHING
    return begun(name, "internal", **attributes)


def note(*, name: str | None = None, **attributes: Value) -> None:
    """Say more of the present span: what is known once its work is done."""
    if _tracer is not None:
        from opentelemetry.trace import get_current_span  # noqa: PLC0415

        span = get_current_span()
        span.set_attributes(attributes)
        if name is not None:
            span.update_name(name)


def traceparent() -> str | None:
    """The present span, for a row from which its trace goes on."""
    if _tracer is None:
        return None
    from opentelemetry.trace import get_current_span  # noqa: PLC0415

    context = get_current_span().get_span_context()
    if not context.is_valid:
        return None
    return f"00-{context.trace_id:032x}-{context.span_id:016x}-{context.trace_flags:02x}"


def log_ids() -> dict[str, str]:
    """What a log line says of the present trace."""
    present = traceparent()
    return {} if present is None else {"trace_id": present.split("-")[1]}


class _Open:
    """A span that is the present one while its block lasts."""

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
            # The class alone: messages quote data.
            self._span.set_attribute("error.type", f"{kind.__module__}.{kind.__qualname__}")
            self._span.set_status(StatusCode.ERROR)
        self._span.end()
