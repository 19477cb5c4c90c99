"""What changes after a decision shows in its evidence, and what is right stays right."""

import asyncio
import shutil
import subprocess
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from uuid import UUID

import orjson
import pytest
from cryptography.x509.oid import ExtendedKeyUsageOID
from sqlalchemy import text

from acredita.domain.audit import Action, ActorType, canonical
from acredita.domain.reasons import AnyStepReason
from acredita.domain.subject import Subject
from acredita.domain.verification import StepStatus
from acredita.engines.evidence import container
from acredita.engines.evidence.verification import verify
from acredita.engines.signing.seal import Seal, SealFiles
from acredita.kit import development_authority
from acredita.models import Document, Verification, VerificationStep
from acredita.providers.timestamps import tokens
from acredita.providers.timestamps.local import LocalAuthority
from acredita.providers.timestamps.protocol import Timestamp
from acredita.resources.audit import service as audit
from acredita.resources.audit.service import Actor
from acredita.resources.verifications import pipeline, policy_decisions
from acredita.resources.verifications.outcome import StepOutcome
from acredita.resources.verifications.steps import running
from tests.api.verifications.test_evidence_file import (
    anchors_of,
    chain,
    decided,
    download,
    members_of,
    repacked,
)
from tests.api.verifications.test_history import as_owner, history_of, second_user
from tests.api.verifications.test_override import begin, decide
from tests.api.workflows.test_policy_routes import publish, rules, with_policy
from tests.api.workflows.test_policy_simulations import start, work
from tests.factories.organizations import make_verification, with_new_key
from tests.factories.pages import block
from tests.factories.samples import picture

UNTRUSTED = "the report: its certificate, or its time stamp's, does not chain to a trust anchor"
CHANGED = "the record: its files or results are not those whose digest the audit log has"


async def faults_of(member, verification_id):
    content = await download(member, verification_id)
    return (await asyncio.to_thread(verify, content)).faults


async def test_a_file_or_a_result_that_changes_after_the_decision_is_found(banco, services):
    verification_id = await decided(banco, services)
    assert await faults_of(banco, verification_id) == []

    async def change(model, **values):
        async with services.database.transaction() as session:
            query = model.__table__.select().where(model.verification_id == UUID(verification_id))
            row = (await session.execute(query)).one()
            found = await session.get_one(model, row.id)
            former = {name: getattr(found, name) for name in values}
            for name, value in values.items():
                setattr(found, name, value)
        return former

    async with services.database.transaction() as session:
        (step_id,) = await session.scalars(
            text("SELECT id FROM verification_step WHERE verification_id = :id"),
            {"id": verification_id},
        )
    # With the keys of the installation, but the same decision follows from it.
    sealed = VerificationStep.result.seal_in(
        services.keys, VerificationStep.result.context(step_id), {"pages": ["x"]}
    )
    for model, values in (
        (VerificationStep, {"result_sealed": sealed}),
        (VerificationStep, {"judged_by": {"engine": "e/2", "rules": "r/1"}}),
        (Document, {"sha256": bytes(32)}),
    ):
        former = await change(model, **values)
        (fault,) = await faults_of(banco, verification_id)
        assert fault.startswith(CHANGED), fault
        await change(model, **former)
    assert await faults_of(banco, verification_id) == []
    async with services.database.transaction() as session:
        verification = await session.get_one(Verification, UUID(verification_id))
        verification.decision = None
    assert await faults_of(banco, verification_id) == [
        "the record: it lacks the decision that the audit log has"
    ]


