"""Public clients of MetaMap run their whole flow: address, credentials and flow are ours."""

import asyncio
import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from acredita_synthetic.faces.people import face_of
from acredita_synthetic.ground_truth import SpecimenKind
from acredita_synthetic.people import make_person
from acredita_synthetic.specimens import make_specimen
from tests.api.documents.live import served
from tests.factories.challenges import selfie as portrait_of
from tests.factories.javascript import node_command
from tests.factories.organizations import make_workflow
from tests.pipeline.conftest import picture, until

FRONT, BACK, SEED = SpecimenKind.INE_FRONT, SpecimenKind.INE_BACK, 20
CLIENT = "mati==2.0.9"
OFFICIAL = "mati-verification-api@0.0.10"
PROGRAMS = Path(__file__).parent / "metamap_programs"
SECRET = "Un-secreto-2026-largo"
# Run with the client alone: base address, credentials, flow and a folder of pictures.
FLOW = """
import json, sys, time
from pathlib import Path

from mati import Client
from mati.types import PageType, UserValidationFile, ValidationInputType, ValidationType

base, key, secret, flow, folder = sys.argv[1:]
Client.base_url = base
client = Client(key, secret)
verification = client.verifications.create(flow, user="4711")


def file(name, input_type, page=PageType.front):
    return UserValidationFile(
        filename=name,
        content=(Path(folder) / name).open("rb"),
        input_type=input_type,
        validation_type=ValidationType.national_id,
        country="MX",
        page=page,
    )


photo = ValidationInputType.document_photo
sent = client.verifications.upload_validation_data(
    [
        file("INE-front.jpg", photo),
        file("INE-back.jpg", photo, PageType.back),
        file("selfie.jpg", ValidationInputType.selfie_photo),
    ],
    verification.identity,
)
for _ in range(600):
    found = client.verifications.retrieve(verification.id)
    if not found.is_pending:
        break
    time.sleep(0.5)
card = found.govt_id_document
print(json.dumps({
    "sent": [each.get("result") for each in sent],
    "flow": verification.flow["id"],
    "metadata": found.metadata,
    "status": found.identity["status"],
    "type": card.document_type,
    "region": card.region,
    "curp": card.curp,
    "name": card.full_name,
    "number": card.document_number,
    "expiry": str(card.expiration_date),
    "errors": [error.code for error in card.errors],
    "valid": found.govt_id_validation.is_valid,
    "alive": found.proof_of_life_validation.is_valid,
    "photo": client.session.get(found.proof_of_life_url).headers["content-type"],
}))
"""


async def run(*command, **environment) -> tuple[int, str]:
    process = await asyncio.create_subprocess_exec(
        *command,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        env={**os.environ, **environment},
    )
    output, _ = await process.communicate()
    return process.returncode or 0, output.decode()


@pytest.fixture
async def installed(tmp_path) -> str:
    """The folder with the client and what it needs, from the package registry."""
    folder = str(tmp_path / "client")
    install = (sys.executable, "-m", "uv", "pip", "install", "--quiet", "--target", folder)
    status, output = await run(*install, CLIENT)
    if status != 0:
        pytest.skip(f"the registry does not give {CLIENT}: {output.strip()[-200:]}")
    return folder


@pytest.mark.thorough
@pytest.mark.timeout(600)
@pytest.mark.usefixtures("worker")
async def test_the_python_client_of_cuenca_runs_its_flow(app, banco, installed, tmp_path):
    flow = await make_workflow(banco, "DOCUMENT_OCR", "FACE_MATCH", "GOVERNMENT_VERIFY")
    person = make_specimen(FRONT, SEED).truth["values"] | make_specimen(BACK, SEED).truth["values"]
    (tmp_path / "INE-front.jpg").write_bytes(picture(FRONT, SEED))
    (tmp_path / "INE-back.jpg").write_bytes(picture(BACK, SEED))
    (tmp_path / "selfie.jpg").write_bytes(portrait_of(face_of(make_person(SEED))))
    async with served(app) as port:
        base = f"http://127.0.0.1:{port}/v1/metamap"
        arguments = (base, banco.organization_id, banco.api_key, flow, str(tmp_path))
        # The photo's address names the public URL, which nothing serves here.
        script = FLOW.replace("found.proof_of_life_url", f"here(found.proof_of_life_url, {port})")
        here = (
            "from urllib.parse import urlsplit\n"
            "def here(url, port):\n"
            "    parts = urlsplit(url)._replace(scheme='http', netloc=f'127.0.0.1:{port}')\n"
            "    return parts.geturl()\n"
        )
        command = (sys.executable, "-c", here + script, *arguments)
        status, output = await run(*command, PYTHONPATH=installed)
    assert status == 0, output
    done = json.loads(output.splitlines()[-1])
    assert done["sent"] == [True, True, True]
    assert done["flow"] == flow.replace("-", "")[:24]
    assert done["metadata"] == {"user": "4711"}
    assert (done["status"], done["type"], done["region"]) == ("verified", "ine", "")
    assert (done["curp"], done["number"]) == (person["curp"], person["cic"])
    assert done["name"].startswith(person["givenNames"])
    assert (done["errors"], done["valid"], done["alive"]) == ([], True, True)
    assert done["photo"] == "image/jpeg"


