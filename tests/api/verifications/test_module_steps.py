"""OTP, LOCATION, FORM, CREDIT and ESIGNATURE within a verification; the worker's part is played."""

from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest
from sqlalchemy import func, select

from acredita.domain.audit import Action, ActorType
from acredita.domain.credit.status import CheckStatus
from acredita.domain.esignature import Tier
from acredita.domain.steps.esignature import TIERS
from acredita.jobs import Queue
from acredita.jobs.runner import Runner
from acredita.kit.clock import timestamp
from acredita.models import AuditEntry, CreditCheck, VerificationStep
from acredita.resources.audit.service import Actor
from acredita.resources.credit import service as credit
from acredita.resources.credit.schemas import CreditCheckCreate
from acredita.resources.verifications import pipeline, queries
from acredita.resources.verifications.steps.esignatures import is_current
from tests.api.esignature.conftest import sign
from tests.api.otp.conftest import EMAIL, PHONE, Holder, Sends, other_than
from tests.api.verifications.test_history import history_of
from tests.api.verifications.test_override import events_of, put, shown
from tests.api.workflows.test_policy_routes import publish
from tests.factories.belongings import make_form
from tests.factories.organizations import make_verification, make_workflow
from tests.pipeline.conftest import until

ENDED = ("PASSED", "REVIEW", "FAILED")
ANA = {"givenNames": "Ana María", "paternalSurname": "de la Cruz", "maternalSurname": "Ruiz"}
ASKED = ANA | {"rfc": "CURA900505AB1", "creditConsentReference": "contrato-4711"}


@pytest.fixture
async def runner(services):
    runner = Runner(services, {Queue.LIGHT: 4, Queue.REGISTRIES: 2})
    yield runner
    await runner.stop(grace=5)


@pytest.fixture
def begun(banco, runner):
    """Begins a verification of one step; its id."""

    async def begin(step_type, metadata=None, policy_id=None, **config):
        workflow_id = await make_workflow(banco, step_type, config=config)
        if policy_id is not None:
            await banco.patch(f"/v1/workflows/{workflow_id}", json={"policyId": policy_id})
        more = {} if metadata is None else {"metadata": metadata}
        return await make_verification(banco, workflow_id, **more)

    return begin


@pytest.fixture
def step(banco, runner):
    """The step of a verification, once it has one of these statuses."""

    async def reach(verification_id, *statuses):
        async def look():
            for queue in (Queue.LIGHT, Queue.REGISTRIES):
                await runner.pull(queue)
            (only,) = (await shown(banco, verification_id))["steps"]
            return only if only["status"] in statuses else None

        return await until(look, seconds=300)

    return reach


@pytest.fixture
def confirmed(client, services):
    """Sends a code, and guesses it right, or wrong first."""
    sends = Sends(services)

    async def confirm(verification_id, destination=PHONE, channel="sms", wrong=0):
        holder = Holder(client, verification_id)
        assert (await holder.send(destination, channel)).status_code == 200
        code = await sends.last_code()
        for _ in range(wrong):
            assert not (await holder.guess(other_than(code), channel))[0]
        return await holder.guess(code, channel)

    return confirm


async def test_a_code_is_awaited_and_confirmed(banco, client, services, begun, step, confirmed):
    verification_id = await begun("OTP", channel="sms")
    await step(verification_id, "WAITING_INPUT")
    address = f"/v1/sdk/verifications/{verification_id}"
    consent = {"version": "1", "locale": "es", "acceptedAt": "2026-01-31T18:05:09Z"}
    assert (await client.post(f"{address}/consent", json=consent)).is_success
    view = (await client.get(address)).json()
    assert (view["next"]["action"], view["next"]["stepId"]) == ("code", view["steps"][0]["id"])
    # A code of another channel confirms no phone.
    await confirmed(verification_id, EMAIL, "email")
    await step(verification_id, "WAITING_INPUT")
    await confirmed(verification_id, wrong=1)
    result = (await step(verification_id, "PASSED"))["result"]
    assert (result["channel"], result["wrongCodes"]) == ("sms", 1)
    assert set(result) == {"channel", "wrongCodes", "confirmedAt"}
    assert (await shown(banco, verification_id))["status"] == "APPROVED"
    kinds = [kind for kind, _, _ in await events_of(services, UUID(verification_id))]
    assert kinds.count("step.completed") == 1
    finished = (await history_of(banco, verification_id))["history"]
    assert "verification.step_finished" in [each["kind"] for each in finished]


