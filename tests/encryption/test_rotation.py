"""Rotation of the encryption keys, over everything that the service seals."""

import asyncio
import base64
from uuid import UUID

import httpx
import pyotp
import pytest
from pydantic import SecretStr
from sqlalchemy import select, update
from typer.testing import CliRunner

from acredita.cli import app as commands
from acredita.domain.liveness.challenge import PRINT_BYTES, Print
from acredita.kit.crypto import CannotUnseal, KeyRing
from acredita.kit.sealed import sealed_columns
from acredita.main import create_app
from acredita.models import (
    Base,
    Document,
    LicenceTruth,
    LivenessChallenge,
    Verification,
    VerificationStep,
)
from acredita.resources.aml.lists import sandbox
from acredita.resources.encryption import rotation
from acredita.resources.retention import holds
from acredita.resources.verifications import repeated_recordings
from tests.api.accounts.browsers import Tab
from tests.api.aml.conftest import Days
from tests.api.sdk.test_sessions import bearer, open_session, path
from tests.factories import samples, training
from tests.factories.belongings import (
    ANSWERS,
    CREDIT_CHECK,
    add_identity_provider,
    add_passkey,
    add_session,
    make_form,
)
from tests.factories.organizations import make_verification, make_workflow
from tests.retention.conftest import finished_verification

OLD, NEW = bytes(range(32)), bytes(range(32, 64))
OLD_RING = KeyRing({"old": OLD})
BOTH = KeyRing({"new": NEW, "old": OLD})
NEW_RING = KeyRing({"new": NEW})
RINGS = {"new": NEW, "old": OLD}


def as_setting(**keys):
    return ",".join(f"{name}:{base64.b64encode(key).decode()}" for name, key in keys.items())


@pytest.fixture
def settings(settings):
    return settings.model_copy(update={"encryption_keys": SecretStr(as_setting(old=OLD))})


@pytest.fixture
async def everything(banco, services):
    """At least one value in every sealed column: all of it made by the service itself."""
    verification_id = UUID(await finished_verification(banco, services))
    # First: it lets a worker do what there is, and mails that are sent are no longer sealed.
    await make_monitored(banco, services, str(verification_id))
    await make_webhook(banco)
    await make_film(services, verification_id)
    workflow_id = await make_workflow(banco)
    answer = await banco.post(
        "/v1/verifications", json={"workflowId": workflow_id}, headers={"Idempotency-Key": "once"}
    )
    assert answer.status_code == 201
    started = await banco.post("/v1/metamap/v2/verifications", json={"flowId": workflow_id})
    assert started.status_code == 200, started.text
    email = banco.registration["user"]["email"]
    await make_second_factor(banco, email)
    await add_passkey(services, await add_session(services, banco))
    await add_identity_provider(services, banco)
    asked = await banco.client.post("/v1/auth/forgot-password", json={"email": email})
    assert asked.status_code == 202
    await make_form_and_code(banco, str(verification_id))
    await make_links(banco, workflow_id)
    await make_signature(banco, str(verification_id))
    await make_consent_and_label(banco, services)
    await make_samples(banco, services)
    question = {"rfc": "XAXX010101000", "callbackUrl": "https://127.0.0.1/rfc"}
    answered = await banco.post("/v1/metamap/govchecks/v1/mx/rfc", json=question)
    assert answered.status_code == 200, answered.text
    check = await banco.post("/v1/credit/check", json=CREDIT_CHECK)
    async with services.database.transaction() as session:
        await holds.hold(session, services.keys, verification_id, "Juicio 123")
        await holds.hold(session, services.keys, UUID(check.json()["id"]), "Juicio 124")
        # As releases before the history wrote a reviewer's note.
        former = await session.get_one(Verification, verification_id)
        former.notes.seal(services.keys, "Se llamó por teléfono.")
    return verification_id


@pytest.fixture
async def finished(banco, services):
    """A verification with results, evidence and a document: enough where one column shows it."""
    return UUID(await finished_verification(banco, services))


