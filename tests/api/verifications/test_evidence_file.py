"""GET /v1/verifications/{id}/evidence, and `acredita verify-decision` on what it returns."""

import asyncio
import contextlib
import io
import platform
import random
import re
import subprocess
import zipfile
from collections import Counter
from dataclasses import replace
from hashlib import sha256
from uuid import UUID

import numpy as np
import orjson
import pypdfium2
import pytest
from cryptography.hazmat.primitives import serialization
from typer import Exit

from acredita.cli.decision import verify_decision
from acredita.domain.audit import canonical
from acredita.domain.reasons import DocumentReason
from acredita.domain.verification import StepStatus
from acredita.engines.evidence import container
from acredita.engines.evidence.verification import verify
from acredita.kit.development_authority import development_authority
from acredita.resources.audit import heads
from acredita.resources.audit.chaining import chain_all
from acredita.resources.verifications import pipeline
from acredita.resources.verifications.outcome import StepOutcome
from acredita.resources.verifications.steps import running
from tests.api.verifications.test_override import begin, decide
from tests.api.workflows.test_policy_routes import publish, publish_draft, rules, with_policy
from tests.factories.organizations import make_verification, with_new_key
from tests.factories.pages import block
from tests.factories.samples import picture
from tests.factories.verifier import Verifier

NAMES = {"curp": "GOMC900101MDFRRR09", "firstName": "MARÍA"}
READ = [
    {"field": name, "value": value, "decision": "ACCEPTED", "confidence": 0.9}
    for name, value in NAMES.items()
]


async def download(member, verification_id):
    answer = await member.get(f"/v1/verifications/{verification_id}/evidence")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/zip"
    return answer.content


async def decided(member, services, workflow_id=None, status=StepStatus.PASSED):
    """A verification with a file and read fields, whose step ended; the chain has a signed head."""
    verification_id = await make_verification(member, workflow_id)
    files = [("front", ("x.jpg", picture(), "image/jpeg"))]
    uploaded = await member.post(f"/v1/verifications/{verification_id}/inputs", files=files)
    assert uploaded.status_code == 202
    step_id = await begin(services, UUID(verification_id))
    code = DocumentReason.DOCUMENT_EXPIRED if status is StepStatus.REVIEW else None
    outcome = StepOutcome(status, code, {"pages": []}, READ, {"engine": "e/1", "rules": "r/1"})
    async with services.database.transaction() as session:
        found = await running.load(session, step_id, lock=True)
        await pipeline.finish_step(session, services, found.verification, found.step, outcome)
    await chain(services)
    return verification_id


async def chain(services):
    await chain_all(services.database, services.signer)
    async with services.database.transaction() as session:
        await heads.sign_grown_chains(session, services.signer)


def members_of(content):
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def repacked(members, **changes):
    """The file of someone who recomputes all digests, but cannot sign."""
    rest = {name: members[name] for name in members if name != container.SUMS} | changes
    rest[container.MANIFEST] = container.manifest_of(rest)
    return container.pack(rest)


def anchors_of(services, folder):
    root = development_authority(services.settings.development_authority_folder).root.certificate
    anchors = folder / "root.pem"
    anchors.write_bytes(root.public_bytes(serialization.Encoding.PEM))
    return anchors


def text_of(report):
    """The text of a PDF without its line breaks."""
    pages = pypdfium2.PdfDocument(report)
    return "".join(page.get_textpage().get_text_range() for page in pages).replace("\r\n", "")


@pytest.fixture(scope="module")
def verifier(tmp_path_factory):
    return Verifier(tmp_path_factory.mktemp("verifier"))


def of_command(file, trusted=None):
    """Return the exit code of `acredita verify-decision` and what it prints."""
    with contextlib.redirect_stdout(io.StringIO()) as said, pytest.raises(Exit) as ended:
        verify_decision(file, trusted)
    return ended.value.exit_code, said.getvalue()


def told_of_code(members, record, **named):
    """Return the verifier's sentences about the code that it does not check.

    `named`: what the decision's entry in the history says of its service.
    """
    former = orjson.loads(orjson.dumps(record))
    for entry in former["history"]:
        if entry["kind"] == "verification.decided":
            entry["details"]["service"] = {"version": "0.1.0", "commit": None, **named}
    said = verify(repacked(members, **{"record.json": canonical(former).encode()})).not_checked
    return [sentence for sentence in said if "decided" in sentence]


