"""The bridge adapter against servers that break, lie, stall and flood."""

import asyncio
import json
import logging
import re
import ssl
import time
import traceback
from pathlib import Path

import pytest

from acredita.domain.government.responses import Outcome
from acredita.domain.identifiers.ine import CardInputs, CitizenInputs, VoterKeyInputs
from acredita.providers.government import RegistryRefused, RegistryUnavailable, open_government
from acredita.providers.government.bridge_responses import (
    CurpResponse,
    IneResponse,
    NotFoundResponse,
    RfcResponse,
)
from acredita.providers.government.sandbox import (
    BEHAVIOUR_CURPS,
    STATUS_CURPS,
    Behaviour,
    SandboxRegistries,
)
from tests.factories.government_bridge import TOKEN, FixedClock, bridge_to, faithful
from tests.factories.receiver import (
    Receiver,
    answer,
    endless_body,
    gzip_bomb,
    hang,
    huge_header,
    make_authority,
    reset,
    serve,
    slow_body,
)

DOCUMENTATION = (
    Path(__file__).parents[4] / "docs" / "operators" / "government-bridge.md"
).read_text()
CURP = "GOVM800705MCLMLR07"
CARD = CitizenInputs("123456789", "012345678")


def documented(label):
    """The JSON examples of the documentation that carry a label."""
    blocks = re.findall(rf"<!-- {label} -->\n```json\n(.*?)\n```", DOCUMENTATION, re.DOTALL)
    return [json.loads(block) for block in blocks]


FOUND = documented("answer: curp")[0]
VERDICT = documented("answer: ine")[0]
NOT_FOUND = documented("answer: 404")[0]


def sent(body, status=200):
    text = body if isinstance(body, (bytes, str)) else json.dumps(body)
    return answer(status, text if isinstance(text, bytes) else text.encode())


def changed(body, path, value):
    """A copy with one key set, or taken away when the value is `...`."""
    copy = json.loads(json.dumps(body))
    *parents, last = path.split(".")
    parent = copy
    for key in parents:
        parent = parent[key]
    if value is ...:
        del parent[last]
    else:
        parent[last] = value
    return copy


async def outcome_of(behaviour, **options):
    async with bridge_to(behaviour, **options) as (bridge, _):
        return await bridge.lookup_curp(CURP, request_key="job")


async def test_the_documented_questions_are_those_that_are_asked():
    async with bridge_to(otherwise=answer(503)) as (bridge, receiver):
        for call in (
            bridge.lookup_curp(CURP, request_key="job:renapo"),
            bridge.check_ine(CARD, request_key="job"),
            bridge.check_ine(CardInputs("123456789", "0123456789012"), request_key="job"),
            bridge.check_ine(
                VoterKeyInputs("GMVLMR80070506M100", "00", "0123456789012"), request_key="job"
            ),
            bridge.check_rfc("GOVM800705AB1", name="MARGARITA GOMEZ VELAZQUEZ", request_key="job"),
        ):
            with pytest.raises(RegistryUnavailable):
                await call
    asked = [(request.path, json.loads(request.body)) for request in receiver.received]
    assert asked == [
        (f"/v1/{path}", body)
        for path in ("curp", "ine", "rfc")
        for body in documented(f"question: {path}")
    ]
    first = receiver.received[0].headers
    assert first["authorization"] == f"Bearer {TOKEN}"
    assert first["idempotency-key"] == "job:renapo"
    assert first["content-type"] == "application/json"


def test_the_documented_answers_are_those_that_are_read():
    for label, shape in (
        ("answer: 404", NotFoundResponse),
        ("answer: curp", CurpResponse),
        ("answer: ine", IneResponse),
        ("answer: rfc", RfcResponse),
    ):
        for example in documented(label):
            shape.model_validate_json(json.dumps(example))


