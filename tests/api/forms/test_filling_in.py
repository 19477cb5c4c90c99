"""VAL-11 and TEN-07: forms are made, filled in, judged in linear time, and nobody else's."""

import time
from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from sqlalchemy import func, select

from acredita.jobs import JobContext
from acredita.models import CustomForm, CustomSubmission
from acredita.resources.retention import jobs as retention
from tests.factories.belongings import make_form
from tests.factories.dumps import dump_database, found_in
from tests.factories.organizations import make_verification

FORMS, SUBMIT = "/v1/custom-input/forms", "/v1/custom-input/submit"
TEXT = {"id": "nombre", "type": "text", "label": "Nombre", "required": True}
KNOW_YOUR_CUSTOMER = [
    {
        **TEXT,
        "placeholder": "Como en tu INE",
        "validation": {"minLength": 3, "maxLength": 60, "pattern": "[A-ZÁÉÍÓÚÑ ]+"},
    },
    {"id": "nacimiento", "type": "date", "label": "Fecha de nacimiento", "required": True},
    {"id": "acepto", "type": "checkbox", "label": "Acepto el aviso", "required": True},
    {
        "id": "ocupacion",
        "type": "select",
        "label": "Ocupación",
        "required": False,
        "options": [
            {"value": "empleado", "label": "Empleado"},
            {"value": "otro", "label": "Otra"},
        ],
    },
]
ANSWERED = {
    "nombre": "ANA PÉREZ",
    "nacimiento": "1990-02-28",
    "acepto": True,
    "ocupacion": "otro",
}


async def create(member, *fields, **body):
    return await member.post(FORMS, json={"title": "Conoce", "fields": list(fields)} | body)


async def submit(member, form_id, verification_id, values, **headers):
    body = {"formId": form_id, "verificationId": verification_id, "values": values}
    return await member.post(SUBMIT, json=body, headers=headers)


async def submitted(member, verification_id):
    answer = await member.get(f"/v1/custom-input/{verification_id}")
    assert answer.status_code == 200, answer.text
    return answer.json()["submissions"]


async def count(services, model):
    async with services.database.reading() as connection:
        return (await connection.execute(select(func.count()).select_from(model))).scalar_one()


async def test_a_form_is_made_and_filled_in(banco):
    created = await create(banco, *KNOW_YOUR_CUSTOMER, description="Para abrir tu cuenta")
    assert created.status_code == 201
    form = created.json()
    assert set(form) == {"formId", "title", "fieldCount", "createdAt"}
    assert (form["title"], form["fieldCount"]) == ("Conoce", 4)
    verification_id = await make_verification(banco)
    answer = await submit(banco, form["formId"], verification_id, ANSWERED)
    assert answer.status_code == 200
    assert answer.json() == {
        "valid": True,
        "submittedAt": answer.json()["submittedAt"],
        "errors": [],
    }
    shown = await banco.get(f"/v1/custom-input/{verification_id}")
    assert shown.json() == {
        "verificationId": verification_id,
        "submissions": [
            {
                "formId": form["formId"],
                "title": "Conoce",
                "submittedAt": answer.json()["submittedAt"],
                "values": ANSWERED,
                "history": [],
            }
        ],
    }


@pytest.mark.parametrize(
    ("accepted", "messages"),
    [
        (
            None,
            [
                "La respuesta no tiene el formato esperado.",
                "Escribe una fecha que exista, como 2026-01-31.",
                "Debes marcar esta casilla.",
                "Elige una de las opciones.",
                "El formulario no tiene este campo.",
            ],
        ),
        (
            "en-GB, es;q=0.5",
            [
                "The answer is not of the expected form.",
                "Write a date that exists, such as 2026-01-31.",
                "This box must be checked.",
                "Choose one of the options.",
                "The form has no such field.",
            ],
        ),
    ],
)
async def test_what_is_wrong_is_said_field_by_field_and_nothing_is_kept(
    banco, services, accepted, messages
):
    form_id = await make_form(banco, *KNOW_YOUR_CUSTOMER)
    verification_id = await make_verification(banco)
    values = {
        "nombre": "ana pérez",
        "nacimiento": "1990-02-30",
        "acepto": False,
        "ocupacion": "astronauta",
        "apellido": "López",
    }
    headers = {} if accepted is None else {"Accept-Language": accepted}
    answer = await submit(banco, form_id, verification_id, values, **headers)
    assert answer.status_code == 200
    body = answer.json()
    assert body["valid"] is False
    assert body["submittedAt"].endswith("Z")
    assert body["errors"] == [
        {"fieldId": field_id, "message": message}
        for field_id, message in zip(values, messages, strict=True)
    ]
    assert await submitted(banco, verification_id) == []
    assert await count(services, CustomSubmission) == 0


