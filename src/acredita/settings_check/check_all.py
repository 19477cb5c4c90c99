"""Finds everything that is wrong with the settings at once."""

from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from acredita.kit import redis
from acredita.kit.clock import SystemClock
from acredita.providers.email.smtp import SmtpServer, read_sender
from acredita.providers.mailbox import Mailbox
from acredita.settings import NONE, Environment, Settings
from acredita.settings_check import (
    env_lines,
    files,
    keys,
    misspelt_names,
    provider_choices,
    providers,
)
from acredita.settings_check.faults import Fault, variable

# Seconds for Redis to say which mode it runs in: the check must not miss it on a loaded machine.
PATIENCE = 5.0


@dataclass(frozen=True, slots=True)
class Examination:
    # None if there are faults.
    settings: Settings | None
    faults: tuple[Fault, ...]
    # Settings without effect, or probably wrong. They keep nothing from starting.
    remarks: tuple[Fault, ...]


async def examine(
    overrides: Mapping[str, Any] | None = None, *, parses_postal_codes: bool = False
) -> Examination:
    """Read the settings from the environment and check all of them.

    `overrides` replace values of the environment, such as the host of `acredita api --host`.
    `parses_postal_codes` also checks the content of the catalogue of postal codes.
    """
    given = dict(overrides or {})
    if unreadable := env_lines.why_unreadable():
        return Examination(None, (unreadable,), ())
    faults = [*env_lines.skipped_lines(), *misspelt_names.unknown_variables()]
    settings, invalid = read(given)
    invalid_names = {fault.variable for fault in invalid}
    found = await _check(settings, parses_postal_codes=parses_postal_codes)
    # A check of a default says nothing about the invalid value that it stands for.
    faults += [*invalid, *(fault for fault in found if fault.variable not in invalid_names)]
    named = {fault.variable for fault in faults}
    remarks = (
        *misspelt_names.without_prefix(),
        *(remark for remark in provider_choices.unused(settings) if remark.variable not in named),
        *(doubt for doubt in keys.doubts(settings) if doubt.variable not in named),
        *files.doubts(settings),
    )
    return Examination(None if faults else settings, tuple(faults), remarks)


def read(given: Mapping[str, Any]) -> tuple[Settings, list[Fault]]:
    """Return the settings and the faults of single values, which are replaced by their defaults.

    An invalid environment is replaced by production, which has the most checks.
    """
    try:
        return Settings(**given), []
    except ValidationError as refusal:
        errors = {str(error["loc"][0]): error for error in reversed(refusal.errors())}
    defaults = {name: Settings.model_fields[name].default for name in errors}
    if "env" in defaults:
        defaults["env"] = Environment.PRODUCTION
    settings, _ = read({**given, **defaults})
    return settings, [
        _fault(name, errors[name]) for name in Settings.model_fields if name in errors
    ]


def _fault(name: str, error: ErrorDetails) -> Fault:
    description = Settings.model_fields[name].description
    message = error["msg"].removeprefix("Value error, ").rstrip(".")
    if error["type"] == "string_pattern_mismatch":
        is_address = "https?://" in error["ctx"]["pattern"]
        message = "must be an http(s):// address" if is_address else "is not an accepted value"
    elif message.startswith(("Input should be", "Value should")):
        message = "must be " + message.partition(" be ")[2]
    return Fault(variable(name), f"{message}. It is: {description}")


async def _check(settings: Settings, *, parses_postal_codes: bool) -> list[Fault]:
    faults = [
        *keys.check(settings),
        *provider_choices.check(settings),
        *files.check(settings, parses_postal_codes=parses_postal_codes),
        *_sender(settings),
    ]
    for name, prefixes, opening in _openings(settings):
        # A provider with faults would fail for the same reasons.
        if any(fault.variable.startswith(prefixes) for fault in faults):
            continue
        try:
            async with opening:
                pass
        except (ValueError, OSError) as fault:
            faults.append(Fault(variable(name), f"{_words(fault)}."))
    return faults


def _openings(
    settings: Settings,
) -> Iterator[tuple[str, tuple[str, ...], AbstractAsyncContextManager[object]]]:
    """Return what a process opens at its start: (setting, prefixes of its variables, opening)."""
    clock = SystemClock()
    mailbox = Mailbox(settings.mailbox_folder, clock)
    for name, others, opening in (
        ("redis_url", (), _redis(settings)),
        ("smtp_url", (), _mail_server(settings)),
        ("storage_url", ("storage",), providers.storage(settings)),
        ("government_bridge_url", ("government",), providers.government(settings, clock)),
        ("circulo_url", ("circulo", "credit"), providers.credit(settings, clock)),
        ("sms_providers", ("sms", "twilio"), providers.sms(settings, mailbox, clock)),
        ("esignature_certificate", ("esignature",), providers.seal(settings)),
        ("esignature_tsa_url", ("esignature",), providers.timestamps(settings)),
        ("conservation_url", ("conservation",), providers.conservation(settings)),
    ):
        yield name, tuple(variable(other) for other in (name, *others)), opening


def _sender(settings: Settings) -> Iterator[Fault]:
    if settings.smtp_url.get_secret_value() not in {"", NONE}:
        try:
            read_sender(settings.mail_from)
        except ValueError as fault:
            yield Fault(variable("mail_from"), f"{fault}.")


@asynccontextmanager
async def _redis(settings: Settings) -> AsyncIterator[None]:
    if settings.redis_url:
        client = redis.connect(settings.redis_url, timeout=PATIENCE)
        try:
            await redis.require_single_server(client)
        finally:
            await client.aclose()
    yield


@asynccontextmanager
async def _mail_server(settings: Settings) -> AsyncIterator[None]:
    """The address alone: sender and certificate authority have checks of their own."""
    url = settings.smtp_url.get_secret_value()
    if url not in {"", NONE}:
        SmtpServer.from_url(url)
    yield


def _words(fault: Exception) -> str:
    if isinstance(fault, OSError) and fault.strerror:
        return f"cannot be opened: {fault.strerror}"
    return str(fault).rstrip(".")
