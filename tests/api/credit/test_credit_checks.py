"""Credit checks with the sandbox: what is asked, refused, derived, shown, kept and recorded."""

import asyncio
from datetime import date
from uuid import UUID, uuid4

import pytest
from sqlalchemy import text

from acredita.domain.identifiers import curp as curps
from acredita.domain.identifiers import rfc as rfcs
from acredita.domain.identifiers.formatting import Sex
from acredita.domain.identifiers.states import BY_CODE
from acredita.domain.names import PersonName
from acredita.providers.credit.sandbox import Behaviour

PATH = "/v1/credit/check"
NAME = PersonName("Ana María", "de la Cruz", "Ruiz")
BORN = date(1990, 5, 5)
CURP = curps.compose(NAME, BORN, Sex.FEMALE, BY_CODE["DF"]).text
RFC = rfcs.compose_person(NAME, BORN).text
XUX = PersonName("XUX", "XUX", "XUX")
ADDRESS = {
    "street": "Pasadizo Encontrado 58",
    "neighborhood": "Montevideo",
    "municipality": "Gustavo A. Madero",
    "city": "Ciudad de México",
    "state": "DF",
    "postalCode": "07730",
}
WHOLE = {
    "fullName": NAME.full,
    "rfc": RFC,
    "curp": CURP,
    "dateOfBirth": "1990-05-05",
    "consentReference": "contrato-4711",
    "names": {"given": "Ana María", "paterno": "de la Cruz", "materno": "Ruiz"},
    "address": ADDRESS,
}


async def check(member, **body):
    return await member.post(PATH, json={"fullName": NAME.full} | body)


async def rows(services, query, **arguments):
    async with services.database.reading() as connection:
        return (await connection.execute(text(query), arguments)).mappings().all()


async def test_a_check_is_answered_at_once_and_says_that_it_is_a_sandbox(banco):
    answer = await banco.post(PATH, json=WHOLE)
    assert answer.status_code == 201, answer.text
    shown = answer.json()
    assert answer.headers["Location"] == f"{PATH}/{shown['id']}"
    assert (shown["status"], shown["code"], shown["found"]) == ("COMPLETED", None, True)
    assert (shown["provider"], shown["sandbox"]) == ("sandbox", True)
    assert 300 <= shown["score"] <= 850
    assert shown["scores"][0]["value"] == shown["score"]
    assert shown["accounts"]["total"] == shown["accounts"]["open"] + shown["accounts"]["closed"]
    assert shown["consentReference"] == "contrato-4711"
    assert shown["warnings"] == []
    assert shown["completedAt"] >= shown["createdAt"]
    again = await banco.get(f"{PATH}/{shown['id']}")
    assert again.json() == shown


async def test_the_same_person_has_the_same_score(banco, rival):
    first, second = await check(banco, rfc=RFC), await check(rival, curp=CURP)
    assert first.json()["score"] == second.json()["score"]
    assert first.json()["id"] != second.json()["id"]


async def test_names_and_birth_date_are_derived_from_the_curp_and_shown(banco):
    shown = (await check(banco, curp=CURP)).json()
    assert shown["person"] == {
        "fullName": NAME.full,
        "names": {"given": "Ana María", "paterno": "de la Cruz", "materno": "Ruiz"},
        "dateOfBirth": "1990-05-05",
        "rfc": None,
        "curp": CURP,
    }


async def test_a_sandbox_says_what_a_bureau_would_have_wanted(banco):
    shown = (await check(banco)).json()
    assert (shown["status"], shown["code"], shown["found"]) == ("COMPLETED", "NO_FILE", False)
    missing = [remark["field"] for remark in shown["warnings"] if remark["code"] == "MISSING"]
    assert missing == ["rfc", "names", "dateOfBirth", "address", "consentReference"]


