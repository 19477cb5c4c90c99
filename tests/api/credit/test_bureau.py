"""Checks at a bureau of Círculo de Crédito's shape: outcomes, and never a second question."""

import asyncio
import json

import pytest
from sqlalchemy import text

from acredita.main import create_app
from acredita.settings import Settings
from acredita.settings_check.faults import ConfigurationError
from tests.api.credit.conftest import settings_of_bureau
from tests.api.credit.test_credit_checks import ADDRESS, CURP, NAME, PATH, RFC, WHOLE
from tests.factories.circulo import answer_signed, errors, faithful
from tests.factories.receiver import answer, endless_body, hang, reset


async def rows(services):
    async with services.database.reading() as connection:
        query = text("SELECT id, status, code, provider, is_sandbox FROM credit_check")
        return (await connection.execute(query)).mappings().all()


async def test_a_report_is_told_in_short_and_the_rest_of_it_is_not_kept(
    with_bureau, keys, services
):
    async with with_bureau(faithful(keys)) as (member, server):
        response = await member.post(PATH, json=WHOLE)
        assert response.status_code == 201, response.text
        shown = response.json()
        assert (await member.get(f"{PATH}/{shown['id']}")).json() == shown
    assert (shown["status"], shown["provider"], shown["sandbox"]) == ("COMPLETED", "circulo", False)
    assert (shown["folio"], shown["found"], shown["score"]) == ("386636538", True, 674)
    assert shown["scores"] == [{"name": "FICO", "value": 674, "reasons": ["D8", "K0"]}]
    assert shown["accounts"] == {
        "total": 3,
        "open": 2,
        "closed": 1,
        "pastDue": 1,
        "disputed": 1,
        "mostPaymentsMissed": 3,
        "oldestOpened": "2012-01-01",
        "amounts": [
            {"currency": "MX", "balance": 19450.75, "pastDue": 900.1, "creditLimit": 47000.0},
            {"currency": "US", "balance": 0.0, "pastDue": 0.0, "creditLimit": 0.0},
        ],
    }
    assert shown["inquiries"]["total"] == 2
    assert [(alert["code"], alert["source"]) for alert in shown["alerts"]] == [
        ("LIST_MATCH", "OFAC"),
        ("PREVENTION_KEY", "FD"),
    ]
    assert "SECRETA" not in response.text
    assert len(server.received) == 1


async def test_what_the_bureau_needs_is_derived_from_the_curp(with_bureau, keys):
    body = {
        "fullName": NAME.surnames_first,
        "rfc": RFC,
        "curp": CURP,
        "address": ADDRESS,
        "consentReference": "contrato-4711",
    }
    async with with_bureau(faithful(keys)) as (member, server):
        response = await member.post(PATH, json=body)
        assert response.status_code == 201, response.text
    asked = json.loads(server.received[0].body)
    assert (asked["primerNombre"], asked["segundoNombre"]) == ("ANA", "MARIA")
    assert (asked["apellidoPaterno"], asked["apellidoMaterno"]) == ("DE LA CRUZ", "RUIZ")
    assert asked["fechaNacimiento"] == "1990-05-05"
    assert "contrato" not in server.received[0].body.decode()


@pytest.mark.parametrize(
    ("left_out", "place"),
    [
        ("rfc", "body.rfc"),
        ("address", "body.address"),
        ("consentReference", "body.consentReference"),
    ],
)
async def test_what_is_missing_is_named_and_nobody_is_asked(
    with_bureau, keys, services, left_out, place
):
    body = {name: value for name, value in WHOLE.items() if name != left_out}
    async with with_bureau(faithful(keys)) as (member, server):
        response = await member.post(PATH, json=body)
    assert response.status_code == 422
    (detail,) = response.json()["error"]["details"]
    assert detail.startswith(f"{place}: It is missing.")
    assert server.received == []
    assert await rows(services) == []


async def test_a_name_that_cannot_be_cut_for_certain_has_to_be_stated(with_bureau, keys):
    body = {"fullName": "Prueba Uno Dos", "rfc": RFC, "address": ADDRESS, "consentReference": "c"}
    async with with_bureau(faithful(keys)) as (member, server):
        response = await member.post(PATH, json=body)
    assert response.status_code == 422
    assert [detail.split(":")[0] for detail in response.json()["error"]["details"]] == [
        "body.names"
    ]
    assert server.received == []


@pytest.mark.parametrize(
    ("rfc", "surname", "place"),
    [
        ("ANO900505AB1", "Ruiz", "body.rfc"),
        (RFC, "de la Cruz y de los Santos Mártires", "body.names"),
    ],
)
async def test_companies_and_names_beyond_the_bureaus_bounds_are_refused(
    with_bureau, keys, rfc, surname, place
):
    names = {"given": "Ana María", "paterno": surname, "materno": "Ruiz"}
    body = {"fullName": f"Ana María {surname} Ruiz", "rfc": rfc, "address": ADDRESS}
    body |= {"consentReference": "c"} | ({"names": names} if place == "body.names" else {})
    async with with_bureau(faithful(keys)) as (member, server):
        response = await member.post(PATH, json=body)
    assert response.status_code == 422, response.text
    assert any(detail.startswith(place) for detail in response.json()["error"]["details"])
    assert server.received == []