async def test_the_newest_answers_come_first_and_ten_are_kept(banco, services):
    forms = [await make_form(banco, TEXT) for _ in range(2)]
    verification_id = await make_verification(banco)
    for number in range(12):
        assert (await submit(banco, forms[0], verification_id, {"nombre": f"{number}"})).json()[
            "valid"
        ]
    await submit(banco, forms[1], verification_id, {"nombre": "de la otra"})
    await submit(banco, forms[0], await make_verification(banco), {"nombre": "de otra persona"})
    latter, former = await submitted(banco, verification_id)
    assert (latter["formId"], latter["values"], latter["history"]) == (
        forms[1],
        {"nombre": "de la otra"},
        [],
    )
    assert (former["formId"], former["values"]) == (forms[0], {"nombre": "11"})
    assert [one["values"]["nombre"] for one in former["history"]] == [
        str(number) for number in range(10, 1, -1)
    ]
    assert await count(services, CustomSubmission) == 12


async def test_blank_answers_are_not_kept(banco):
    form_id = await make_form(banco, TEXT | {"required": False}, *KNOW_YOUR_CUSTOMER[3:])
    verification_id = await make_verification(banco)
    answer = await submit(banco, form_id, verification_id, {"nombre": "  ", "ocupacion": None})
    assert answer.json()["valid"]
    assert (await submitted(banco, verification_id))[0]["values"] == {}


@pytest.mark.parametrize(
    ("pattern", "value"), [("^(a+)+$", "a" * 28 + "!"), ("^(a+)+$", "a" * 9_999 + "!")]
)
async def test_a_pattern_that_would_explode_elsewhere_is_answered_at_once(banco, pattern, value):
    """VAL-11"""
    form_id = await make_form(banco, TEXT | {"validation": {"pattern": pattern}})
    verification_id = await make_verification(banco)
    await submit(banco, form_id, verification_id, {"nombre": "aaa"})
    started, cpu = time.perf_counter(), time.process_time()
    answer = await submit(banco, form_id, verification_id, {"nombre": value})
    assert answer.json()["valid"] is False
    assert time.process_time() - cpu < 0.1
    # On a machine that does other things besides.
    assert time.perf_counter() - started < 1


@pytest.mark.parametrize(
    "pattern", ["(?=a)b", "(?<!a)b", r"(a)\1", "a{1001}", "[", "a" * 501, "(?:[ab]{0,1000}c?){2}"]
)
async def test_a_pattern_that_cannot_be_matched_is_refused_when_the_form_is_made(
    banco, services, pattern
):
    """VAL-11"""
    answer = await create(banco, TEXT, TEXT | {"id": "b", "validation": {"pattern": pattern}})
    assert answer.status_code == 422
    assert answer.json()["error"]["code"] == "VALIDATION_ERROR"
    (detail,) = answer.json()["error"]["details"]
    assert detail.startswith("body.fields.1.validation.pattern: ")
    assert await count(services, CustomForm) == 0


async def test_a_pattern_of_five_hundred_characters_is_accepted(banco):
    answer = await create(banco, TEXT | {"validation": {"pattern": "a" * 500}})
    assert answer.status_code == 201


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"fields": []}, "body.fields"),
        ({"fields": [TEXT | {"id": str(n)} for n in range(51)]}, "body.fields"),
        ({"fields": [TEXT, TEXT]}, "body.fields.1.id"),
        ({"fields": [TEXT | {"type": "number"}]}, "body.fields.0.type"),
        ({"fields": [TEXT | {"type": "select"}]}, "body.fields.0.options"),
        ({"fields": [TEXT | {"id": ""}]}, "body.fields.0.id"),
        ({"fields": [TEXT | {"id": "x" * 101}]}, "body.fields.0.id"),
        ({"fields": [TEXT | {"label": "x" * 201}]}, "body.fields.0.label"),
        ({"fields": [TEXT | {"placeholder": "x" * 201}]}, "body.fields.0.placeholder"),
        ({"fields": [TEXT | {"required": 1}]}, "body.fields.0.required"),
        ({"fields": [TEXT | {"validation": {"minLength": -1}}]}, "body.fields.0.validation"),
        ({"fields": [TEXT | {"validation": {"maxLength": 0}}]}, "body.fields.0.validation"),
        (
            {"fields": [TEXT | {"validation": {"minLength": 9, "maxLength": 8}}]},
            "body.fields.0.validation.minLength",
        ),
        ({"fields": [TEXT | {"validation": {"max": 8}}]}, "body.fields.0.validation.max"),
        (
            {"fields": [TEXT | {"options": [{"value": "x", "label": "x"}] * 101}]},
            "body.fields.0.options",
        ),
        ({"fields": [TEXT | {"colour": "red"}]}, "body.fields.0.colour"),
        ({"title": ""}, "body.title"),
        ({"title": "x" * 201}, "body.title"),
        ({"description": "x" * 1001}, "body.description"),
        ({"formId": "x"}, "body.formId"),
    ],
)
async def test_a_form_that_is_not_valid_is_refused(banco, services, change, place):
    answer = await create(banco, **({"fields": [TEXT]} | change))
    assert answer.status_code == 422, answer.text
    assert any(detail.startswith(place) for detail in answer.json()["error"]["details"])
    assert await count(services, CustomForm) == 0