async def test_a_wrong_check_digit_of_an_rfc_is_a_warning(banco):
    wrong = RFC[:-1] + ("1" if RFC[-1] != "1" else "2")
    answer = await banco.post(PATH, json=WHOLE | {"rfc": wrong})
    assert answer.status_code == 201
    remarks = [(each["field"], each["code"]) for each in answer.json()["warnings"]]
    assert remarks == [("rfc", "CHECK_DIGIT")]


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"curp": CURP[:-1] + str((int(CURP[-1]) + 1) % 10)}, "body.curp"),
        ({"curp": "X" * 18}, "body.curp"),
        ({"curp": CURP[:-1]}, "body.curp"),
        ({"rfc": "123456789012"}, "body.rfc"),
        ({"rfc": "XAXX010101000"}, "body.rfc"),
        ({"rfc": RFC[:11]}, "body.rfc"),
        ({"dateOfBirth": "1990-02-30"}, "body.dateOfBirth"),
        ({"dateOfBirth": "1990-W01-1"}, "body.dateOfBirth"),
        ({"dateOfBirth": "1899-12-31"}, "body.dateOfBirth"),
        ({"dateOfBirth": "2999-01-01"}, "body.dateOfBirth"),
        ({"dateOfBirth": "1990-05-5"}, "body.dateOfBirth"),
        ({"fullName": "A"}, "body.fullName"),
        ({"fullName": "  "}, "body.fullName"),
        ({"fullName": "Ana\nRuiz"}, "body.fullName"),
        ({"names": {"given": "Ana"}}, "body.names.paterno"),
        ({"address": ADDRESS | {"state": "XX"}}, "body.address.state"),
        ({"address": ADDRESS | {"state": "NE"}}, "body.address.state"),
        ({"address": ADDRESS | {"postalCode": "7730"}}, "body.address.postalCode"),
        ({"consentReference": ""}, "body.consentReference"),
        ({"verificationId": "x"}, "body.verificationId"),
    ],
)
async def test_what_is_not_well_formed_is_refused_and_leaves_nothing(
    banco, services, changes, place
):
    answer = await banco.post(PATH, json=WHOLE | changes)
    assert answer.status_code == 422, answer.text
    assert any(detail.startswith(place) for detail in answer.json()["error"]["details"])
    assert await rows(services, "SELECT id FROM credit_check") == []


@pytest.mark.parametrize(
    "changes",
    [
        {"dateOfBirth": "1990-05-06"},
        {"rfc": rfcs.compose_person(NAME, date(1991, 5, 5)).text},
        {"rfc": rfcs.compose_company("Aceros del Norte", BORN).text},
        {"curp": curps.compose(NAME, date(1991, 5, 5), Sex.FEMALE, BY_CODE["DF"]).text},
        {"names": {"given": "Pedro", "paterno": "Infante", "materno": "Cruz"}},
    ],
)
async def test_what_contradicts_itself_is_refused(banco, services, changes):
    answer = await banco.post(PATH, json=WHOLE | changes)
    assert answer.status_code == 422, answer.text
    assert await rows(services, "SELECT id FROM credit_check") == []


async def test_letters_that_differ_are_a_warning(banco):
    others = curps.compose(PersonName("Ana", "Ortiz", "Ruiz"), BORN, Sex.FEMALE, BY_CODE["DF"])
    answer = await banco.post(PATH, json=WHOLE | {"curp": others.text})
    assert answer.status_code == 201, answer.text
    assert {(each["field"], each["code"]) for each in answer.json()["warnings"]} == {
        ("rfc", "MISMATCH"),
        ("curp", "MISMATCH"),
    }