def test_the_documented_magic_numbers_are_those_of_the_sandbox():
    rows = dict(re.findall(r"^\| `(XUXX9001\w+)` \| (\w+)", DOCUMENTATION, re.MULTILINE))
    assert rows == {curp: status.code for curp, status in STATUS_CURPS.items()}
    for curp, behaviour in BEHAVIOUR_CURPS.items():
        row = re.search(rf"^\| `{curp}` \| (.*?) \| (.*?) \|", DOCUMENTATION, re.MULTILINE)
        assert row[1] in (f"`{behaviour:09}`", "–")
        assert row[2] in (f"`XUXX9002{behaviour:02}…`", "–")


async def test_the_years_of_a_card_arrive_and_may_be_absent():
    async def years(body):
        async with bridge_to(sent(body)) as (bridge, _):
            found = await bridge.check_ine(CARD, request_key="job")
            return found.registration_year, found.emission_year

    assert await years(VERDICT) == ("1998", "2019")
    assert await years(changed(VERDICT, "registrationYear", None)) == (None, "2019")
    former = changed(changed(VERDICT, "registrationYear", ...), "emissionYear", ...)
    assert await years(former) == (None, None)
    for wrong in (1998, "98", "1898"):
        with pytest.raises(RegistryUnavailable):
            await years(changed(VERDICT, "emissionYear", wrong))


async def test_a_record_arrives_with_every_field():
    found = await outcome_of(sent(FOUND))
    record = found.record
    assert record.name.surnames_first == "GÓMEZ VELÁZQUEZ MARGARITA"
    assert (record.source_status, record.status.code) == ("RCN", "RCN")
    assert record.birth_date.isoformat() == "1980-07-05"
    assert (record.sex, record.state.code) == ("M", "CL")
    assert found.receipt.checked_at.isoformat() == "2026-03-01T18:20:07.250000-06:00"
    assert found.receipt.response_id == "R-20260301-000124"
    assert found.receipt.sandbox is False


async def test_only_a_well_formed_404_is_a_not_found():
    assert (await outcome_of(sent(NOT_FOUND, 404))).outcome is Outcome.NOT_FOUND
    for body in (b"", b"<h1>Not Found</h1>", b"{}", b'{"outcome":"not_found"}', FOUND):
        with pytest.raises(RegistryUnavailable):
            await outcome_of(sent(body, 404))
    with pytest.raises(RegistryUnavailable):
        await outcome_of(sent(NOT_FOUND, 200))


@pytest.mark.parametrize("status", [400, 401, 402, 403, 422])
async def test_a_refusal_is_refused(status):
    with pytest.raises(RegistryRefused):
        await outcome_of(sent(NOT_FOUND, status))


@pytest.mark.parametrize(
    "status", [201, 202, 204, 300, 301, 302, 307, 308, 405, 408, 409, 410, 418, 429, 500, 502, 503]
)
async def test_any_other_status_is_an_outage(status):
    body = b"" if status == 204 else json.dumps(FOUND).encode()
    async with bridge_to(answer(status, body, Location="/v1/elsewhere")) as (bridge, receiver):
        with pytest.raises(RegistryUnavailable):
            await bridge.lookup_curp(CURP, request_key="job")
    assert [request.path for request in receiver.received] == ["/v1/curp"]


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("120", 120.0),
        ("0", 0.0),
        ("999999999", 86_400.0),
        ("99999999999999", None),
        ("-1", None),
        ("soon", None),
        ("²", None),
        ("Wed, 21 Oct 2026 07:28:00 GMT", None),
    ],
)
async def test_a_named_wait_is_passed_on(header, seconds):
    with pytest.raises(RegistryUnavailable) as raised:
        await outcome_of(answer(429, b"", Retry_After=header))
    assert raised.value.retry_after == seconds


@pytest.mark.parametrize(
    "behaviour", [hang, slow_body, reset, huge_header, gzip_bomb], ids=lambda it: it.__name__
)
async def test_a_broken_or_stalling_server_is_an_outage_in_bounded_time(behaviour):
    before = time.monotonic()
    with pytest.raises(RegistryUnavailable):
        await outcome_of(behaviour, timeout=0.5)
    assert time.monotonic() - before < 3