async def test_a_reviewer_who_ends_a_second_run_leaves_no_decision_without_its_steps(
    banco, services
):
    verification_id = await make_verification(banco)
    step_id = await begin(services, UUID(verification_id))
    outcome = StepOutcome(StepStatus.REVIEW, AnyStepReason.CHECK_UNAVAILABLE)
    async with services.database.transaction() as session:
        found = await running.load(session, step_id, lock=True)
        await pipeline.finish_step(session, services, found.verification, found.step, outcome)
    assert (await banco.post(f"/v1/verifications/{verification_id}/run-again")).is_success
    assert (await decide(banco, verification_id, "APPROVED")).is_success
    await chain(services)
    content = await download(banco, verification_id)
    findings = await asyncio.to_thread(verify, content)
    assert findings.faults == []
    assert any("a reviewer decided without one" in s for s in findings.not_checked)
    record = orjson.loads(members_of(content)["record.json"])
    assert record["decision"] is None
    # The former decision stays in the history.
    kinds = [entry["kind"] for entry in (await history_of(banco, verification_id))["history"]]
    assert kinds.count("verification.decided") == kinds.count("verification.overridden") == 1


class Stamps:
    """A time-stamping authority with another clock, without the check of the service."""

    is_sandbox = True

    def __init__(self, folder, moment=None):
        self.authority = LocalAuthority(folder)
        self.authority._stamper.fixed_dt = moment

    async def stamp(self, digest):
        request = tokens.TimestampRequest(digest)
        answer = tokens.TimeStampResponse.load(self.authority.answer(request.der))
        return Timestamp(answer["time_stamp_token"].dump(), datetime.now(UTC), "x")


def another_authority(folder, root=None):
    """One with other certificates, by a new root if none is given; the authorities of all other
    folders are copies of one."""
    folder.mkdir()
    root = root or development_authority._root()
    development_authority._write(folder, development_authority.ROOT, root)
    for name, purpose in (
        (development_authority.SIGNER, None),
        (development_authority.TIMESTAMPS, ExtendedKeyUsageOID.TIME_STAMPING),
    ):
        pair = development_authority._issue(root, name, purpose)
        development_authority._write(folder, name, pair)
    return folder


async def test_a_file_signed_or_stamped_by_another_authority_or_with_an_old_stamp_is_found(
    app, banco, services, tmp_path
):
    verification_id = await decided(banco, services)
    anchors, others = anchors_of(services, tmp_path), another_authority(tmp_path / "other")
    folder = services.settings.development_authority_folder
    long_ago = datetime.now(UTC) - timedelta(minutes=30)
    for changed, fault in (
        ({"seal": Seal(SealFiles(others))}, UNTRUSTED),
        ({"timestamps": Stamps(others)}, UNTRUSTED),
        ({"timestamps": Stamps(folder, long_ago)}, "the record: it tells of what came after"),
    ):
        app.state.services = replace(services, **changed)
        content = await download(banco, verification_id)
        (found,) = (await asyncio.to_thread(verify, content, anchors)).faults
        assert found.startswith(fault), found
        # Without trust anchors nothing else tells such a file from one of the service.
        findings = await asyncio.to_thread(verify, content)
        assert not findings.is_trusted
        assert findings.faults == ([] if fault == UNTRUSTED else [found])


class TwoSeals(Seal):
    """The service's seal, with which somebody else signs what is no report."""

    def __init__(self, files, other):
        super().__init__(files)
        self.sign_content = other.sign_content


