"""Registration that is closed, and organizations that the operator makes."""

import asyncio
import re
import shlex

import pytest
from typer.testing import CliRunner

from acredita.cli import app
from acredita.cli import settings as command_settings
from tests.api.accounts.conftest import Person, token_in
from tests.factories.organizations import PASSWORD
from tests.factories.pages import block


@pytest.fixture
def settings(settings):
    return settings.model_copy(update={"registration": "closed"})


@pytest.fixture
def acredita(settings, monkeypatch):
    """The command, over this test's database."""
    monkeypatch.setattr(command_settings, "load_settings", lambda: settings)

    def run(*arguments):
        return CliRunner().invoke(app, arguments)

    return run


async def test_closed_registration_is_a_403_and_leaves_nothing(client, app):
    app.state.services.passwords._waiting = 10**6  # a request that hashes now is refused
    body = {"orgName": "Banco Uno", "email": "a@banco.example", "password": PASSWORD}
    answer = await client.post("/v1/auth/register", json=body)
    assert answer.status_code == 403
    assert answer.json()["error"]["code"] == "REGISTRATION_CLOSED"


async def test_the_operator_makes_an_organization_and_its_owner_chooses_the_password(
    client, mails, acredita
):
    shown = shlex.split(block("docs/operators/accounts.md", "organization"))
    command = ("acredita", "org", "create", "Banco Ejemplo", "ana@banco.example", "--language")
    assert shown == [*command, "es"]
    arguments = ("org", "create", "Banco Uno", "Ana@banco.example", "--language", "en")
    made = await asyncio.to_thread(acredita, *arguments)
    assert made.exit_code == 0, made.output
    shown = dict(line.split(None, 1) for line in made.stdout.splitlines())
    assert set(shown) == {"client_id", "client_secret", "owner", "link"}
    credentials = {name: shown[name] for name in ("client_id", "client_secret")}
    answer = await client.post(
        "/v1/auth/token", json={"grant_type": "client_credentials", **credentials}
    )
    assert answer.status_code == 200
    (mail,) = await mails.arrive()
    assert mail["destination"] == shown["owner"] == "Ana@banco.example"
    assert mail["subject"] == "Your Acredita account"
    assert shown["link"].endswith(token_in(mail))
    ana = Person(client, "ana@banco.example")
    assert (await ana.login()).status_code == 401
    assert (await ana.reset(token_in(mail), PASSWORD)).status_code == 200
    assert (await ana.login()).json()["user"]["role"] == "OWNER"
    again = await asyncio.to_thread(acredita, *arguments)
    assert again.exit_code == 1
    assert "exists already" in again.output
    assert len(await mails.arrive()) == 1


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("B", "a@banco.example"), "orgName"),
        (("Banco", "nobody"), "email"),
        (("Banco", "a@banco.example", "--language", "fr"), "languages"),
    ],
)
def test_faults_in_the_command_are_named(acredita, arguments, named):
    refused = acredita("org", "create", *arguments)
    assert refused.exit_code == 2
    assert named in re.sub(r"\W+", " ", refused.output)