@pytest.fixture
def page(client):
    """Calls a route of the browser flow, as the person's page does."""

    async def call(verification_id, act, body=None, status=200):
        path = f"/v1/sdk/verifications/{verification_id}/{act}"
        sent = client.get(path) if body is None else client.post(path, json=body)
        answer = await sent
        assert answer.status_code == status, answer.text
        return answer.json()

    return call


async def test_the_page_sends_a_code_to_a_typed_address_and_confirms_it(
    services, begun, step, page
):
    verification_id = await begun("OTP")
    await page(verification_id, "code/send", {"channel": "sms", "destination": PHONE}, status=409)
    await step(verification_id, "WAITING_INPUT")
    asked = await page(verification_id, "code")
    assert asked["channels"] == [
        {"channel": channel, "destinationKnown": False} for channel in ("sms", "email")
    ]
    assert asked["sent"] is None
    for wrong in ({"channel": "sms"}, {"channel": "sms", "destination": "55 1234"}):
        await page(verification_id, "code/send", wrong, status=422)
    sent = await page(verification_id, "code/send", {"channel": "email", "destination": EMAIL})
    assert sent == {
        "channel": "email", "destination": "a•••@correo.example", "resendIn": 30, "expiresIn": 300,
    }  # fmt: skip
    waits = (await page(verification_id, "code"))["sent"]
    assert (waits["channel"], waits["attemptsRemaining"]) == ("email", 5)
    assert 0 < waits["resendIn"] <= 30
    assert EMAIL not in str(waits)
    code = await Sends(services).last_code()
    guess = {"channel": "email", "code": other_than(code)}
    judged = await page(verification_id, "code/confirm", guess)
    assert (judged["valid"], judged["attemptsRemaining"]) == (False, 4)
    assert (await page(verification_id, "code/confirm", guess | {"code": code}))["valid"]
    result = (await step(verification_id, "PASSED"))["result"]
    assert (result["channel"], result["wrongCodes"]) == ("email", 1)
    await page(verification_id, "code/confirm", guess, status=409)


async def test_the_page_sends_a_code_to_the_stated_phone_without_naming_it(
    services, begun, step, page
):
    stated = {"phone": PHONE, "email": "not an address"}
    verification_id = await begun("OTP", stated, destination="metadata", channel="sms")
    await step(verification_id, "WAITING_INPUT")
    asked = await page(verification_id, "code")
    assert asked["channels"] == [{"channel": "sms", "destinationKnown": True}]
    await page(verification_id, "code/send", {"channel": "email"}, status=422)
    # What a browser names does not count.
    other = {"channel": "sms", "destination": "+525587654321"}
    assert (await page(verification_id, "code/send", other))["destination"] == "•• 78"
    code = await Sends(services).last_code()
    assert (await page(verification_id, "code/confirm", {"channel": "sms", "code": code}))["valid"]
    await step(verification_id, "PASSED")