def with_another_byte(content, rng):
    """Return the content with one random byte replaced by another one."""
    place = rng.randrange(len(content))
    other = (content[place] + rng.randrange(1, 256)) % 256
    return content[:place] + bytes([other]) + content[place + 1 :]


def resummed(members):
    """The file with new SHA-256 sums, but the manifest and the report that the service sealed."""
    return container.pack({n: c for n, c in members.items() if n != container.SUMS})


def resealed(members, name):
    """The file with another content of a member, and the ZIP's own checksums made again."""
    output = io.BytesIO()
    with zipfile.ZipFile(output, "w") as archive:
        for each, content in members.items():
            archive.writestr(each, content + b" " if each == name else content)
    return output.getvalue()


async def unnoticed(content, changes, trusted, seed, *, of_each=1):
    """Return how many changes of one byte are not found, by member: in the file as it is (None),
    and in a member whose sums are made again.
    """
    rng, missed = random.Random(seed), Counter()
    members = members_of(content)

    def check():
        for _ in range(changes):
            if not verify(with_another_byte(content, rng), trusted).faults:
                missed[None] += 1
        for name in members.keys() - {container.SUMS}:
            for _ in range(of_each):
                changed = members | {name: with_another_byte(members[name], rng)}
                if not verify(resummed(changed), trusted).faults:
                    missed[name] += 1

    await asyncio.to_thread(check)
    return missed