async def test_an_endless_answer_is_cut_off():
    async with bridge_to(endless_body) as (bridge, receiver):
        with pytest.raises(RegistryUnavailable, match="answer_too_large"):
            await bridge.lookup_curp(CURP, request_key="job")
        assert receiver.bytes_sent < 16 * 1024 * 1024


async def test_a_hundred_megabytes_are_never_read():
    async def huge(receiver, request):
        return await answer(200, bytes(100 * 1024 * 1024))(receiver, request)

    with pytest.raises(RegistryUnavailable):
        await outcome_of(huge)


async def test_a_port_where_nobody_listens_is_an_outage():
    server = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    server.close()
    await server.wait_closed()
    url = f"http://127.0.0.1:{port}"
    async with open_government("bridge", clock=FixedClock(), url=url, token=TOKEN) as bridge:
        with pytest.raises(RegistryUnavailable):
            await bridge.lookup_curp(CURP, request_key="job")
        with pytest.raises(RegistryUnavailable):
            await bridge.probe()


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("outcome", "match"),
        ("outcome", ...),
        ("outcome", None),
        ("responseId", ...),
        ("responseId", 124),
        ("responseId", ""),
        ("responseId", "x" * 129),
        ("responseId", "a\u0000b"),
        ("checkedAt", "yesterday"),
        ("checkedAt", "2026-03-01T18:20:07"),
        ("checkedAt", 1772389207),
        ("checkedAt", "0001-01-01T00:00:00+14:00"),
        ("checkedAt", "9999-12-31T23:59:59-14:00"),
        ("sandbox", "false"),
        ("sandbox", 0),
        ("sandbox", ...),
        ("unknown", "key"),
        ("record", None),
        ("record", []),
        ("record.curp", "GOVM800705"),
        ("record.curp", None),
        ("record.status", ""),
        ("record.status", 5),
        ("record.status", None),
        ("record.name", "MARGARITA"),
        ("record.name", ...),
        ("record.name", {"given": "", "paterno": "", "materno": ""}),
        ("record.name.materno", None),
        ("record.name.given", ["MARGARITA"]),
        ("record.name.given", "M" * 101),
        ("record.name.given", "MARGA\nRITA"),
        ("record.birthDate", "05/07/1980"),
        ("record.birthDate", "1980-02-30"),
        ("record.birthDate", 330652800),
        ("record.birthDate", "1980-07-05T00:00:00"),
        ("record.sex", "F"),
        ("record.sex", True),
        ("record.state", "Colima"),
        ("record.state", 6),
        ("record.birthdate", "1980-07-05"),
    ],
)
async def test_an_answer_of_another_shape_is_an_outage_and_not_a_verdict(path, value):
    body = changed(FOUND, path, value)
    with pytest.raises(RegistryUnavailable, match="invalid_answer"):
        await outcome_of(sent(body))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("outcome", "found"),
        ("outcome", "not_found"),
        ("outcome", "MATCH"),
        ("outcome", ...),
        ("clave", "GMVL"),
        ("clave", ...),
        ("status", 1),
        ("status", ...),
        ("checkedAt", None),
    ],
)
async def test_a_verdict_of_another_shape_is_an_outage(path, value):
    async with bridge_to(sent(changed(VERDICT, path, value))) as (bridge, _):
        with pytest.raises(RegistryUnavailable, match="invalid_answer"):
            await bridge.check_ine(CARD, request_key="job")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"[]",
        b"{",
        b"\xff\xfe",
        b"[" * 60_000,
        b'{"a":' * 10_000,
        b"1e999999",
        b'{"outcome": NaN}',
        json.dumps(FOUND).encode("utf-16"),
        json.dumps(FOUND).replace("MARGARITA", "\\ud800").encode(),
    ],
    ids=lambda body: repr(body[:12]),
)
async def test_what_is_no_json_object_is_an_outage(body):
    with pytest.raises(RegistryUnavailable, match="invalid_answer"):
        await outcome_of(sent(body))