async def test_the_page_shows_the_form_and_learns_each_fault(banco, begun, step, page):
    options = [{"value": "a", "label": "A"}, {"value": "b", "label": "B"}]
    form_id = await make_form(
        banco,
        {"id": "nombre", "type": "text", "label": "Nombre", "required": True,
         "validation": {"minLength": 3, "maxLength": 40, "pattern": "[A-Z a-z]+"}},
        {"id": "tipo", "type": "select", "label": "Tipo", "required": False, "options": options},
        {"id": "acepto", "type": "checkbox", "label": "Acepto", "required": True},
    )  # fmt: skip
    verification_id = await begun("FORM", formId=form_id)
    await step(verification_id, "WAITING_INPUT")
    asked = await page(verification_id, "form")
    assert [field["id"] for field in asked["fields"]] == ["nombre", "tipo", "acepto"]
    assert (asked["fields"][0]["maxLength"], asked["fields"][1]["options"]) == (40, options)
    assert "pattern" not in str(asked)
    answers = {"values": {"nombre": "Jo", "tipo": "c", "acepto": False}}
    refused = await page(verification_id, "form", answers)
    faults = [(fault["fieldId"], fault["code"], fault["limit"]) for fault in refused["errors"]]
    assert (refused["valid"], faults) == (
        False,
        [("nombre", "too_short", 3), ("tipo", "not_an_option", 0), ("acepto", "unchecked", 0)],
    )
    good = {"values": {"nombre": "Ana Luz", "tipo": "a", "acepto": True}}
    assert (await page(verification_id, "form", good))["valid"]
    assert (await step(verification_id, "PASSED"))["result"]["answers"] == good["values"]
    await page(verification_id, "form", status=409)


GIVEN = {"state": "given", "latitude": 19.4326, "longitude": -99.1332, "accuracyMetres": 35.0}


@pytest.mark.parametrize(
    ("device", "answer", "code"),
    [
        ("require", GIVEN, None),
        ("ask", {"state": "refused"}, None),
        ("require", {"state": "unavailable"}, "LOCATION_NOT_SHARED"),
    ],
    ids=["given", "refused-but-not-required", "required"],
)
async def test_the_page_gives_the_devices_position_or_its_refusal(
    client, banco, services, step, page, device, answer, code
):
    workflow_id = await make_workflow(banco, "LOCATION", config={"device": device})
    opened = await client.post(
        "/v1/sdk/session",
        json={"clientId": banco.organization_id, "flowId": workflow_id},
    )
    verification_id = opened.json()["verificationId"]
    await put(services, verification_id, ip_address="203.0.113.7")
    waiting = await step(verification_id, "WAITING_INPUT")
    assert waiting["result"] is None
    for wrong in ({"state": "given"}, GIVEN | {"state": "refused"}, GIVEN | {"latitude": 91}):
        await page(verification_id, "position", wrong, status=422)
    view = await page(verification_id, "position", answer)
    assert view["id"] == verification_id
    ended = await step(verification_id, *ENDED)
    found = ended["result"]["device"]
    assert {name: found[name] for name in answer} == answer
    if answer == GIVEN:
        assert 0 <= found["distanceKm"] < 10_000
    assert ended["result"].get("code") == code
    await page(verification_id, "position", answer, status=409)


async def test_a_position_that_nobody_can_be_asked_for_is_missing(begun, step):
    verification_id = await begun("LOCATION", {"ipAddress": "203.0.113.7"}, device="require")
    result = (await step(verification_id, *ENDED))["result"]
    assert (result["code"], result["device"]) == ("LOCATION_NOT_SHARED", {"state": None})


async def test_a_phone_that_was_not_stated_does_not_count(begun, step, confirmed):
    stated = await begun("OTP", {"phone": "+52 1 55 1234 5678"}, destination="metadata")
    unstated = await begun("OTP", {"phone": "x"}, destination="metadata")
    await confirmed(stated, "+525587654321")
    await step(stated, "WAITING_INPUT")
    await confirmed(stated)
    await step(stated, "PASSED")
    assert (await step(unstated, "REVIEW"))["result"]["code"] == "OTP_DESTINATION_UNKNOWN"


async def test_too_many_wrong_codes_lead_to_review(client, services, begun, step):
    verification_id = await begun("OTP", mostMistakes=2)
    await step(verification_id, "WAITING_INPUT")
    holder = Holder(client, verification_id)
    await holder.send()
    wrong = other_than(await Sends(services).last_code())
    await holder.guess(wrong)
    await step(verification_id, "WAITING_INPUT")
    await holder.guess(wrong)
    result = (await step(verification_id, "REVIEW"))["result"]
    assert (result["code"], result["wrongCodes"]) == ("OTP_TOO_MANY_MISTAKES", 2)