async def test_a_head_that_the_service_did_not_sign_is_found_and_never_gets_its_signature(
    app, banco, services, tmp_path
):
    verification_id = await decided(banco, services)
    content = await download(banco, verification_id)
    members = members_of(content)
    audit = orjson.loads(members[container.AUDIT])
    said = (await asyncio.to_thread(verify, content)).checked
    assert (
        f"the head of the audit log's chain, entry {audit['head']['position']} at"
        f" {audit['head']['signedAt']}: the certificate of the report signed it"
    ) in said
    (tmp_path / container.HEAD).write_bytes(members[container.HEAD])
    anchors_of(services, tmp_path).rename(tmp_path / "anchors.pem")
    pages = (
        ("docs/compliance/evidence.md", "docs/es/evidencia.md") if shutil.which("openssl") else ()
    )
    for page in pages:
        command = ["sh", "-c", block(page, "the signed head")]
        done = await asyncio.to_thread(
            subprocess.run, command, cwd=tmp_path, capture_output=True, check=True
        )
        assert done.stdout == canonical(audit["head"]).encode()
    later = {**audit, "head": {**audit["head"], "position": audit["head"]["position"] + 1}}
    signed = members[container.HEAD]
    for changes, fault in (
        ({container.AUDIT: canonical(later).encode()}, "is not the one that was signed"),
        ({container.HEAD: signed[:-1] + bytes([signed[-1] ^ 1])}, "is not what was signed"),
        ({container.HEAD: b"x"}, "the signed message is damaged"),
    ):
        found = (await asyncio.to_thread(verify, repacked(members, **changes))).faults
        assert fault in found[-1], found
    other = Seal(SealFiles(another_authority(tmp_path / "other")))
    folder = services.settings.development_authority_folder
    app.state.services = replace(services, seal=TwoSeals(SealFiles(folder), other))
    (found,) = await faults_of(banco, verification_id)
    assert found == "the record: the certificate of the report did not sign its segment's head"
    app.state.services = services
    async with services.database.transaction() as session:
        head = "UPDATE audit_head SET signature = decode(repeat('00', 32), 'hex')"
        await session.execute(text("ALTER TABLE audit_head DISABLE TRIGGER USER"))
        await session.execute(text(head))
        await session.execute(text("ALTER TABLE audit_head ENABLE TRIGGER USER"))
    content = await download(banco, verification_id)
    assert container.HEAD not in members_of(content)
    findings = await asyncio.to_thread(verify, content)
    assert "the head of the audit log's chain: no certificate signed it" in findings.not_checked
    assert findings.faults == []


async def test_only_the_certificates_of_the_service_pin_who_made_a_file(
    app, banco, services, tmp_path
):
    verification_id = await decided(banco, services)
    anchors, pinned = anchors_of(services, tmp_path), tmp_path / "pinned.pem"
    content = await download(banco, verification_id)
    folder = services.settings.development_authority_folder
    root = development_authority.development_authority(folder).root
    pinned.write_bytes(
        b"".join(
            (folder / f"{name}.pem").read_bytes()
            for name in (development_authority.SIGNER, development_authority.TIMESTAMPS)
        )
    )
    # Somebody else whom the same authority certified.
    others = another_authority(tmp_path / "other", root)
    app.state.services = replace(services, seal=Seal(SealFiles(others)))
    forged = await download(banco, verification_id)
    for file, trusted, faults in (
        (content, anchors, []),
        (content, pinned, []),
        (forged, anchors, []),
        (forged, pinned, [UNTRUSTED]),
    ):
        findings = await asyncio.to_thread(verify, file, trusted)
        assert (findings.faults, findings.is_trusted) == (faults, not faults)


async def test_a_request_for_other_pictures_ends_a_proposal_and_the_decision_about_the_former_ones(
    banco, services
):
    verification_id = await decided(banco, services, status=StepStatus.REVIEW)
    path = f"/v1/verifications/{verification_id}"
    two = {"requiresSecondReviewer": True}
    assert (await banco.patch("/v1/organizations/me", json=two)).is_success
    owner, reviewer = await as_owner(banco), await second_user(banco, services)

    async def proposed(status):
        answer = await owner.patch(f"{path}/status", json={"status": status})
        return {"proposal": answer.json()["proposal"]["id"]}

    former = await proposed("APPROVED")
    assert (await owner.post(f"{path}/retake", json={"pictures": ["front"]})).is_success
    # The person may send other pictures than those that the proposal is about.
    confirmed = await reviewer.post(f"{path}/proposal/confirm", json=former)
    assert confirmed.json().get("error", {}).get("code") == "NO_PROPOSAL", confirmed.text
    # No pictures come. What two reviewers decide then, they decide without the rules.
    later = await proposed("REJECTED")
    assert (await reviewer.post(f"{path}/proposal/confirm", json=later)).is_success
    await chain(services)
    findings = await asyncio.to_thread(verify, await download(banco, verification_id))
    assert findings.faults == []
    assert any("a reviewer decided without one" in said for said in findings.not_checked)


