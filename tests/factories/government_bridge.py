"""A bridge as docs/operators/government-bridge.md describes it, in front of any registries."""

import json
from contextlib import asynccontextmanager
from datetime import UTC, datetime

from aiohttp import web

from acredita.domain.government.responses import Answer, CurpAnswer, IneAnswer, Outcome
from acredita.domain.identifiers.ine import CardInputs, CitizenInputs, VoterKeyInputs
from acredita.providers.government import (
    GovernmentRegistries,
    RegistryRefused,
    RegistryUnavailable,
    open_government,
)
from tests.factories.receiver import Behaviour, Receiver, serve

TOKEN = "bridge-token-of-the-tests"
NOW = datetime(2026, 3, 1, 18, 20, 5, tzinfo=UTC)


class FixedClock:
    def now(self) -> datetime:
        return NOW


@asynccontextmanager
async def bridge_to(*script, otherwise=None, timeout=5.0, token=TOKEN):
    """The bridge adapter in front of a server that follows the script."""
    receiver = Receiver(list(script))
    if otherwise:
        receiver.otherwise = otherwise
    async with (
        serve(receiver, None) as receiver,
        open_government(
            "bridge",
            clock=FixedClock(),
            url=receiver.url("", host="127.0.0.1"),
            token=token,
            timeout=timeout,
        ) as registries,
    ):
        yield registries, receiver


def faithful(registries: GovernmentRegistries) -> Behaviour:
    async def respond(receiver: Receiver, request: web.Request) -> web.StreamResponse:
        if request.headers.get("Authorization") != f"Bearer {TOKEN}":
            return web.Response(status=401)
        if (request.method, request.path) == ("GET", "/v1/health"):
            return web.Response(status=204)
        if request.method != "POST" or "Idempotency-Key" not in request.headers:
            return web.Response(status=400)
        try:
            answer = await _ask(registries, request, await request.json())
        except RegistryUnavailable as fault:
            headers = {"Retry-After": f"{fault.retry_after:.0f}"} if fault.retry_after else {}
            return web.Response(status=503, headers=headers)
        except RegistryRefused:
            return web.Response(status=402)
        status = 404 if answer.outcome is Outcome.NOT_FOUND else 200
        return web.Response(
            status=status, body=json.dumps(_wire(answer)), content_type="application/json"
        )

    return respond


async def _ask(registries: GovernmentRegistries, request: web.Request, question: dict) -> Answer:
    key = request.headers["Idempotency-Key"]
    if request.path == "/v1/curp":
        return await registries.lookup_curp(question["curp"], request_key=key)
    if request.path == "/v1/rfc":
        name = question["name"]
        return await registries.check_rfc(question["rfc"], name=name, request_key=key)
    assert request.path == "/v1/ine"
    inputs = {
        "E-H": lambda: CitizenInputs(question["cic"], question["citizenId"]),
        "D": lambda: CardInputs(question["cic"], question["ocr"]),
        "C": lambda: VoterKeyInputs(question["clave"], question["emission"], question["ocr"]),
    }[question["model"]]()
    return await registries.check_ine(inputs, request_key=key)


def _wire(answer: Answer) -> dict:
    attested = {
        "responseId": answer.receipt.response_id,
        "checkedAt": answer.receipt.checked_at.astimezone(UTC).isoformat(),
        "sandbox": answer.receipt.sandbox,
    }
    if answer.outcome is Outcome.NOT_FOUND:
        return {"outcome": "not_found", **attested}
    if isinstance(answer, CurpAnswer):
        return {"outcome": "found", **attested, "record": _record(answer)}
    verdict = {"outcome": answer.outcome.value, **attested, "status": answer.source_status}
    return verdict | ({"clave": answer.clave} if isinstance(answer, IneAnswer) else {})


def _record(answer: CurpAnswer) -> dict:
    record = answer.record
    assert record is not None
    name = record.name and {
        "given": record.name.given,
        "paterno": record.name.paterno,
        "materno": record.name.materno,
    }
    return {
        "curp": record.curp,
        "status": record.source_status,
        "name": name,
        "birthDate": record.birth_date and record.birth_date.isoformat(),
        "sex": record.sex,
        "state": record.state and record.state.code,
    } | ({"nationality": record.nationality} if record.nationality else {})