async def test_a_person_who_does_nothing_lets_the_verification_expire(banco, services, begun, step):
    verification_id = await begun("OTP")
    await step(verification_id, "WAITING_INPUT")
    await put(services, verification_id, expires_at=datetime(2026, 1, 1, tzinfo=UTC))
    async with services.database.transaction() as session:
        (overdue,) = await queries.lock_expired(session, limit=5)
        await pipeline.expire(session, overdue)
    assert (await shown(banco, verification_id))["status"] == "EXPIRED"


@pytest.mark.parametrize(
    ("metadata", "config", "expected"),
    [
        ({"ipAddress": "203.0.113.7"}, {"allowedCountries": ["mx"]}, None),
        ({"ipAddress": "203.0.113.200"}, {"allowedCountries": ["MX"]}, "LOCATION_NOT_ALLOWED"),
        ({"ipAddress": "198.51.100.7"}, {"blockVpn": True}, "LOCATION_HIDDEN"),
        ({"ipAddress": "192.0.2.1"}, {"allowedCountries": ["MX"]}, "LOCATION_UNCERTAIN"),
        ({"ipAddress": "somewhere"}, {}, "LOCATION_ADDRESS_UNKNOWN"),
        (None, {}, "LOCATION_ADDRESS_UNKNOWN"),
    ],
    ids=["inside", "outside", "vpn", "unknown-place", "no-address", "no-metadata"],
)
async def test_a_place_outside_of_the_rules_leads_to_review(
    banco, begun, step, metadata, config, expected
):
    verification_id = await begun("LOCATION", metadata, **config)
    ended = await step(verification_id, *ENDED)
    assert ended["result"].get("code") == expected
    status = "APPROVED" if expected is None else "MANUAL_REVIEW"
    assert (await shown(banco, verification_id))["status"] == status
    assert str((metadata or {}).get("ipAddress")) not in str(ended)
    history = (await history_of(banco, verification_id))["history"]
    (judged,) = (
        each["details"] for each in history if each["kind"] == "verification.step_finished"
    )
    was_looked_up = expected != "LOCATION_ADDRESS_UNKNOWN"
    assert ("databases" in judged["judgedBy"]) is was_looked_up


async def test_a_form_is_awaited_and_a_policy_reads_its_answers(banco, rival, begun, step):
    questions = [{"id": "ocupacion", "type": "text", "label": "¿Qué haces?", "required": True}]
    form_id = await make_form(banco, *questions)
    rule = {
        "name": "político",
        "when": "form.submitted && form.answers['ocupacion'] == 'senador'",
        "then": {"outcome": "REJECT", "reasons": ["PERSON_NOT_ELIGIBLE"]},
    }
    otherwise = {"outcome": "DEFAULT"}
    policy_id = await publish(banco, {"rules": [rule], "otherwise": otherwise})
    verification_id = await begun("FORM", policy_id=policy_id, formId=form_id)
    await step(verification_id, "WAITING_INPUT")

    async def answer(values):
        body = {"formId": form_id, "verificationId": verification_id, "values": values}
        return (await banco.post("/v1/custom-input/submit", json=body)).json()["valid"]

    assert not await answer({})
    await step(verification_id, "WAITING_INPUT")
    assert await answer({"ocupacion": "senador"})
    result = (await step(verification_id, "PASSED"))["result"]
    assert (result["formId"], result["answers"]) == (form_id, {"ocupacion": "senador"})
    assert (await shown(banco, verification_id))["status"] == "REJECTED"
    elsewhere = await begun("FORM", formId=await make_form(rival, *questions))
    assert (await step(elsewhere, *ENDED))["result"]["code"] == "FORM_NOT_FOUND"
    for config in ({}, {"formId": "x"}, {"formId": 1}):
        body = {"name": "x", "steps": [{"type": "FORM", "order": 0, "config": config}]}
        assert (await banco.post("/v1/workflows", json=body)).status_code == 422, config


