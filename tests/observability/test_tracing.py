"""One trace from a request to the jobs that it makes, and to the deliveries of what they bring."""

import asyncio
import os
import signal
import subprocess
import sys

import pytest

from acredita.jobs import Queue
from acredita.kit import tracing
from tests.factories.organizations import make_verification, make_workflow
from tests.loaded_processes import PROGRAM, LoadedProcess
from tests.observability.collector import collecting
from tests.pipeline.conftest import decided

PERSON = {"curp": "HEGG560427MVZRRL04"}
SERVER, CLIENT, CONSUMER = 2, 3, 5
# The engines take seconds to load.
QUEUES = [queue for queue in Queue if queue is not Queue.ENGINES]


@pytest.fixture
def settings(settings, authority):
    return settings.model_copy(update=authority.settings)


def traced(collector, *, ratio=1.0):
    return tracing.exporting("api", endpoint=collector.url, headers={}, ratio=ratio)


def start_worker(settings, collector):
    """A worker of its own, as an operator starts it."""
    given = settings.model_dump(
        mode="json",
        include={
            "env",
            "data_dir",
            "database_url",
            "redis_url",
            "webhook_allow_private",
            "webhook_ca_file",
            "webhook_resolver",
        },
    )
    environment = {f"ACREDITA_{name.upper()}": str(value) for name, value in given.items()}
    environment["ACREDITA_OTEL_EXPORTER_OTLP_ENDPOINT"] = collector.url
    environment["ACREDITA_OTEL_EXPORTER_OTLP_HEADERS"] = "x-team=verification, x-key=a=b"
    return LoadedProcess(
        [*PROGRAM, "acredita.cli", "worker", "--queues", ",".join(QUEUES)],
        env={**os.environ, **environment},
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


async def test_a_trace_goes_from_request_to_job_to_delivery_through_processes(
    services, settings, authority, banco
):
    async with collecting() as collector, authority.receiver() as receiver:
        worker = start_worker(settings, collector)
        try:
            async with traced(collector):
                events = ["verification.created", "verification.completed"]
                await banco.post("/v1/webhooks", json={"url": receiver.url(), "events": events})
                workflow = await make_workflow(banco, "GOVERNMENT_VERIFY")
                verification = await make_verification(
                    banco, workflow, metadata=PERSON, externalId="cliente 7731"
                )
                await decided(banco, verification)
                await receiver.wait_for(2, within=30)
        finally:
            worker.send_signal(signal.SIGTERM)
            assert await asyncio.to_thread(worker.wait, 30) == 0

    [request] = collector.named("POST /v1/verifications")
    [begin] = collector.named("job verification.begin")
    [ask] = collector.named("job verification.ask_registries")
    [created] = collector.named("deliver verification.created")
    [completed] = collector.named("deliver verification.completed")
    assert (request.kind, request.service, request.parent_id) == (SERVER, "api", "")
    assert {request.trace_id} == {each.trace_id for each in (begin, ask, created, completed)}
    assert begin.parent_id == created.parent_id == request.span_id
    assert ask.parent_id == begin.span_id
    assert completed.parent_id == ask.span_id
    assert {begin.kind, ask.kind} == {CONSUMER}
    assert {created.kind, completed.kind} == {CLIENT}
    assert {each.service for each in (begin, ask, created, completed)} == {"acredita-worker"}
    assert ask.attributes == {"queue": "registries", "attempt": 1, "outcome": "done"}
    assert created.attributes == {"attempt": 1, "outcome": "delivered"}
    assert {"x-team": "verification", "x-key": "a=b"}.items() <= collector.headers[-1].items()

    for span in collector.spans:
        assert span.events == 0
        for value in (span.name, *span.attributes.values()):
            for personal in (*PERSON.values(), "cliente", verification, banco.organization_id):
                assert personal not in str(value)


async def test_whoever_calls_has_no_say_in_what_is_traced(client):
    theirs = "00-11111111111111111111111111111111-2222222222222222-01"
    async with collecting() as collector:
        async with traced(collector):
            await client.get("/health", headers={"traceparent": theirs})
        async with traced(collector, ratio=0):
            await client.get("/health", headers={"traceparent": theirs})
    [span] = collector.spans
    assert (span.name, span.parent_id) == ("GET /health", "")
    assert span.trace_id != "1" * 32


async def test_log_lines_of_a_request_name_its_trace(client, capfd):
    async with collecting() as collector:
        async with traced(collector):
            await client.get("/health")
        traced_lines = capfd.readouterr().err
        await client.get("/health")
    [span] = collector.spans
    assert f'"trace_id": "{span.trace_id}"' in traced_lines
    assert "trace_id" not in capfd.readouterr().err


async def test_made_up_methods_and_addresses_are_not_quoted(client):
    async with collecting() as collector, traced(collector):
        await client.request("CURPHEGG560427", "/HEGG560427MVZRRL04?curp=HEGG560427MVZRRL04")
    await asyncio.sleep(0)
    [span] = collector.spans
    assert span.name == "other (none)"
    assert "HEGG" not in str(span)


async def test_an_exception_leaves_its_class_and_not_its_message():
    async with collecting() as collector, traced(collector):
        with pytest.raises(LookupError), tracing.begun("work", "internal"):
            raise LookupError("HEGG560427MVZRRL04")
    [span] = collector.spans
    assert span.failed
    assert span.attributes == {"error.type": "builtins.LookupError"}
    assert "HEGG" not in str(span)


async def test_a_collector_that_is_away_costs_no_request(client):
    off = tracing.exporting("api", endpoint="http://127.0.0.1:9", headers={}, ratio=1)
    async with off:
        assert (await client.get("/health")).status_code == 200


async def test_a_row_that_keeps_no_trace_begins_none():
    async with collecting() as collector, traced(collector):
        with tracing.continued(None, "job", "consumer"):
            assert tracing.traceparent() is None
        with tracing.continued("nonsense", "job", "consumer"):
            assert tracing.traceparent() is not None
    [span] = collector.spans
    assert span.parent_id == ""


# Of the processes that read, compare and compose.
ENGINES = {"cv2", "onnxruntime", "PIL", "pyhanko", "pypdfium2", "rapidocr", "reportlab", "zxingcpp"}


def test_api_and_worker_import_no_library_of_the_engines_nor_of_tracing_while_it_is_off():
    program = (
        "import sys, acredita.main, acredita.worker\n"
        "from acredita.kit import tracing\n"
        "with tracing.begun('x', 'server'), tracing.continued('y', 'x', 'consumer'):\n"
        "    tracing.note(a=1)\n"
        "assert tracing.traceparent() is None\n"
        "ours = ('opentelemetry.sdk', 'opentelemetry.exporter', 'opentelemetry.proto')\n"
        "print([name for name in sys.modules if name.startswith(ours)])\n"
        f"print({ENGINES} & sys.modules.keys())"
    )
    shown = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert shown.stdout.split() == ["[]", "set()"]
