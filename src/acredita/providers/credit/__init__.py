"""Credit bureaus: Círculo de Crédito, or a sandbox."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from pydantic import SecretStr

from acredita.kit.clock import Clock
from acredita.kit.http import HttpClient, HttpError
from acredita.kit.http.urls import parse_target
from acredita.providers.credit.circulo import LONGEST_REPORT, Account, CirculoDeCredito
from acredita.providers.credit.protocol import (
    ConsultationFailed,
    CreditBureau,
    Failure,
    NotConsulted,
    OutcomeUnknown,
)
from acredita.providers.credit.sandbox import SandboxBureau
from acredita.providers.credit.signatures import BodySignatures


@dataclass(frozen=True, slots=True, kw_only=True)
class CirculoAccess:
    """The operator's credentials at Círculo de Crédito and its own key."""

    url: str
    api_key: SecretStr
    username: str
    password: SecretStr
    key_file: Path | None
    key_password: SecretStr
    certificate_file: Path | None
    ca_file: Path | None = None


@asynccontextmanager
async def open_credit(
    provider: str, *, clock: Clock, circulo: CirculoAccess, timeout: float
) -> AsyncIterator[CreditBureau | None]:
    """Open `sandbox`, `circulo` or `none` (which is None).

    `timeout`: seconds for one whole consultation. Raise ValueError for an unknown provider, an
    invalid URL, missing credentials or unusable keys.
    """
    if provider == "none":
        yield None
        return
    if provider == "sandbox":
        yield SandboxBureau(clock)
        return
    if provider != "circulo":
        raise ValueError("the credit provider must be sandbox, circulo or none")
    account = _account(circulo)
    signatures = await asyncio.to_thread(_signatures, circulo)
    async with HttpClient(
        timeout=timeout,
        allow_private=True,
        ca_file=circulo.ca_file,
        longest_body=LONGEST_REPORT,
    ) as http:
        yield CirculoDeCredito(
            http, base_url=circulo.url, account=account, signatures=signatures, timeout=timeout
        )


def _account(circulo: CirculoAccess) -> Account:
    try:
        address = parse_target(circulo.url, allow_private=True).url
    except HttpError:
        address = None
    if address is None or address.raw_query_string or "#" in circulo.url:
        raise ValueError("Círculo de Crédito needs a base URL without query or fragment")
    account = Account(
        circulo.api_key.get_secret_value(), circulo.username, circulo.password.get_secret_value()
    )
    for name in ("api_key", "username", "password"):
        value = getattr(account, name)
        if not (value and value.isascii() and value.isprintable()):
            raise ValueError(f"Círculo de Crédito needs a {name} of printable ASCII characters")
    return account


def _signatures(circulo: CirculoAccess) -> BodySignatures:
    if circulo.key_file is None or circulo.certificate_file is None:
        raise ValueError("Círculo de Crédito needs our private key and its certificate")
    return BodySignatures.from_files(
        circulo.key_file,
        circulo.certificate_file,
        password=circulo.key_password.get_secret_value(),
    )