@pytest.mark.parametrize(
    ("metadata", "config", "expected"),
    [
        (ASKED, {"minimumScore": 0}, None),
        (ASKED, {"minimumScore": 1000}, "CREDIT_SCORE_LOW"),
        (ASKED | {"rfc": "XUXX900201AB1"}, {}, "CREDIT_NO_FILE"),
        (ASKED | {"rfc": "XUXX900203AB1"}, {}, "CREDIT_NO_ANSWER"),
        (ASKED | {"rfc": "XUXX900206AB1"}, {}, "CREDIT_ALERT"),
        (ASKED | {"rfc": "XUXX900202AB1"}, {}, "CHECK_UNAVAILABLE"),
        (ASKED | {"creditConsentReference": None}, {}, "CREDIT_CONSENT_MISSING"),
        ({"creditConsentReference": "c"}, {}, "CREDIT_DATA_INSUFFICIENT"),
    ],
    ids=["score", "low", "no-file", "no-answer", "alert", "away", "no-consent", "no-name"],
)
async def test_a_credit_report_below_the_score_or_with_alerts_leads_to_review(
    banco, begun, step, metadata, config, expected
):
    ended = await step(await begun("CREDIT", metadata, **config), *ENDED)
    assert ended["result"].get("code") == expected
    if "checkId" in ended["result"]:
        check = await banco.get(f"/v1/credit/check/{ended['result']['checkId']}")
        assert check.status_code == 200
        assert check.json()["sandbox"] is True


async def test_a_job_that_runs_twice_consults_once(banco, services):
    actor = Actor(UUID(banco.organization_id), ActorType.SERVICE)
    data = CreditCheckCreate.model_validate(
        {"fullName": "Ana María de la Cruz Ruiz", "rfc": "CURA900505AB1"}
    )
    check_id, dead = uuid4(), uuid4()
    first, again = [await credit.consult_once(services, actor, check_id, data) for _ in range(2)]
    assert first.status == again.status == CheckStatus.COMPLETED
    assert first.finished_at == again.finished_at
    # Nobody was asked, so the next run asks.
    away = CreditCheckCreate.model_validate({"fullName": "Xux Xux Xux", "rfc": "XUXX900202AB1"})
    failed_id = uuid4()
    for _ in range(2):
        failed = await credit.consult_once(services, actor, failed_id, away)
        assert failed.status == CheckStatus.FAILED
    # A run that died after it asked: nobody asks again.
    async with services.database.transaction() as session:
        question = CreditCheck.question.seal(services.keys, dead, {})
        session.add(
            CreditCheck(
                id=dead,
                organization_id=actor.organization_id,
                status=CheckStatus.PENDING.value,
                provider="sandbox",
                is_sandbox=True,
                question_sealed=question,
            )
        )
    unknown = await credit.consult_once(services, actor, dead, data)
    assert (unknown.status, unknown.result_sealed) == (CheckStatus.UNKNOWN, None)
    async with services.database.transaction() as session:
        asked = select(func.count()).where(AuditEntry.action == Action.CREDIT_CHECK_REQUESTED.value)
        assert await session.scalar(asked) == 3


async def test_a_signature_is_awaited(banco, begun, step):
    verification_id = await begun("ESIGNATURE")
    await step(verification_id, "WAITING_INPUT")
    answer = await sign(banco, verification_id)
    assert answer.status_code == 201, answer.text
    result = (await step(verification_id, "PASSED"))["result"]
    assert (result["packageId"], result["tier"]) == (answer.json()["id"], "name_only")
    assert (await shown(banco, verification_id))["status"] == "APPROVED"
    assert tuple(Tier) == TIERS


def test_a_signature_that_rests_on_former_pictures_does_not_count():
    at = datetime(2026, 1, 31, tzinfo=UTC)
    document = VerificationStep(id=uuid4(), finished_at=at)
    fact = {"stepId": str(document.id), "passedAt": timestamp(at)}
    assert is_current({"evidence": {"document": fact, "face": None}}, [document])
    assert is_current({"evidence": {"document": None, "face": None}}, [document])
    document.finished_at = at + timedelta(seconds=1)
    assert not is_current({"evidence": {"document": fact, "face": None}}, [document])
    assert not is_current({"evidence": {"document": None, "face": fact}}, [])
