import re
from pathlib import Path

import pytest
from pydantic import ValidationError

from acredita.settings import DEVELOPMENT_ENCRYPTION_KEY, DEVELOPMENT_SECRET, Settings

EXAMPLE = Path(__file__).parents[2] / ".env.example"
SOUND = {
    "env": "production",
    "secret_key": "a-secret-of-our-own-that-nobody-else-knows",
    "encryption_keys": "k1:" + "QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUE=",
    "database_url": "postgresql+asyncpg://db/acredita",
    "redis_url": "redis://redis:6379/0",
    "government_provider": "bridge",
    "government_bridge_url": "https://bridge.internal",
    "smtp_url": "smtp://mail.internal",
    "credit_provider": "circulo",
    "geolocation_provider": "maxmind",
    "sms_providers": "twilio",
    "esignature_certificate": "/etc/acredita/signing.p12",
    "esignature_tsa_url": "https://tsa.example",
}


@pytest.fixture(autouse=True)
def no_environment(monkeypatch):
    for name in ("ACREDITA_DATABASE_URL", "ACREDITA_REDIS_URL"):
        monkeypatch.delenv(name, raising=False)


def test_the_example_names_every_setting_with_its_default(monkeypatch):
    written = dict(re.findall(r"^ACREDITA_(\w+)=(.*)$", EXAMPLE.read_text(), re.MULTILINE))
    assert {name.lower() for name in written} == set(Settings.model_fields)
    for name, value in written.items():
        if value:
            monkeypatch.setenv(f"ACREDITA_{name}", value)
    assert (
        Settings(_env_file=None)
        == Settings(_env_file=EXAMPLE)
        == Settings.model_construct(
            **{name: Settings.model_fields[name].default for name in Settings.model_fields}
        )
    )


def test_every_setting_says_what_it_is_for():
    assert all(field.description for field in Settings.model_fields.values())


def test_production_starts_when_everything_is_set():
    assert Settings(_env_file=None, **SOUND).env == "production"


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"secret_key": DEVELOPMENT_SECRET}, "ACREDITA_SECRET_KEY"),
        ({"secret_key": "short"}, "ACREDITA_SECRET_KEY"),
        ({"encryption_keys": DEVELOPMENT_ENCRYPTION_KEY}, "ACREDITA_ENCRYPTION_KEYS"),
        ({"database_url": ""}, "ACREDITA_DATABASE_URL"),
        ({"redis_url": ""}, "ACREDITA_REDIS_URL"),
        ({"government_provider": "sandbox"}, "ACREDITA_GOVERNMENT_PROVIDER"),
        ({"smtp_url": ""}, "ACREDITA_SMTP_URL"),
        ({"esignature_certificate": None}, "ACREDITA_ESIGNATURE_CERTIFICATE"),
        ({"esignature_tsa_url": ""}, "ACREDITA_ESIGNATURE_TSA_URL"),
        ({"credit_provider": "sandbox"}, "ACREDITA_CREDIT_PROVIDER"),
        ({"geolocation_provider": "sandbox"}, "ACREDITA_GEOLOCATION_PROVIDER"),
        ({"sms_providers": "twilio,sandbox"}, "ACREDITA_SMS_PROVIDERS"),
        ({"signing_keys": f"{'x' * 40},short"}, "ACREDITA_SIGNING_KEYS"),
        ({"signing_keys": DEVELOPMENT_SECRET}, "ACREDITA_SIGNING_KEYS"),
    ],
)
def test_production_refuses_what_is_missing_or_a_default_and_names_it(change, named):
    with pytest.raises(ValidationError, match=named):
        Settings(_env_file=None, **SOUND | change)


def test_production_runs_on_a_sandbox_when_told_to():
    told = SOUND | {
        "government_provider": "sandbox",
        "smtp_url": "",
        "sms_providers": "sandbox",
        "esignature_certificate": None,
        "esignature_tsa_url": "",
        "allow_sandbox_providers": True,
    }
    assert Settings(_env_file=None, **told)


def test_a_refusal_shows_no_secret():
    with pytest.raises(ValidationError) as refusal:
        Settings(_env_file=None, **SOUND | {"redis_url": ""})
    assert SOUND["secret_key"] not in str(refusal.value)


@pytest.mark.parametrize(
    ("written", "providers"),
    [
        ("twilio", ("twilio",)),
        ("gateway, twilio", ("gateway", "twilio")),
        ("none", ()),
    ],
)
def test_sms_providers_are_tried_in_the_order_in_which_they_are_named(written, providers):
    assert Settings(_env_file=None, **SOUND | {"sms_providers": written}).sms_providers == providers


@pytest.mark.parametrize("written", ["twilio,twilio", "pigeon", "none,twilio", ","])
def test_unknown_sms_providers_are_refused(written):
    with pytest.raises(ValidationError, match="sms_providers"):
        Settings(_env_file=None, sms_providers=written)