async def test_an_act_that_is_recorded_late_with_an_earlier_time_changes_no_evidence(
    banco, services
):
    policy_id = await publish(banco, rules("code.confirmed", then={"outcome": "REJECT"}))
    verification_id = await decided(banco, services, await with_policy(banco, policy_id))
    async with services.database.transaction() as session:
        actor = Actor(UUID(banco.organization_id), ActorType.SERVICE)
        audit.record(session, actor, Action.CODE_CONFIRMED, UUID(verification_id))
    async with services.database.transaction() as session:
        # Its transaction began before the decision and committed after it.
        await session.execute(text("ALTER TABLE audit_log DISABLE TRIGGER USER"))
        moved = "UPDATE audit_log SET created_at = now() - interval '1 hour' WHERE action = :kind"
        await session.execute(text(moved), {"kind": Action.CODE_CONFIRMED.value})
        await session.execute(text("ALTER TABLE audit_log ENABLE TRIGGER USER"))
    content = await download(banco, verification_id)
    record = orjson.loads(members_of(content)["record.json"])
    assert record["variables"]["code.confirmed"] is False
    assert record["decision"]["policy"]["acts"] == {"codeConfirmed": False, "formSubmitted": False}
    assert (await asyncio.to_thread(verify, content)).faults == []
    replayed = await banco.post(f"/v1/verifications/{verification_id}/replay", json={})
    assert replayed.json()["isSame"] is True
    address = await start(banco, policy_id)
    await work(services)
    simulated = (await banco.get(address)).json()["simulation"]
    assert (simulated["evaluated"], simulated["changed"]) == (1, 0)

    # A personal value must not stand for what the record says of the steps.
    personal = canonical({"salt": "00", "variables": {"code.confirmed": True}}).encode()
    lie = {**record, "personal": {"sha256": container.sha256(personal).hexdigest()}}
    members = members_of(content) | {container.PERSONAL: personal}
    forged = repacked(members, **{container.RECORD: canonical(lie).encode()})
    found = (await asyncio.to_thread(verify, forged)).faults
    assert found[-1] == "the record: a personal value replaces a variable of the record"


async def test_an_admin_can_have_the_images_in_the_file_and_they_are_those_uploaded(
    banco, services
):
    verification_id = await decided(banco, services)
    path = f"/v1/verifications/{verification_id}/evidence?images=true"
    reviewer = await with_new_key(banco, "REVIEWER")
    assert (await reviewer.get(path)).status_code == 403
    answer = await banco.get(path)
    assert answer.status_code == 200, answer.text
    members = members_of(answer.content)
    (name,) = (name for name in members if name.startswith("images/"))
    assert members[name] == picture()
    findings = await asyncio.to_thread(verify, answer.content)
    assert findings.faults == []
    assert any("SHA-256 of 1 images" in said for said in findings.checked)
    forged = repacked(members, **{name: b"another"})
    found = (await asyncio.to_thread(verify, forged)).faults
    assert found[-1] == "the record: an image is not the one that was uploaded"
    other = repacked(members, **{f"images/{verification_id}.jpg": picture()})
    assert (await asyncio.to_thread(verify, other)).faults[-1] == found[-1]
    log = await banco.get("/v1/audit-logs", params={"action": "verification.evidence_exported"})
    assert log.json()["auditLogs"][0]["details"]["images"] == 1


@pytest.mark.parametrize(
    ("moment", "day"),
    [("2026-02-01T05:59:59", "2026-01-31"), ("2026-02-01T06:00:00", "2026-02-01")],
)
def test_a_birthday_begins_at_midnight_in_mexico(services, moment, day):
    facts = policy_decisions.make_facts(
        services.keys,
        Verification(has_session=False),
        [],
        Subject(),
        datetime.fromisoformat(moment).replace(tzinfo=UTC),
        code_confirmed=False,
        form_submitted=False,
    )
    assert facts.today == date.fromisoformat(day)
