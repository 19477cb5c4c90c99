"""The published development keys are accepted only where nobody else can reach the process."""

import pytest

from acredita.settings import Settings
from acredita.settings_check import keys

OWN = {
    "secret_key": "a-secret-of-our-own-that-nobody-else-knows",
    "encryption_keys": "k1:" + "QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUE=",
}
EMBEDDED = {
    "database_url": "postgresql+asyncpg://acredita:x@127.0.0.1:40001/acredita",
    "embedded_postgres": "127.0.0.1:40001",
}


@pytest.fixture(autouse=True)
def no_environment(monkeypatch):
    for name in ("DATABASE_URL", "EMBEDDED_POSTGRES", "REDIS_URL"):
        monkeypatch.delenv(f"ACREDITA_{name}", raising=False)


def faults(**given):
    return {
        fault.variable: fault.message for fault in keys.check(Settings(_env_file=None, **given))
    }


@pytest.mark.parametrize(
    "given",
    [
        {},
        EMBEDDED,
        EMBEDDED | {"host": "localhost"},
        {"env": "test", "database_url": "postgresql://a:b@localhost/acredita"},
    ],
)
def test_the_published_keys_serve_the_embedded_database_on_this_machine(given):
    assert faults(**given) == {}


@pytest.mark.parametrize(
    "given",
    [
        {"env": "production"},
        {"host": "0.0.0.0"},  # noqa: S104
        {"host": "::"},
        {"host": "api.example"},
        EMBEDDED | {"host": "0.0.0.0"},  # noqa: S104
        {"database_url": "postgresql://a:b@db.example/acredita"},
        {"database_url": "postgresql://a:b@127.0.0.1:5432/acredita"},
        EMBEDDED | {"database_url": "postgresql://a:b@db.example:40001/acredita"},
        {
            "database_url": "postgresql://a:b@db.example:5432/acredita",
            "embedded_postgres": "db.example:5432",
        },
        {"env": "test", "database_url": "postgresql://a:b@db.example/acredita"},
        {"env": "test", "host": "0.0.0.0"},  # noqa: S104
    ],
)
def test_the_published_keys_are_refused_where_others_can_reach_the_process(given):
    found = faults(**given)
    assert found.keys() == {"ACREDITA_SECRET_KEY", "ACREDITA_ENCRYPTION_KEYS"}
    assert all("published development key" in message for message in found.values())
    assert "openssl rand" in found["ACREDITA_SECRET_KEY"]
    assert "acredita keys new" in found["ACREDITA_ENCRYPTION_KEYS"]
    assert faults(**given | OWN) == {}


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"secret_key": "short"}, "ACREDITA_SECRET_KEY"),
        ({"signing_keys": f"{'x' * 40},short"}, "ACREDITA_SIGNING_KEYS"),
        ({"signing_keys": Settings.model_fields["secret_key"].default}, "ACREDITA_SIGNING_KEYS"),
        ({"encryption_keys": "k1:not-base64"}, "ACREDITA_ENCRYPTION_KEYS"),
        ({"encryption_keys": "k1:c2hvcnQ="}, "ACREDITA_ENCRYPTION_KEYS"),
    ],
)
def test_weak_keys_are_named(change, named):
    assert faults(env="production", **OWN | change).keys() == {named}
