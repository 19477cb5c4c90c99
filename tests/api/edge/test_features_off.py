"""An installation whose operator set every provider to none."""

import httpx
import pytest

from acredita.main import create_app
from acredita.settings import Settings
from tests.factories.organizations import Member, make_verification, make_workflow

OFF = {
    "smtp_url": "none",
    "sms_providers": "none",
    "government_provider": "none",
    "credit_provider": "none",
    "geolocation_provider": "none",
    "esignature_certificate": "none",
    "esignature_tsa_url": "none",
    "conservation_provider": "none",
}


@pytest.fixture
async def member(settings, banco):
    """Banco at an API process with every provider turned off."""
    app = create_app(Settings(**settings.model_dump() | OFF, _env_file=None))
    transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://test") as client,
    ):
        yield Member(client, banco.organization_id, banco.api_key, banco.token)


async def test_each_feature_that_is_turned_off_answers_409_and_says_so(member):
    workflow_id = await make_workflow(member, "DOCUMENT_OCR", "GOVERNMENT_VERIFY")
    verification_id = await make_verification(member)
    user = {"email": "ana@banco.example", "role": "MEMBER"}
    credit = {"fullName": "Juana Pérez López", "rfc": "PELJ850315MB4"}
    package = {
        "verificationId": verification_id,
        "tier": "name_only",
        "signerName": "Ana",
        "documents": [{"title": "Contrato", "content": "Texto"}],
    }
    for path, body in {
        "/v1/verifications": {"workflowId": workflow_id},
        "/v1/sdk/session": {"clientId": member.organization_id, "flowId": workflow_id},
        "/v1/credit/check": credit,
        "/v1/location/check": {"ipAddress": "192.0.2.1"},
        "/v1/esignature/sign": package,
        "/v1/organizations/me/users": user,
        "/v1/auth/forgot-password": {"email": "owner@banco-uno.example"},
    }.items():
        answer = await member.post(path, json=body)
        assert answer.status_code == 409, (path, answer.text)
        assert answer.json()["error"]["code"] == "FEATURE_OFF", path


async def test_a_registry_check_of_the_compatible_api_says_so_too(member):
    answer = await member.post(
        "/v1/metamap/govchecks/v1/mx/curp", json={"curp": "PELJ850315MDFRPN01"}
    )
    assert answer.status_code == 400
    assert "not set up" in answer.json()["message"]


@pytest.mark.parametrize(
    ("channel", "destination"), [("sms", "+525512345678"), ("email", "ana@banco.example")]
)
async def test_a_channel_of_codes_that_is_turned_off_is_refused(member, channel, destination):
    verification_id = await make_verification(member)
    body = {"verificationId": verification_id, "channel": channel, "destination": destination}
    answer = await member.post("/v1/otp/send", json=body)
    assert answer.status_code == 422
    assert answer.json()["error"]["details"][0].startswith("body.channel: ")


async def test_health_shows_registries_as_absent_and_nothing_as_down(member):
    health = (await member.get("/v1/health/full")).json()
    assert health["governmentBridge"]["status"] == "absent"


async def test_an_organization_can_still_register(member):
    body = {"orgName": "Caja Dos", "email": "owner@caja.example", "password": "a-long-password-1"}
    assert (await member.post("/v1/auth/register", json=body)).status_code == 201