async def test_fifty_fields_fit(banco):
    answer = await create(banco, *(TEXT | {"id": f"campo {n}"} for n in range(50)))
    assert (answer.status_code, answer.json()["fieldCount"]) == (201, 50)


async def test_the_forms_and_verifications_of_others_are_not_there(banco, rival, services):
    """TEN-07"""
    ours = (await make_form(banco, TEXT), await make_verification(banco))
    theirs = (await make_form(rival, TEXT), await make_verification(rival))
    unknown = (str(uuid4()), str(uuid4()))
    pairs = [(ours[0], theirs[1]), (theirs[0], ours[1]), ours]
    pairs += [(theirs[0], unknown[1]), (unknown[0], theirs[1]), (theirs[0], "x"), ("y", theirs[1])]
    same = {"X-Request-Id": "the-same"}
    bodies = set()
    for form_id, verification_id in pairs:
        answer = await submit(rival, form_id, verification_id, {"nombre": "Ana"}, **same)
        assert answer.status_code == 404
        bodies.add(answer.content)
        # Invalid answers get the same response, so errors do not reveal that the form exists.
        answer = await submit(rival, form_id, verification_id, {"otro": "Ana"}, **same)
        assert answer.status_code == 404
    assert len(bodies) == 1
    assert await count(services, CustomSubmission) == 0
    assert (await submit(rival, *theirs, {"nombre": "Ana"})).json()["valid"]
    for verification_id in (theirs[1], *unknown, "x"):
        assert (await banco.get(f"/v1/custom-input/{verification_id}")).status_code == 404


async def test_answers_are_sealed_and_what_happens_is_in_the_audit_log(banco, services, capfd):
    form_id = await make_form(banco, *KNOW_YOUR_CUSTOMER)
    verification_id = await make_verification(banco)
    await submit(banco, form_id, verification_id, ANSWERED)
    dump = await dump_database(services)
    for value in ("ANA PÉREZ", "1990-02-28"):
        assert not found_in(dump, value)
        assert not found_in("".join(capfd.readouterr()).encode(), value)
    entries = (await banco.get("/v1/audit-logs")).json()["auditLogs"]
    by_action = {entry["action"]: entry for entry in entries}
    assert by_action["form.created"]["resourceId"] == form_id
    filled_in = by_action["verification.form_submitted"]
    assert (filled_in["resourceId"], filled_in["details"]["form"]) == (verification_id, form_id)


async def test_the_purge_takes_the_answers_and_no_more_are_accepted(banco, services):
    from dataclasses import replace

    from tests.factories.clocks import ShiftedClock

    form_id = await make_form(banco, TEXT)
    purged, kept = [await make_verification(banco) for _ in range(2)]
    for verification_id in (purged, kept):
        await submit(banco, form_id, verification_id, {"nombre": "Ana"})
    await banco.patch(f"/v1/verifications/{purged}/status", json={"status": "REJECTED"})
    later = replace(services, clock=ShiftedClock(timedelta(days=366)))
    await retention.purge(JobContext(later, None))
    assert await submitted(banco, purged) == []
    assert len(await submitted(banco, kept)) == 1
    answer = await submit(banco, form_id, purged, {"nombre": "Ana"})
    assert answer.status_code == 409
    assert answer.json()["error"]["code"] == "VERIFICATION_CLOSED"
    async with services.database.reading() as connection:
        of = (await connection.execute(select(CustomSubmission.verification_id))).scalars().all()
    assert of == [UUID(kept)]