async def make_second_factor(member, email):
    """A session, an authenticator app, and another one that is not confirmed yet."""
    tab = Tab(member.client)
    assert (await tab.sign_in(email)).status_code == 201
    begun = await tab.request("POST", "/v1/auth/totp")
    code = pyotp.TOTP(begun.json()["secret"]).now()
    confirmed = await tab.request("POST", "/v1/auth/totp/confirm", json={"code": code})
    assert confirmed.status_code == 200, confirmed.text
    assert (await tab.request("POST", "/v1/auth/totp")).status_code == 201


async def make_form_and_code(member, verification_id):
    """A form that was filled in, and a code that is not sent yet."""
    answers = {"formId": await make_form(member), "values": ANSWERS}
    submitted = await member.post(
        "/v1/custom-input/submit", json=answers | {"verificationId": verification_id}
    )
    assert submitted.json()["valid"], submitted.text
    destination = {"channel": "sms", "destination": "+525512345678"}
    sent = await member.client.post(
        "/v1/otp/send", json=destination | {"verificationId": verification_id}
    )
    assert sent.status_code == 200, sent.text


async def make_links(member, workflow_id):
    """A link for the person that leads back, and a hand-over whose message is not sent yet."""
    origins = {"allowedOrigins": ["https://app.banco.example"]}
    await member.put("/v1/organizations/me/allowed-origins", json=origins)
    capture = {"returnUrl": "https://app.banco.example/alta"}
    body = {"workflowId": workflow_id, "capture": capture}
    made = await member.post("/v1/verifications", json=body)
    assert made.status_code == 201, made.text
    opened = await open_session(member.client, member, workflow_id)
    message = {"channel": "sms", "destination": "+52 55 1234 5678"}
    started = await member.client.post(
        path(opened, "/hand-over"), json={"send": message}, headers=bearer(opened["token"])
    )
    assert started.status_code == 201, started.text


async def make_signature(member, verification_id):
    """A package of documents, signed or yet to be."""
    answer = await member.post(
        "/v1/esignature/sign",
        json={
            "verificationId": verification_id,
            "tier": "name_only",
            "signerName": "Juana Pérez",
            "documents": [{"title": "Contrato", "content": "Las partes acuerdan…"}],
        },
    )
    assert answer.status_code == 201, answer.text


async def make_consent_and_label(member, services):
    verification_id = await make_verification(member)
    consent = {"version": "1", "locale": "es-MX", "acceptedAt": "2026-11-21T00:00:00Z"}
    given = await member.client.post(
        f"/v1/sdk/verifications/{verification_id}/consent", json=consent
    )
    assert given.status_code == 201, given.text
    document_id = await training.make_read_document(services, member, samples.picture())
    label = {"fields": [{"fieldName": "curp", "wasMlCorrect": True, "notes": "Ana"}]}
    labelled = await member.post(f"/v1/training/docs/{document_id}/labels", json=label)
    assert labelled.status_code == 201, labelled.text


async def make_samples(member, services):
    """A licence that was read twice, and a pair."""
    await samples.add_selfie(member)
    truth_id = UUID((await samples.add_licence(member))["id"])
    async with services.database.transaction() as session:
        truth = await session.get_one(LicenceTruth, truth_id)
        truth.reading.seal(services.keys, {"curp": ("PEGJ900517HJCRRN05", 0.9)})
        truth.previous_sealed = truth.reading_sealed


async def make_monitored(member, services, verification_id):
    """An index, somebody who is monitored, and a match that was told of and dismissed."""
    days = Days(services)
    assert await sandbox.install(services)
    await days.pass_to(0)
    body = {"fullName": "Ottoline Fanshawe-Dubois", "enabled": True}
    screened = await member.post("/v1/aml/screen", json={"fullName": body["fullName"]})
    assert screened.status_code == 200, screened.text
    switched = await member.post("/v1/aml/monitor", json=body | {"verificationId": verification_id})
    assert switched.json()["monitoring"], switched.text
    await days.pass_to(0)
    shown = (await member.get(f"/v1/aml/monitor/{verification_id}")).json()
    (match,) = shown["matches"]
    dismissed = await member.patch(
        f"/v1/aml/monitor/{verification_id}/matches/{match['id']}",
        json={"dismissed": True, "notes": "Nació en otro año."},
    )
    assert dismissed.status_code == 200, dismissed.text


