"""Checks secrets: the development keys are published, so they protect nothing."""

from base64 import b64decode
from collections.abc import Iterator
from ipaddress import ip_address

from sqlalchemy.engine import make_url

from acredita.kit.crypto import KeyRing
from acredita.settings import (
    DEVELOPMENT_ENCRYPTION_KEY,
    DEVELOPMENT_SECRET,
    SHORTEST_SECRET,
    Environment,
    Settings,
)
from acredita.settings_check.faults import Fault, variable

NEW_SECRET = "Set it to a random value: `openssl rand -hex 32`, or let `acredita init` write all."  # noqa: S105
NEW_KEY = (
    "Set it to the output of `acredita keys new`, and keep a copy: without it, the data are lost."
)
ROTATION = "Put the output of `acredita keys new` before it, and run `acredita keys rotate`."
# 64 random hexadecimal digits have fewer different ones in less than one case of a billion.
FEWEST_CHARACTERS = 8


def check(settings: Settings) -> Iterator[Fault]:
    """Check the secrets of tokens, hashes and encryption."""
    exposure = why_exposed(settings)
    published = f"has the published development key, but {exposure}." if exposure else ""
    secret = settings.secret_key.get_secret_value()
    if secret == DEVELOPMENT_SECRET:
        if exposure:
            yield Fault(variable("secret_key"), f"{published} {NEW_SECRET}")
    elif len(secret) < SHORTEST_SECRET:
        yield Fault(
            variable("secret_key"), f"is shorter than {SHORTEST_SECRET} characters. {NEW_SECRET}"
        )
    yield from _check_signing_keys(settings, published)
    yield from _check_encryption_keys(settings, published)


def _check_signing_keys(settings: Settings, published: str) -> Iterator[Fault]:
    if not settings.signing_keys.get_secret_value():
        return
    name = variable("signing_keys")
    if published and DEVELOPMENT_SECRET in settings.signing_secrets:
        yield Fault(name, f"{published} Replace that key with a random one.")
    elif any(len(key) < SHORTEST_SECRET for key in settings.signing_secrets):
        yield Fault(
            name, f"has a key that is shorter than {SHORTEST_SECRET} characters. Replace that key."
        )


def _check_encryption_keys(settings: Settings, published: str) -> Iterator[Fault]:
    name, keys = variable("encryption_keys"), settings.encryption_keys.get_secret_value()
    if DEVELOPMENT_ENCRYPTION_KEY in keys:
        if published:
            yield Fault(name, f"{published} {NEW_KEY}")
        return
    try:
        KeyRing.from_text(keys)
    except ValueError:
        yield Fault(name, f"does not have the form `id:base64 of 32 bytes`. {NEW_KEY}")


def doubts(settings: Settings) -> Iterator[Fault]:
    """Return the secrets that anyone can guess. They stop nothing: an encryption key cannot be
    replaced before the data have another one."""
    secrets = {
        "secret_key": [settings.secret_key.get_secret_value()],
        "signing_keys": settings.signing_secrets if settings.signing_keys else (),
        "encryption_keys": _hexadecimal(settings.encryption_keys.get_secret_value()),
    }
    for setting, values in secrets.items():
        if any(value and len(set(value)) < FEWEST_CHARACTERS for value in values):
            advice = ROTATION if setting == "encryption_keys" else NEW_SECRET
            yield Fault(
                variable(setting), f"repeats a few characters, so it can be guessed. {advice}"
            )


def _hexadecimal(keys: str) -> list[str]:
    """Return the bytes of encryption keys in hexadecimal; none for text of another form."""
    try:
        return [b64decode(each.partition(":")[2]).hex() for each in keys.split(",")]
    except ValueError:
        return []


def why_exposed(settings: Settings) -> str:
    """Why the published keys are no protection here. Empty: nobody else can reach the process."""
    if settings.env is Environment.PRODUCTION:
        return "this is production"
    if not is_loopback(settings.host):
        return f"{variable('host')} is not a loopback address"
    if not settings.database_url:
        return ""  # an embedded server
    address = make_url(settings.database_url)
    # A server of this machine may hold real data, except in tests, which may bring their own.
    if settings.env is Environment.TEST and is_loopback(address.host or ""):
        return ""
    if settings.embedded_postgres != f"{address.host}:{address.port}":
        return f"{variable('database_url')} is not the embedded database"
    return "" if is_loopback(address.host or "") else "the database is on another machine"


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach the host."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
