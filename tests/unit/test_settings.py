import pytest
from pydantic import ValidationError

from acredita.settings import Settings


def test_every_setting_says_what_it_is_for():
    assert all(field.description for field in Settings.model_fields.values())


@pytest.mark.parametrize(
    ("written", "providers"),
    [
        ("twilio", ("twilio",)),
        ("gateway, twilio", ("gateway", "twilio")),
        ("none", ()),
    ],
)
def test_sms_providers_are_tried_in_the_order_in_which_they_are_named(written, providers):
    assert Settings(_env_file=None, sms_providers=written).sms_providers == providers


@pytest.mark.parametrize("written", ["twilio,twilio", "pigeon", "none,twilio", ","])
def test_unknown_sms_providers_are_refused(written):
    with pytest.raises(ValidationError, match="sms_providers"):
        Settings(_env_file=None, sms_providers=written)


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("postgres://a:b@db/acredita", "postgresql+asyncpg://a:b@db/acredita"),
        (
            "postgresql://a:p%40ss@db:6432/acredita?sslmode=require",
            "postgresql+asyncpg://a:p%40ss@db:6432/acredita?sslmode=require",
        ),
        ("postgresql+asyncpg://a:b@db/acredita", "postgresql+asyncpg://a:b@db/acredita"),
        (
            "postgresql://a:b@one:5433,two/acredita?target_session_attrs=read-write",
            (
                "postgresql+asyncpg://a:b@/acredita?host=one%3A5433&host=two%3A5432"
                "&target_session_attrs=read-write"
            ),
        ),
        (
            "postgres://a:b@pooler:6543/acredita?pgbouncer=true",
            "postgresql+asyncpg://a:b@pooler:6543/acredita?pgbouncer=true",
        ),
    ],
)
def test_the_database_urls_of_managed_databases_get_our_driver(written, kept):
    assert Settings(_env_file=None, database_url=written).database_url == kept


@pytest.mark.parametrize(
    "written",
    [
        "mysql://a:secret@db/acredita",
        "postgresql+psycopg://a:secret@db/acredita",
        "postgresql://a:secret@db",
        "postgresql://a:secret@db:port/acredita",
        "a:secret@db",
        "postgresql://a:secret@db/acredita?sslmode=always",
        "postgresql://a:secret@db/acredita?channel_binding=require",
        "postgresql://a:secret@one,two/acredita?target_session_attrs=best",
        "postgresql://a:secret@db/acredita?pgbouncer=perhaps",
        "postgresql://a:secret@db/acredita?sslmode=verify-full&sslrootcert=/nowhere.pem",
    ],
)
def test_an_unusable_database_url_is_refused_without_its_password(written):
    with pytest.raises(ValidationError, match="database_url") as refusal:
        Settings(_env_file=None, database_url=written)
    assert "secret" not in str(refusal.value)