async def make_film(services, verification_id):
    """A challenge that was answered, and what its film is known by."""
    async with services.database.transaction() as session:
        verification = await session.get_one(Verification, verification_id)
        challenge = LivenessChallenge(
            organization_id=verification.organization_id,
            verification_id=verification_id,
            nonce_digest=b"digest",
            prompts=[],
            expires_at=services.clock.now(),
        )
        session.add(challenge)
    await repeated_recordings.store_film(services, challenge, [Print(bytes(PRINT_BYTES), ((1,),))])


async def make_webhook(member):
    answer = await member.post(
        "/v1/webhooks",
        json={
            "url": "https://hooks.example/all",
            "events": ["verification.completed"],
            "secret": "a-secret-of-their-own-0123456789",
        },
    )
    assert answer.status_code == 201, answer.text


async def opened(services, ring):
    """What every sealed value holds: by column, then by the row's key."""
    values = {}
    async with services.database.transaction() as session:
        for column in sealed_columns(Base):
            query = select(column.key, column.column).where(column.column.is_not(None))
            values[column.name] = {
                key: ring.unseal(sealed, context=column.context(key))
                for key, sealed in await session.execute(query)
            }
    return values


async def rotate(services, ring=BOTH):
    return [step async for step in rotation.rotate(services.database, ring)]


async def counts(services):
    async with services.database.reading() as connection:
        return dict(await rotation.seals_by_key(connection))


async def test_everything_comes_under_the_newest_key_and_opens_as_before(
    everything, services, banco
):
    before = await opened(services, OLD_RING)
    assert all(before.values()), [name for name, values in before.items() if not values]
    number = sum(len(values) for values in before.values())
    assert await counts(services) == {"old": number}

    steps = await rotate(services)
    assert sum(step.sealed for step in steps) == number
    assert not any(step.missed or step.unreadable for step in steps)
    assert await counts(services) == {"new": number}
    assert await opened(services, NEW_RING) == before
    with pytest.raises(CannotUnseal):
        await opened(services, OLD_RING)
    assert sum(step.sealed for step in await rotate(services)) == 0


async def test_a_rotation_that_was_stopped_goes_on_where_it_was(everything, services, monkeypatch):
    monkeypatch.setattr(rotation, "BATCH", 1)
    before = await opened(services, OLD_RING)
    number = sum(len(values) for values in before.values())
    rotating = rotation.rotate(services.database, BOTH)
    done = 0
    async for step in rotating:
        done += step.sealed
        if done == 3:
            break
    await rotating.aclose()
    assert await counts(services) == {"new": 3, "old": number - 3}
    assert await opened(services, BOTH) == before
    assert sum(step.sealed for step in await rotate(services)) == number - 3
    assert await opened(services, NEW_RING) == before


@pytest.mark.parametrize("writes", [120, pytest.param(300, marks=pytest.mark.thorough)])
async def test_rotations_and_writers_at_the_same_time_lose_nothing(
    banco, services, monkeypatch, writes
):
    """Writers seal with either key, as processes do of which some are restarted already."""
    monkeypatch.setattr(rotation, "BATCH", 7)
    workflow_id = await make_workflow(banco)
    ids = [UUID(await make_verification(banco, workflow_id)) for _ in range(20)]
    written = {}

    async def write(number):
        verification_id = ids[number % len(ids)]
        ring = (OLD_RING, BOTH)[number % 2]
        notes = f"notes {number}"
        async with services.database.transaction() as session:
            await session.get_one(Verification, verification_id, with_for_update=True)
            await session.execute(
                update(Verification)
                .where(Verification.id == verification_id)
                .values(notes_sealed=Verification.notes.seal(ring, verification_id, notes))
            )
            written[verification_id] = notes.encode()

    for number in range(20):
        await write(number)

    async def keep_writing():
        for number in range(20, writes):
            await write(number)

    async def keep_rotating():
        while not writer.done():
            await rotate(services)

    writer = asyncio.create_task(keep_writing())
    await asyncio.gather(writer, keep_rotating(), keep_rotating())
    await rotate(services)
    assert (await opened(services, NEW_RING))["verification.notes_sealed"] == written
    assert set(await counts(services)) == {"new"}