async def test_the_fault_names_the_member_that_changed(banco, services, tmp_path):
    content = await download(banco, await decided(banco, services))
    members, anchors = members_of(content), anchors_of(services, tmp_path)
    for name, member in members.items():
        changed = bytearray(content)
        changed[content.index(member) + len(member) // 2] ^= 1
        (fault,) = verify(bytes(changed), anchors).faults
        assert fault == f"the file: {name} is damaged"
        if name not in {container.MANIFEST, container.SUMS}:
            (fault, *_) = verify(resealed(members, name), anchors).faults
            assert fault == f"the file: {name}: not the SHA-256 in SHA256SUMS"
    summed = resummed(members | {"record.json": members["record.json"] + b" "})
    assert verify(summed, anchors).faults == [
        "the file: record.json: not the SHA-256 in manifest.json"
    ]


async def test_the_file_proves_its_decision_offline_and_any_changed_byte_is_found(
    banco, rival, services, verifier, tmp_path
):
    verification_id = await decided(banco, services, status=StepStatus.REVIEW)
    assert (await decide(banco, verification_id, "REJECTED", notes="Señora Gómez")).is_success
    await chain(services)
    content = await download(banco, verification_id)
    members = members_of(content)
    assert list(members) == [
        "record.json",
        "audit.json",
        "head.p7m",
        "manifest.json",
        "report.pdf",
        "certificates.pem",
        "SHA256SUMS",
    ]
    # Of the signature and of the time stamp.
    assert members["certificates.pem"].count(b"BEGIN CERTIFICATE") >= 2
    record = orjson.loads(members["record.json"])
    assert canonical(record).encode() == members["record.json"]
    (document,) = record["inputs"]
    assert document["sha256"] == sha256(picture()).hexdigest()
    (step,) = record["steps"]
    assert step["evidenceSha256"] == sha256(orjson.dumps(READ)).hexdigest()
    assert step["judgedBy"].items() >= {"engine": "e/1", "rules": "r/1"}.items()
    digests = [step["judgedBy"][name] for name in ("code", "models", "libraries")]
    assert all(re.fullmatch("[0-9a-f]{64}", digest) for digest in digests)
    assert record["decision"]["status"] == "MANUAL_REVIEW"
    assert record["verification"]["status"] == "REJECTED"
    everything = b"".join(members.values())
    for private in ("Gómez", *NAMES.values()):
        assert private.encode() not in everything

    findings = await asyncio.to_thread(verify, content)
    assert (findings.faults, findings.is_signed) == ([], True)
    assert any("MANUAL_REVIEW follows from the record" in s for s in findings.checked)
    assert any("digest that the audit log recorded" in s for s in findings.checked)
    assert any("WHOSE CERTIFICATES THOSE ARE" in s for s in findings.not_checked)
    assert not any("no signed head covers" in s for s in findings.not_checked)
    anchors = anchors_of(services, tmp_path)
    assert await unnoticed(content, 100, anchors, seed=21) == {}
    # Nor does it help to recompute the digests: the signed report has the manifest.
    lie = members["record.json"].replace(b'"REJECTED"', b'"APPROVED"')
    lying = repacked(members, **{"record.json": lie})
    assert (await asyncio.to_thread(verify, lying)).faults == [
        "the report: its signature covers other members than those of the file",
        "the record: its status is not the last one in the audit log",
    ]

    file = tmp_path / "evidence.zip"
    file.write_bytes(content)
    done = verifier.run(file, "--trusted", anchors)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Checked: both certificates chain to a trust anchor" in done.stdout
    # It has some of the modules, and the list of all of them.
    assert f"Checked: the code that decided: it is this program's, {digests[0]}." in done.stdout
    assert "cel-expr-python" in done.stdout.partition("libraries that judged and that")[2]
    assert "onnxruntime" in done.stdout.partition("has the libraries that judged: ")[2]

    history = (await banco.get(f"/v1/verifications/{verification_id}/history")).json()["history"]
    exported = history[-1]
    assert exported["kind"] == "verification.evidence_exported"
    assert exported["details"]["file"] == sha256(content).hexdigest()
    path = f"/v1/verifications/{verification_id}/evidence"
    assert (await rival.get(path)).status_code == 404
    assert (await (await with_new_key(banco, "MEMBER")).get(path)).status_code == 403
    open_one = await make_verification(banco)
    answer = await banco.get(f"/v1/verifications/{open_one}/evidence")
    assert answer.json()["error"]["code"] == "NOTHING_TO_REPLAY"


async def test_a_policys_decision_follows_from_the_record_and_a_withheld_value_from_its_member(
    banco, services
):
    policy_id = await publish(
        banco, rules("field.curp.value.startsWith('GOMC')", then={"outcome": "REJECT"})
    )
    verification_id = await decided(banco, services, await with_policy(banco, policy_id))
    # What happens later does not change the record.
    later = rules("true", then={"outcome": "APPROVE"})
    assert (await banco.put(f"/v1/policies/{policy_id}/draft", json=later)).is_success
    assert (await publish_draft(banco, policy_id)).is_success
    members = members_of(await download(banco, verification_id))
    record = orjson.loads(members["record.json"])
    assert (
        record["decision"]["policy"] | {"version": 1, "rule": "rule 0"}
        == (record["decision"]["policy"])
    )
    assert orjson.loads(members["personal.json"])["variables"] == {
        "field.curp.value": NAMES["curp"]
    }
    shown = b"".join(members[name] for name in members if name != "personal.json")
    assert not any(private.encode() in shown for private in NAMES.values())
    content = container.pack({n: members[n] for n in members if n != container.SUMS})
    findings = await asyncio.to_thread(verify, content)
    assert findings.faults == []
    assert any(f"version 1 of the policy {policy_id}" in s for s in findings.checked)

    def forged(change):
        lie = orjson.loads(members["record.json"])
        change(lie)
        return repacked(members, **{"record.json": canonical(lie).encode()})

    for change, fault in (
        (lambda r: r["decision"].update(status="APPROVED"), "its decision is APPROVED"),
        (lambda r: r["policy"]["document"]["rules"].clear(), "do not have the policy's digest"),
        (lambda r: r["steps"][0].update(status="FAILED"), "does not follow from the record's"),
        (lambda r: r.update(personal=None), "not announced"),
        (lambda r: r.pop("steps"), "has another form"),
        (lambda r: r["verification"].update(id=policy_id), "about another verification"),
    ):
        found = (await asyncio.to_thread(verify, forged(change))).faults
        assert fault in found[-1], found
    deep = repacked(members, **{"record.json": b"[" * 900 + b"]" * 900})
    assert "has another form" in (await asyncio.to_thread(verify, deep)).faults[-1]


def compared_libraries(members, record, named, of_step):
    """Return what the verifier checks and does not check of the libraries of a decision, and of a
    step with the digest `of_step`."""
    other = orjson.loads(orjson.dumps(record))
    for entry in other["history"]:
        if entry["kind"] == "verification.decided":
            entry["details"]["service"]["libraries"] = named
    other["steps"][0]["judgedBy"]["libraries"] = of_step
    findings = verify(repacked(members, **{"record.json": canonical(other).encode()}))
    return tuple(
        [said for said in sentences if "libraries" in said]
        for sentences in (findings.checked, findings.not_checked)
    )


async def test_the_record_names_the_libraries_that_judged_and_the_program_those_that_it_has(
    banco, services, tmp_path
):
    content = await download(banco, await decided(banco, services))
    members = members_of(content)
    record = orjson.loads(members["record.json"])
    (decision,) = (e for e in record["history"] if e["kind"] == "verification.decided")
    named, of_step = decision["details"]["service"]["libraries"], record["steps"][0]["judgedBy"]
    versions = {"python": platform.python_version(), "numpy": np.__version__}
    assert named.items() >= versions.items()
    text = text_of(members["report.pdf"])
    assert of_step["libraries"] in text
    assert f"numpy {np.__version__}" in text
    (tmp_path / "record.json").write_bytes(members["record.json"])
    for page in ("docs/compliance/evidence.md", "docs/es/evidencia.md"):
        command = ["sh", "-c", block(page, "the digest of the libraries")]
        done = await asyncio.to_thread(
            subprocess.run, command, cwd=tmp_path, capture_output=True, text=True, check=True
        )
        assert done.stdout.split()[0] == of_step["libraries"]

    def compared(versions, digest):
        return asyncio.to_thread(compared_libraries, members, record, versions, digest)

    (same,), missing = await compared(named, of_step["libraries"])
    assert (f"numpy {np.__version__}" in same, missing) == (True, [])
    lacking, others = (await compared({"numpy": "1.0", "other": "2"}, "0" * 64))[1]
    assert lacking.endswith(f"numpy 1.0 (here {np.__version__}), other 2 (here none)")
    assert others.startswith("the libraries that judged DOCUMENT_OCR: they are not those")
    assert (await compared({}, "0" * 64))[1] == [
        "the libraries that judged: an earlier release named none"
    ]


async def test_the_report_and_the_program_name_the_code_that_decided(banco, services):
    content = await download(banco, await decided(banco, services))
    members = members_of(content)
    record = orjson.loads(members["record.json"])
    named = record["steps"][0]["judgedBy"]
    text = text_of(members["report.pdf"])
    assert [text.count(named[name]) for name in ("code", "models")] == [1, 1]
    said = "the code that decided: it is this program's, " + named["code"]
    assert said in (await asyncio.to_thread(verify, content)).checked
    (other,) = await asyncio.to_thread(told_of_code, members, record, code="0" * 64)
    assert other.endswith(f"({named['code']}) is the one that decided ({'0' * 64})")
    (former,) = await asyncio.to_thread(told_of_code, members, record)
    assert former == "the code that decided: an earlier release wrote no digest"


@pytest.mark.thorough
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("seed", range(3))
async def test_each_of_a_thousand_changed_bytes_is_found_also_with_new_sums(
    banco, services, tmp_path, seed
):
    content = await download(banco, await decided(banco, services))
    anchors = anchors_of(services, tmp_path)
    assert (await asyncio.to_thread(verify, content, anchors)).faults == []
    assert await unnoticed(content, 1000, anchors, seed=seed, of_each=100) == {}


async def test_without_a_certificate_the_file_and_the_program_say_that_nothing_is_signed(
    app, banco, services, monkeypatch, verifier, tmp_path
):
    verification_id = await decided(banco, services)
    monkeypatch.setattr(app.state, "services", replace(services, seal=None))
    content = await download(banco, verification_id)
    file = tmp_path / "evidence.zip"
    file.write_bytes(content)
    # The command of the service and the program say the same.
    code, said = await asyncio.to_thread(of_command, file)
    done = verifier.run(file)
    assert (code, done.returncode) == (3, 3), done.stdout + done.stderr
    assert said.splitlines()[0] == done.stdout.splitlines()[0]
    # What a file says cannot look like another line of the program.
    members = members_of(content)
    record = orjson.loads(members["record.json"])
    record["decision"]["status"] += "\nChecked: all is well"
    file.write_bytes(repacked(members, **{"record.json": canonical(record).encode()}))
    code, said = await asyncio.to_thread(of_command, file)
    assert (code, "APPROVED?Checked: all is well" in said) == (1, True)
    assert "the report is NOT SIGNED" in done.stdout
    assert done.stderr == ""
    assert "the audit log's chain: no certificate signed it" in done.stdout
    assert container.HEAD not in members_of(content)
    text = text_of(members_of(content)["report.pdf"])
    assert "ARCHIVO SIN FIRMA" in text
    assert "Aprobada" in text