@pytest.mark.parametrize(
    ("behaviour", "status", "code"),
    [
        (answer(401), "FAILED", "BUREAU_CREDENTIALS"),
        (answer(400), "FAILED", "BUREAU_REFUSED"),
        (answer(429), "FAILED", "BUREAU_BUSY"),
        (answer(302, Location="https://elsewhere.example/"), "FAILED", "BUREAU_REFUSED"),
        (answer(503), "FAILED", "BUREAU_UNAVAILABLE"),
        (answer(500), "UNKNOWN", "BUREAU_NO_ANSWER"),
        (hang, "UNKNOWN", "BUREAU_NO_ANSWER"),
        (reset, "UNKNOWN", "BUREAU_NO_ANSWER"),
        (endless_body, "UNKNOWN", "BUREAU_ANSWER_INVALID"),
        (answer(200, b'{"folioConsulta": "1"}'), "UNKNOWN", "BUREAU_ANSWER_NOT_AUTHENTIC"),
        ("signed nonsense", "UNKNOWN", "BUREAU_ANSWER_INVALID"),
        ("no file", "COMPLETED", "NO_FILE"),
    ],
)
async def test_every_outcome_is_told_kept_and_asked_for_once(
    with_bureau, keys, services, behaviour, status, code
):
    named = {
        "signed nonsense": answer_signed(keys, 200, b"{}"),
        "no file": answer_signed(keys, 404, errors("404.1", "No se encontró.")),
    }
    behaviour = named.get(behaviour, behaviour) if isinstance(behaviour, str) else behaviour
    headers = {"Idempotency-Key": "solicitud"}
    timeout = 1.0 if behaviour is hang else 20.0
    async with with_bureau(behaviour, credit_timeout=timeout) as (member, server):
        first = await member.post(PATH, json=WHOLE, headers=headers)
        again = await member.post(PATH, json=WHOLE, headers=headers)
        assert len(server.received) == 1
    assert first.status_code == 201, first.text
    assert (first.json()["status"], first.json()["code"]) == (status, code)
    assert first.json()["message"]
    assert again.json() == first.json()
    assert [(row["status"], row["code"]) for row in await rows(services)] == [(status, code)]


async def test_a_request_that_dies_leaves_a_check_that_nobody_asks_again(
    with_bureau, keys, services
):
    headers = {"Idempotency-Key": "solicitud"}
    async with with_bureau(hang, otherwise=faithful(keys), credit_timeout=1.0) as (member, server):
        request = asyncio.create_task(member.post(PATH, json=WHOLE, headers=headers))
        await server.wait_for(1)
        request.cancel()
        await asyncio.wait((request,))
        assert [row["status"] for row in await rows(services)] == ["PENDING"]
        again = await member.post(PATH, json=WHOLE, headers=headers)
        assert again.status_code == 201
        assert again.json()["status"] in ("PENDING", "UNKNOWN")
        assert len(server.received) == 1


async def test_no_connection_of_the_database_is_held_while_the_bureau_thinks(with_bureau, services):
    async with with_bureau(hang, hang, hang, hang, hang, hang, credit_timeout=3.0) as (
        member,
        server,
    ):
        waiting = [asyncio.create_task(member.post(PATH, json=WHOLE)) for _ in range(6)]
        await server.wait_for(6)
        async with services.database.reading() as connection:
            query = text(
                "SELECT count(*) FROM pg_stat_activity"
                " WHERE datname = current_database() AND state LIKE 'idle in transaction%'"
            )
            assert await connection.scalar(query) == 0
        # The pool has four connections: others are served meanwhile.
        assert (await member.get("/v1/organizations/me")).status_code == 200
        server.closing.set()
        answers = await asyncio.gather(*waiting)
    assert {response.status_code for response in answers} == {201}


async def test_without_a_bureau_a_check_says_so(with_bureau, services):
    async with with_bureau(credit_provider="none") as (member, _):
        response = await member.post(PATH, json=WHOLE)
    assert response.status_code == 409
    assert response.json()["error"]["code"] == "FEATURE_OFF"
    assert "not set up" in response.json()["error"]["message"]
    assert await rows(services) == []


async def test_a_bureau_without_its_keys_stops_the_start(settings, keys):
    told = settings_of_bureau(keys, "https://bureau.example", circulo_key_file=None)
    app = create_app(Settings(**settings.model_dump() | told, _env_file=None))
    with pytest.raises(ConfigurationError, match="ACREDITA_CIRCULO_KEY_FILE: is missing"):
        async with app.router.lifespan_context(app):
            pass


async def test_logs_name_neither_the_person_nor_the_credentials(with_bureau, keys, capfd):
    async with with_bureau(answer(500, b"PENA GARCIA")) as (member, _):
        await member.post(PATH, json=WHOLE)
    logged = "".join(capfd.readouterr())
    assert "a credit bureau gave no report" in logged
    for secret in (RFC, CURP, "Cruz", "CRUZ", "consumer-key", "cdc-password", "PENA"):
        assert secret not in logged