async def test_nothing_personal_and_no_token_is_in_errors_or_logs(caplog):
    caplog.set_level(logging.DEBUG)
    secrets = (CURP, "MARGARITA", "VELÁZQUEZ", TOKEN)
    for behaviour in (
        answer(500, json.dumps(FOUND).encode()),
        answer(403),
        sent(changed(FOUND, "record.birthDate", "MARGARITA")),
        sent(changed(FOUND, "record.MARGARITA", CURP)),
        sent(changed(FOUND, "record.sex", CURP)),
        reset,
        hang,
    ):
        with pytest.raises((RegistryUnavailable, RegistryRefused)) as raised:
            await outcome_of(behaviour, timeout=0.3)
        fault = raised.value
        told = "".join(traceback.format_exception(fault)) + repr(fault) + caplog.text
        chain = (fault.__cause__, fault.__context__)
        assert chain == (None, None)
        assert not [secret for secret in secrets if secret in told]


async def test_an_invalid_answer_names_the_place_of_the_fault():
    with pytest.raises(RegistryUnavailable, match=r"record\.birthDate date"):
        await outcome_of(sent(changed(FOUND, "record.birthDate", "05/07/1980")))


async def test_a_probe_tells_a_refused_token():
    sandbox = SandboxRegistries(FixedClock())
    async with bridge_to(otherwise=faithful(sandbox), token="another") as (bridge, _):
        with pytest.raises(RegistryRefused, match="credentials"):
            await bridge.probe()


async def test_a_base_address_may_have_a_path():
    async with bridge_to() as (_, receiver):
        url = receiver.url("/renapo/", host="127.0.0.1")
        async with open_government("bridge", clock=FixedClock(), url=url, token="t") as bridge:
            await bridge.probe()
    assert receiver.received[0].path == "/renapo/v1/health"


@pytest.mark.parametrize(
    ("provider", "url", "token"),
    [
        ("nubarium", "https://bridge.example", "t"),
        ("bridge", "", "t"),
        ("bridge", "bridge.example", "t"),
        ("bridge", "ftp://bridge.example", "t"),
        ("bridge", "https://user:password@bridge.example", "t"),
        ("bridge", "https://bridge.example/?key=1", "t"),
        ("bridge", "https://bridge.example/#part", "t"),
        ("bridge", "https://bridge.example", ""),
        ("bridge", "https://bridge.example", "two words"),
        ("bridge", "https://bridge.example", "line\r\nbreak"),
    ],
)
async def test_a_provider_that_cannot_work_does_not_open(provider, url, token):
    with pytest.raises(ValueError, match="government"):
        async with open_government(provider, clock=FixedClock(), url=url, token=token):
            pass


async def test_a_bridge_may_have_a_certificate_of_the_operators_own(tmp_path):
    authority = make_authority(tmp_path)
    sandbox = SandboxRegistries(FixedClock())
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.ca.issue_cert("localhost").configure_cert(context)
    async with serve(Receiver(otherwise=faithful(sandbox)), context) as receiver:
        url = receiver.url("", host="localhost")
        async with open_government(
            "bridge", clock=FixedClock(), url=url, token=TOKEN, ca_file=authority.ca_file
        ) as bridge:
            await bridge.probe()
        async with open_government("bridge", clock=FixedClock(), url=url, token=TOKEN) as bridge:
            with pytest.raises(RegistryUnavailable, match="tls"):
                await bridge.probe()


async def test_many_questions_at_once_are_all_answered():
    sandbox = SandboxRegistries(FixedClock(), slowness=0.3)
    slow = next(curp for curp, it in BEHAVIOUR_CURPS.items() if it is Behaviour.SLOW)
    async with bridge_to(otherwise=faithful(sandbox)) as (bridge, _):
        before = time.monotonic()
        answers = await asyncio.gather(
            *(bridge.lookup_curp(slow, request_key=f"job-{number}") for number in range(50))
        )
    assert {it.outcome for it in answers} == {Outcome.MATCH}
    assert time.monotonic() - before < 5