@pytest.mark.parametrize(
    ("behaviour", "status", "code"),
    [
        (Behaviour.NO_FILE, "COMPLETED", "NO_FILE"),
        (Behaviour.UNAVAILABLE, "FAILED", "BUREAU_UNAVAILABLE"),
        (Behaviour.NO_ANSWER, "UNKNOWN", "BUREAU_NO_ANSWER"),
        (Behaviour.REFUSED, "FAILED", "BUREAU_REFUSED"),
        (Behaviour.NO_SCORE, "COMPLETED", None),
    ],
)
async def test_what_came_of_it_is_said(banco, behaviour, status, code):
    rfc = rfcs.compose_person(XUX, date(1990, 2, behaviour)).text
    answer = await check(banco, fullName="Xux Xux Xux", rfc=rfc)
    assert answer.status_code == 201
    shown = answer.json()
    assert (shown["status"], shown["code"], shown["score"]) == (status, code, None)
    assert (shown["message"] is None) is (code is None)


async def test_a_check_of_another_organization_is_not_there(banco, rival):
    check_id = (await check(banco, rfc=RFC)).json()["id"]
    for path in (f"{PATH}/{check_id}", f"{PATH}/{uuid4()}", f"{PATH}/nonsense"):
        assert (await rival.get(path)).status_code == 404
    assert (await banco.client.get(f"{PATH}/{check_id}")).status_code == 401
    assert (await banco.client.post(PATH, json=WHOLE)).status_code == 401


async def test_what_is_kept_of_a_person_is_sealed(banco, services):
    await banco.post(PATH, json=WHOLE)
    (row,) = await rows(services, "SELECT to_jsonb(credit_check)::text AS row FROM credit_check")
    for secret in (RFC, CURP, "Cruz", "1990-05-05", "Pasadizo", "contrato-4711", "FICO"):
        assert secret not in row["row"]


async def test_every_act_is_in_the_audit_log_without_a_word_of_the_person(banco, services):
    check_id = (await banco.post(PATH, json=WHOLE)).json()["id"]
    await banco.get(f"{PATH}/{check_id}")
    entries = await rows(
        services,
        "SELECT action, resource_type, resource_id, details FROM audit_log"
        " WHERE resource_type = 'credit_check' ORDER BY id",
    )
    assert [entry["action"] for entry in entries] == [
        "credit_check.requested",
        "credit_check.finished",
        "credit_check.viewed",
    ]
    assert {entry["resource_id"] for entry in entries} == {UUID(check_id)}
    assert not any(RFC in str(entry) or "Cruz" in str(entry) for entry in entries)


async def test_a_repeated_request_asks_nobody_again(banco, services):
    headers = {"Idempotency-Key": "solicitud-1"}
    first = await banco.post(PATH, json=WHOLE, headers=headers)
    second = await banco.post(PATH, json=WHOLE, headers=headers)
    assert (first.status_code, second.status_code) == (201, 201)
    assert first.json() == second.json()
    assert first.headers["Location"] == second.headers["Location"]
    assert len(await rows(services, "SELECT id FROM credit_check")) == 1
    changed = await banco.post(PATH, json=WHOLE | {"fullName": "Ana Cruz"}, headers=headers)
    assert changed.status_code == 409
    assert changed.json()["error"]["code"] == "IDEMPOTENCY_CONFLICT"


async def test_twins_in_flight_are_one_consultation(banco, services):
    rfc = rfcs.compose_person(XUX, date(1990, 2, Behaviour.SLOW)).text
    headers = {"Idempotency-Key": "solicitud-2"}
    body = {"fullName": "Xux Xux Xux", "rfc": rfc}
    answers = await asyncio.gather(
        *(banco.post(PATH, json=body, headers=headers) for _ in range(4))
    )
    assert {answer.status_code for answer in answers} == {201}
    assert {answer.json()["status"] for answer in answers} == {"COMPLETED"}
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert len(await rows(services, "SELECT id FROM credit_check")) == 1


async def test_a_key_of_one_organization_is_not_the_others(banco, rival):
    headers = {"Idempotency-Key": "solicitud-3"}
    first = await banco.post(PATH, json=WHOLE, headers=headers)
    second = await rival.post(PATH, json=WHOLE, headers=headers)
    assert first.json()["id"] != second.json()["id"]
