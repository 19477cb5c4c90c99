"""Writes files with all settings: `.env.example`, and the `.env` of a new installation."""

import secrets
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from enum import Enum

from pydantic import SecretStr

from acredita.kit.crypto import new_key
from acredita.settings import NONE, Settings
from acredita.settings_check.faults import variable

# Section → prefixes of its settings.
SECTIONS: Mapping[str, tuple[str, ...]] = {
    "The process": (
        "env",
        "data_dir",
        "host",
        "port",
        "base_url",
        "trusted_proxies",
        "allow_sandbox_providers",
    ),
    "PostgreSQL and Redis": ("database_", "embedded_", "redis_"),
    "Secrets and tokens": (
        "secret_key",
        "signing_keys",
        "encryption_keys",
        "access_token_",
        "media_link_",
    ),
    "Accounts": ("registration", "session_", "sign_in_"),
    "Rate limits": ("org_", "ip_"),
    "E-mail": ("smtp_", "mail_", "dev_mailbox"),
    "Text messages and one-time passwords": ("sms_", "twilio_", "otp_"),
    "Files": ("storage_",),
    "Verifications": ("verification_", "sdk_", "privacy_"),
    "Webhooks and callbacks": ("webhook_",),
    "Engines and workers": (
        "engine_",
        "inspection_",
        "face_",
        "liveness_",
        "calibration",
        "postal_codes",
        "review_",
        "training_",
        "job_",
        "worker_",
    ),
    "Government registries": ("government_",),
    "Credit bureau": ("credit_", "circulo_"),
    "Electronic signatures": ("esignature_", "conservation_"),
    "IP geolocation": ("geolocation_",),
    "Watchlists": ("aml_",),
    "Metrics, traces, logs": ("metrics_", "otel_", "log_"),
    "Inngest": ("inngest_",),
}
# Every feature that needs a contract with another company starts turned off.
TURNED_OFF = (
    "smtp_url",
    "sms_providers",
    "government_provider",
    "credit_provider",
    "esignature_certificate",
    "esignature_tsa_url",
    "geolocation_provider",
)
EXAMPLE_HEAD = """\
# All settings of Acredita with their defaults. Copy this file to `.env`, and remove the # before
# what you change. For production, `acredita init` writes a `.env` with generated secrets instead.
# `acredita check-config` checks the settings. `make settings` writes this file.
"""
NEW_HEAD = """\
# Settings of this installation, written by `acredita init`. It contains the secrets: keep a copy
# apart from the data, and let nobody else read it. Without ENCRYPTION_KEYS, the data are lost.
#
# A line that begins with # has no effect and shows the default. Features that need a contract with
# another company are set to none, which turns them off: their requests get 409 FEATURE_OFF.
# `acredita check-config` says what is missing or wrong.

# --- Read by docker-compose.yml for its own PostgreSQL and Redis ---
POSTGRES_PASSWORD={postgres}
REDIS_PASSWORD={redis}
# Port on 127.0.0.1 that the reverse proxy connects to.
#ACREDITA_PUBLISHED_PORT=8000
#ACREDITA_IMAGE=acredita:local
"""
# Compose has its own values for these; elsewhere they are required.
FROM_COMPOSE = "docker-compose.yml sets it. Without Compose, set it here."


def example() -> str:
    """Return the text of `.env.example`: each setting with its default, all commented out."""
    return EXAMPLE_HEAD + _body({}, {})


def new_installation(base_url: str) -> str:
    """Return the text of a `.env` for production with new secrets."""
    today = datetime.now(UTC).date()
    values = {
        "env": "production",
        "base_url": base_url,
        "secret_key": secrets.token_hex(32),
        "encryption_keys": new_key(today),
        "metrics_token": secrets.token_hex(24),
        **dict.fromkeys(TURNED_OFF, NONE),
    }
    notes = dict.fromkeys(("host", "data_dir", "database_url", "redis_url"), FROM_COMPOSE)
    head = NEW_HEAD.format(postgres=secrets.token_hex(24), redis=secrets.token_hex(24))
    return head + _body(values, notes)


def _body(values: Mapping[str, str], notes: Mapping[str, str]) -> str:
    return "".join(f"{line}\n" for line in _lines(values, notes))


def _lines(values: Mapping[str, str], notes: Mapping[str, str]) -> Iterator[str]:
    for title, prefixes in SECTIONS.items():
        yield ""
        yield f"# --- {title} ---"
        for name, field in Settings.model_fields.items():
            if not name.startswith(prefixes):
                continue
            yield f"# {field.description}"
            if name in notes:
                yield f"# {notes[name]}"
            if name in values:
                yield f"{variable(name)}={values[name]}"
            else:
                yield f"#{variable(name)}={_text(field.default)}"


def _text(value: object) -> str:
    """Return a default as an environment variable has it."""
    match value:
        case None:
            return ""
        case bool():
            return str(value).lower()
        case SecretStr():
            return value.get_secret_value()
        case Enum():
            return str(value.value)
        case tuple():
            return ",".join(map(str, value))
        case _:
            return str(value)