@pytest.fixture
def person(tmp_path):
    """The folder with the pictures of a person."""
    (tmp_path / "INE-front.jpg").write_bytes(picture(FRONT, SEED))
    (tmp_path / "INE-back.jpg").write_bytes(picture(BACK, SEED))
    (tmp_path / "selfie.jpg").write_bytes(portrait_of(face_of(make_person(SEED))))
    return tmp_path


@pytest.fixture
async def javascript(tmp_path) -> Path:
    """A folder with the official JavaScript client, from the package registry."""
    folder = tmp_path / "javascript"
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip(f"no npm to install {OFFICIAL}")
    install = (npm, "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder))
    status, output = await run(*install, OFFICIAL)
    if status != 0:
        pytest.skip(f"the registry does not give {OFFICIAL}: {output.strip()[-200:]}")
    shutil.copy(PROGRAMS / "official.js", folder)
    return folder


@pytest.mark.thorough
@pytest.mark.timeout(600)
@pytest.mark.usefixtures("worker")
async def test_the_official_javascript_client_runs_its_flow(
    app, banco, javascript, person, authority
):
    # The client names no flow: it is the default one, the oldest active.
    await make_workflow(banco, "DOCUMENT_OCR", "FACE_MATCH", "GOVERNMENT_VERIFY")
    await make_workflow(banco)
    truth = make_specimen(FRONT, SEED).truth["values"]
    async with authority.receiver() as receiver, served(app) as port:
        kinds = ["verification.created", "verification.updated", "verification.completed"]
        body = {"url": receiver.url(), "format": "metamap", "secret": SECRET}
        events = [*kinds, "step.completed", "step.failed"]
        made = await banco.post("/v1/webhooks", json=body | {"events": events})
        assert made.status_code == 201, made.text
        base = f"http://127.0.0.1:{port}/v1/metamap"
        program = await asyncio.create_subprocess_exec(
            shutil.which("node") or node_command(),
            str(javascript / "official.js"),
            *(base, banco.organization_id, banco.api_key, str(person), SECRET),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )

        async def completed():
            # A program that ended has failed: it waits for the webhooks.
            has_come = any(b'"verification_completed"' in each.body for each in receiver.received)
            return has_come or program.returncode is not None

        try:
            await until(completed, seconds=300)
            lines = [
                {"signature": each.headers["x-signature"], "body": each.body.decode()}
                for each in receiver.received
            ]
            given = "".join(json.dumps(line) + "\n" for line in lines).encode()
            output, _ = await program.communicate(given)
        finally:
            if program.returncode is None:
                program.kill()
    assert program.returncode == 0, output.decode()
    done = json.loads(output.decode().splitlines()[-1])
    assert done["sent"] == [True, True, True]
    assert len(done["valid"]) >= 4
    assert all(done["valid"])
    assert (done["metadata"], done["status"]) == ({"user": "4711"}, "verified")
    assert done["curp"] == truth["curp"]
    assert len(set(done["identity"])) == 1


@pytest.mark.thorough
@pytest.mark.timeout(600)
@pytest.mark.usefixtures("worker")
@pytest.mark.parametrize("language", ["go", "php"])
async def test_a_program_without_a_client_runs_the_documented_flow(app, banco, person, language):
    command = shutil.which(language)
    if command is None:
        pytest.skip(f"no {language} to run the program with")
    flow = await make_workflow(banco, "DOCUMENT_OCR", "FACE_MATCH", "GOVERNMENT_VERIFY")
    truth = make_specimen(FRONT, SEED).truth["values"]
    verb = ["run"] if language == "go" else []
    async with served(app) as port:
        base = f"http://127.0.0.1:{port}/v1/metamap"
        arguments = (base, banco.organization_id, banco.api_key, flow, str(person))
        status, output = await run(
            command, *verb, str(PROGRAMS / f"flow.{language}"), *arguments, GOTOOLCHAIN="local"
        )
    assert status == 0, output
    assert json.loads(output.splitlines()[-1]) == {
        "sent": [True, True, True],
        "flow": flow.replace("-", "")[:24],
        "metadata": {"user": "4711"},
        "status": "verified",
        "type": "national-id",
        "curp": truth["curp"],
        "label": "Elector Key",
        "photo": "image/jpeg",
        "changed": "rejected",
        "deleted": "deleted",
    }