async def test_a_row_that_somebody_holds_is_passed_over_and_counted(finished, services):
    async with services.database.transaction() as session:
        await session.execute(
            select(VerificationStep.id)
            .where(VerificationStep.verification_id == finished)
            .with_for_update()
        )
        steps = await asyncio.wait_for(rotate(services), 10)
    missed = {step.column.name for step in steps if step.missed}
    assert missed == {"verification_step.result_sealed", "verification_step.evidence_sealed"}
    assert (await counts(services))["old"] == 2
    await rotate(services)
    assert set(await counts(services)) == {"new"}


@pytest.mark.usefixtures("finished")
async def test_a_value_that_no_key_opens_is_left_as_it_is(services):
    lost = Verification.notes.seal(KeyRing({"lost": bytes(32)}), UUID(int=0), "x")
    async with services.database.transaction() as session:
        changed = await session.execute(update(Verification).values(notes_sealed=lost))
    steps = await rotate(services)
    assert sum(step.unreadable for step in steps) == changed.rowcount
    assert set(await counts(services)) == {"new", "lost"}
    async with services.database.transaction() as session:
        assert set(await session.scalars(select(Verification.notes_sealed))) == {lost}


@pytest.fixture
def command(settings, monkeypatch):
    async def run(*arguments, **ring):
        monkeypatch.setenv("ACREDITA_ENV", "test")
        monkeypatch.setenv("ACREDITA_DATABASE_URL", settings.database_url)
        monkeypatch.setenv("ACREDITA_ENCRYPTION_KEYS", as_setting(**ring))
        return await asyncio.to_thread(CliRunner().invoke, commands, ["keys", *arguments])

    return run


@pytest.mark.usefixtures("finished")
async def test_the_commands_count_rotate_and_say_what_may_be_taken_out(services, command):
    number = (await counts(services))["old"]
    before = await command("status", new=NEW, old=OLD)
    assert before.exit_code == 0
    assert [line.split()[:3] for line in before.stdout.splitlines()] == [
        ["new", "0", "seals"],
        ["old", str(number), "to"],
    ]
    rotated = await command("rotate", new=NEW, old=OLD)
    assert rotated.exit_code == 0, rotated.output
    assert f"{number} values sealed again with key new" in rotated.output
    after = await command("status", new=NEW, old=OLD)
    assert "old" in after.output
    assert "may be taken out" in after.output
    missing = await command("status", old=OLD)
    assert missing.exit_code == 1
    assert "IS NOT SET" in missing.output
    assert (await command("rotate", old=OLD)).exit_code == 1


async def test_a_new_key_is_one_that_the_setting_takes(command):
    made = (await command("new", old=OLD)).stdout.splitlines()[0]
    ring = KeyRing.from_text(f"{made},{as_setting(old=OLD)}")
    assert ring.newest.startswith("k20")
    assert ring.ids == (ring.newest, "old")
    assert (await command("new", old=OLD)).stdout.splitlines()[0] != made


@pytest.mark.usefixtures("finished")
async def test_a_document_is_shown_before_and_after_a_rotation(services, banco):
    async with services.database.transaction() as session:
        document = (await session.scalars(select(Document).limit(1))).one()
    key_before = document.data_key_sealed
    await rotate(services)
    async with services.database.transaction() as session:
        document = await session.get_one(Document, document.id)
    assert document.data_key_sealed != key_before
    image = await banco.get(f"/v1/documents/{document.id}/image")
    # This application has the old key alone: it says so, and shows nothing else in its place.
    assert image.status_code == 500
    both = services.settings.model_copy(update={"encryption_keys": SecretStr(as_setting(**RINGS))})
    app = create_app(both)
    transport = httpx.ASGITransport(app=app)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://test") as client,
    ):
        path = f"/v1/documents/{document.id}/image"
        assert (await client.get(path, headers=banco.headers)).status_code == 200
