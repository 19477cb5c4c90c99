"""E-mail and phone risk in MetaMap's API: the facts that are known, and no score."""

import json

import dns.asyncresolver
import pytest

from acredita.providers.email import domains
from tests.api.metamap.recorded import is_signed
from tests.api.webhooks.conftest import working
from tests.factories.name_servers import serving

CHECKS = "/v1/metamap/safety/v1/checks"
SECRET = "Un-secreto-2026-largo"
ZONE = {
    "correo.example": {"MX": "10 mx.correo.example."},
    "nomail.example": {"MX": "0 ."},
    "old.example": {"A": "93.184.215.14"},
    "private.example": {"A": "10.0.0.7", "AAAA": "fd00::7"},
    "mailinator.com": {"MX": "10 mx.mailinator.com."},
    "xn--correo-1wa.example": {"MX": "10 mx.correo.example."},
}
# What MetaMap's reference lists.
DOCUMENTED = {
    *("email", "riskScore", "message", "success", "valid", "disposable", "smtp_score"),
    *("overall_score", "first_name", "generic", "common", "dns_valid", "honeypot"),
    *("deliverability", "frequent_complainer", "spam_trap_score", "catch_all", "timed_out"),
    *("suspect", "recent_abuse", "suggested_domain", "leaked", "domain_age", "first_seen"),
    *("sanitized_email", "domain_velocity", "user_activity", "request_id"),
}


@pytest.fixture
def settings(settings, authority):
    return settings.model_copy(update=authority.settings)


async def ask(banco, kind, recipient, **extra):
    said = await banco.post(f"{CHECKS}/{kind}/risk", json={"recipient": recipient, **extra})
    assert said.status_code == 200, said.text
    return said.json()


async def test_an_address_that_takes_no_mail_or_is_disposable_is_risky_and_no_other_is_scored(
    banco, monkeypatch
):
    monkeypatch.setattr(domains, "SECONDS", 60)
    cases = {
        # address: valid, disposable, risky
        "ana@correo.example": (True, False, False),
        " Ana@CORREO.example ": (True, False, False),
        "ana@correoñ.example": (True, False, False),
        # Without an MX record, the address counts, unless only a private network has it.
        "ana@old.example": (True, False, False),
        "ana@private.example": (False, False, True),
        "ana@nomail.example": (False, False, True),
        "ana@nowhere.example": (False, False, True),
        "ana@mailinator.com": (True, True, True),
        "ana@a.b.mailinator.com": (False, True, True),
        "ana@broken.example": (None, False, False),
        "ana": (False, None, True),
        "ana@": (False, None, True),
    }
    async with serving(ZONE) as resolver:
        monkeypatch.setattr(dns.asyncresolver, "default_resolver", resolver)
        for address, (valid, disposable, risky) in cases.items():
            found = await ask(banco, "email", address, metadata='{"pedido": "4711"}')
            data, error = found["data"], found["error"]
            assert set(data) == DOCUMENTED
            assert (data["valid"], data["disposable"]) == (valid, disposable), address
            assert data["email"] == address.strip()
            assert data["timed_out"] is (valid is None)
            # Nothing that is not known is claimed.
            assert data["riskScore"] is data["leaked"] is data["recent_abuse"] is None
            code = "emailRisk.riskyAddress" if risky else "emailRisk.notScored"
            assert (error["type"], error["code"]) == ("StepError", code), address
            assert found["metadata"] == {"pedido": "4711"}
        monkeypatch.setattr(domains, "SECONDS", 0.05)
        silent = await ask(banco, "email", "ana@silent.example")
    assert (silent["data"]["timed_out"], silent["data"]["valid"]) == (True, None)
    assert silent["error"]["code"] == "emailRisk.notScored"


async def test_the_numbering_plans_are_all_that_is_known_of_a_number(banco):
    found = await ask(banco, "phone", "525512345678")
    assert found["error"]["code"] == "phoneRisk.notScored"
    assert found["data"] == {
        "phoneNumber": "525512345678",
        "countryCode": "52",
        # Mexico's plan does not say which numbers are mobile, nor whose they are.
        "phoneType": None,
        "lineType": None,
        "carrier": None,
        "phoneTypeStatus": None,
        "riskLevel": None,
        "riskInsights": [],
        "riskScore": None,
        "maxPossibleRiskScore": 100,
        "recommendation": None,
        "timezone": None,
        "location": {
            "city": None,
            "state": None,
            "zip": None,
            "metroCode": None,
            "county": None,
            "country": "MX",
        },
    }
    spanish = (await ask(banco, "phone", "+34612345678"))["data"]
    assert (spanish["phoneType"], spanish["lineType"]) == ("Mobile", "MOBILE")
    assert spanish["carrier"]
    free = await ask(banco, "phone", "18005551212")
    assert free["error"]["code"] == "phoneRisk.notAPersons"
    for text in ("12", "ana", ""):
        refused = await banco.post(f"{CHECKS}/phone/risk", json={"recipient": text})
        assert refused.status_code == 422
        assert refused.json()["data"][0]["dataPath"] == ".recipient"


async def test_the_answer_is_posted_to_the_callback_url(banco, services, authority):
    async with authority.receiver() as receiver:
        endpoint = {"url": receiver.url(), "events": ["step.failed"], "format": "metamap"}
        await banco.post("/v1/webhooks", json=endpoint | {"secret": SECRET})
        found = await ask(banco, "phone", "525512345678", callbackUrl=receiver.url("/riesgo"))
        async with working(services) as worker:
            await worker.until_idle()
    (posted,) = receiver.received
    assert json.loads(posted.body) == found
    assert is_signed(SECRET, posted.body, posted.headers["x-signature"])
    wrong = {"recipient": "525512345678", "callbackUrl": "ftp://banco.example/x"}
    refused = await banco.post(f"{CHECKS}/phone/risk", json=wrong)
    assert refused.status_code == 422


async def test_nobody_without_a_key_asks(client):
    for kind in ("email", "phone"):
        said = await client.post(f"{CHECKS}/{kind}/risk", json={"recipient": "ana@correo.example"})
        assert said.status_code == 401
