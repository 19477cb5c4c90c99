"""`acredita check-config --connect` tries each server, and says in words what is wrong with it."""

import asyncio
import os
import ssl
from contextlib import asynccontextmanager
from urllib.parse import quote

import pytest
from sqlalchemy.engine import make_url
from typer.testing import CliRunner

from acredita.cli import app
from acredita.settings import Settings
from acredita.settings_check.connections import try_servers
from tests.factories.mail_server import PASSWORD, USER, mail_server
from tests.factories.object_storage import ACCESS, object_storage
from tests.factories.pages import block
from tests.factories.receiver import make_authority
from tests.factories.timestamp_server import running_timestamps
from tests.unit.settings_check.test_check_config import SOUND


@pytest.fixture
async def servers(tmp_path, settings):
    """The settings of servers that all answer, with TLS where this process trusts the authority."""
    authority = make_authority(tmp_path)
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.ca.issue_cert("localhost").configure_cert(tls)
    async with (
        mail_server(start_tls=tls, needs_login=True) as mail,
        running_timestamps(tmp_path / "tsa") as timestamps,
    ):
        with object_storage(authority) as storage:
            login = f"{USER}:{quote(PASSWORD, safe='')}"
            bucket = storage.new_bucket()
            yield {
                "database_url": settings.database_url,
                "redis_url": settings.redis_url,
                "storage_url": storage.url(bucket, "production"),
                "storage_access_key_id": ACCESS["access_key_id"],
                "storage_secret_access_key": ACCESS["secret_access_key"],
                "storage_ca_file": authority.ca_file,
                "smtp_url": f"smtp://{login}@localhost:{mail.port}",
                "smtp_ca_file": authority.ca_file,
                "mail_from": "Acredita <id@id.example>",
                "esignature_tsa_url": timestamps.url,
                "esignature_trusted": timestamps.trusted,
                "data_dir": tmp_path / "data",
            }
            assert storage.everything_in(bucket) == {}
            assert mail.received == []


@asynccontextmanager
async def silent_server():
    """The port of a server that takes connections and never says a word."""

    async def wait(reader, writer):
        await reader.read()
        writer.close()

    server = await asyncio.start_server(wait, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]


async def tried(given, patience=30.0):
    return await try_servers(Settings(_env_file=None, **given), patience=patience)


async def test_servers_that_answer_are_named_and_nothing_is_left_on_them(servers):
    found = await tried(servers)
    assert found.faults == ()
    said = dict(answer.split(": ", 1) for answer in found.answers)
    assert said.keys() == {
        f"ACREDITA_{name}"
        for name in ("DATABASE_URL", "REDIS_URL", "STORAGE_URL", "SMTP_URL", "ESIGNATURE_TSA_URL")
    }
    assert said["ACREDITA_DATABASE_URL"] == "PostgreSQL 18 answers."


async def test_each_server_that_cannot_be_used_is_named_with_the_reason(
    servers, unused_tcp_port, database_url
):
    port = unused_tcp_port
    given = servers | {
        "database_url": make_url(database_url)
        .set(password="wrong")
        .render_as_string(hide_password=False),
        "redis_url": f"redis://:hunter2@127.0.0.1:{port}/0",
        "storage_ca_file": None,
        "smtp_url": servers["smtp_url"].replace(f"{USER}:", f"{USER}:wrong"),
        "esignature_tsa_url": f"http://127.0.0.1:{port}/tsa",
    }
    found = await tried(given)
    assert found.answers == ()
    said = {fault.variable.removeprefix("ACREDITA_"): fault.message for fault in found.faults}
    assert "hunter2" not in str(said)
    assert said == {
        "DATABASE_URL": "the server refuses the user or the password.",
        "REDIS_URL": "the server cannot be reached: nothing listens at its address.",
        "STORAGE_URL": said["STORAGE_URL"],
        "SMTP_URL": (
            "the server would send no e-mail: the mail server refused the user or the password."
        ),
        "ESIGNATURE_TSA_URL": "the server gives no valid timestamp: refused.",
    }
    assert "its certificate is not trusted" in said["STORAGE_URL"]


async def test_a_bucket_and_a_database_that_do_not_exist_are_named(servers, database_url):
    bucket = servers["storage_url"].split("/")[2]
    given = {
        "database_url": f"{database_url}_none",
        "storage_url": servers["storage_url"].replace(bucket, "files-of-nobody"),
    }
    found = await tried(servers | given)
    assert [fault.message for fault in found.faults] == [
        "the server has no database of this name.",
        "the server has no bucket of this name.",
    ]
    shown = block("docs/operators/deployment.md", "a bucket")
    assert shown == f"acredita: ACREDITA_STORAGE_URL: {found.faults[1].message}\n"


async def test_a_server_that_never_answers_is_given_up(tmp_path):
    async with silent_server() as port:
        found = await tried(
            {
                "database_url": f"postgresql://a:b@127.0.0.1:{port}/acredita",
                "redis_url": f"redis://127.0.0.1:{port}/0",
                "smtp_url": f"smtp://127.0.0.1:{port}",
                "esignature_tsa_url": f"http://127.0.0.1:{port}/",
                "data_dir": tmp_path,
            },
            patience=1.0,
        )
    assert len(found.faults) == 4
    assert all("does not answer" in fault.message for fault in found.faults), found.faults


async def test_a_database_that_is_slower_than_the_pool_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr("acredita.kit.db.ACQUIRE_SECONDS", 0.2)
    async with silent_server() as port:
        database = f"postgresql://a:b@127.0.0.1:{port}/acredita"
        found = await tried({"database_url": database, "data_dir": tmp_path})
    [fault] = found.faults
    assert str(fault) == "ACREDITA_DATABASE_URL: the server does not answer in time."


def test_the_command_tries_servers_only_when_it_is_asked_and_settings_are_sound(
    monkeypatch, tmp_path, unused_tcp_port
):
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith("ACREDITA_")]:
        monkeypatch.delenv(name)
    away = f"127.0.0.1:{unused_tcp_port}"
    environment = SOUND | {
        "ACREDITA_DATABASE_URL": f"postgresql://acredita:hunter2@{away}/acredita",
        "ACREDITA_REDIS_URL": f"redis://:hunter2@{away}/0",
        "ACREDITA_DATA_DIR": str(tmp_path),
    }

    def run(*options, **more):
        return CliRunner().invoke(app, ["check-config", *options], env=environment | more)

    assert run().exit_code == 0
    done = run("--connect")
    assert done.exit_code == 1
    assert [line.split(": ")[1] for line in done.stderr.splitlines()] == [
        "ACREDITA_DATABASE_URL",
        "ACREDITA_REDIS_URL",
    ]
    assert "STORAGE_URL: a file was stored, read, listed and deleted." in done.stdout
    assert "hunter2" not in done.output
    assert "cannot be reached" not in run("--connect", ACREDITA_PORT="eighty").stderr
