"""Círculo de Crédito: the consolidated report with FICO score and lists (`rcc-ficoscore-pld`).

Source: Círculo's public clients (github.com/APIHub-CdC: rcc-ficoscore-pld-client-python and others)
and descriptions (developer.circulodecredito.com.mx). Bodies are signed in both directions, and an
answer without a valid signature is not parsed. The service never retries: a report is a
consultation, which is billed and recorded in the person's file, and the API has no idempotency key.
"""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import orjson

from acredita.domain.credit.full_names import parts_of
from acredita.domain.credit.person import PostalAddress, Question, Remark
from acredita.domain.credit.report import Report
from acredita.domain.identifiers.rfc import RfcKind
from acredita.domain.names import fold
from acredita.kit.http import HttpClient, HttpError, Response
from acredita.providers.credit.circulo_responses import (
    InvalidAnswer,
    is_no_file_answer,
    read_report,
)
from acredita.providers.credit.protocol import Failure, NotConsulted, OutcomeUnknown
from acredita.providers.credit.signatures import BodySignatures

PATH = "/v1/rcc-ficoscore-pld"
SIGNATURE = "x-signature"
# Bytes. A report with many accounts has a few hundred kilobytes.
LONGEST_REPORT = 4 * 1024 * 1024

# Failures before any byte of the request was sent.
NOTHING_SENT = frozenset(("invalid_target", "blocked_address", "dns", "refused", "tls"))
# A report, or "no file". Both need a valid signature.
ANSWERS = (200, 204, 404)
# Other statuses from 300 to 499 are also refusals. After any other status the outcome is unknown.
REFUSALS = {
    401: Failure.CREDENTIALS,
    403: Failure.CREDENTIALS,
    429: Failure.BUSY,
    503: Failure.UNAVAILABLE,
}

# Círculo's state codes by the CURP's state codes.
STATES = {
    "AS": "AGS", "BC": "BC", "BS": "BCS", "CC": "CAMP", "CL": "COAH", "CM": "COL", "CS": "CHIS",
    "CH": "CHIH", "DF": "CDMX", "DG": "DGO", "GT": "GTO", "GR": "GRO", "HG": "HGO", "JC": "JAL",
    "MC": "MEX", "MN": "MICH", "MS": "MOR", "NT": "NAY", "NL": "NL", "OC": "OAX", "PL": "PUE",
    "QT": "QRO", "QR": "QROO", "SP": "SLP", "SL": "SIN", "SR": "SON", "TC": "TAB", "TS": "TAMP",
    "TL": "TLAX", "VZ": "VER", "YN": "YUC", "ZS": "ZAC",
}  # fmt: skip
# Círculo's API excludes these characters and accents.
UNWANTED = re.compile("[,`/;:!?-]")
# Círculo's manuals require this for a person with one surname.
NO_SECOND_SURNAME = "NO PROPORCIONADO"
LONGEST_SURNAME = 30
LONGEST_GIVEN = 50


@dataclass(frozen=True, slots=True)
class Account:
    """Credentials from Círculo."""

    api_key: str = field(repr=False)
    username: str = field(repr=False)
    password: str = field(repr=False)


class CirculoDeCredito:
    """`http` must accept bodies of LONGEST_REPORT bytes. Its time-out limits the whole exchange."""

    name = "circulo"
    is_sandbox = False

    def __init__(
        self,
        http: HttpClient,
        *,
        base_url: str,
        account: Account,
        signatures: BodySignatures,
        timeout: float,
    ) -> None:
        self._http = http
        self._url = base_url.rstrip("/") + PATH
        self._account = account
        self._signatures = signatures
        self.timeout = timeout

    def problems(self, question: Question) -> Sequence[Remark]:
        return circulo_problems(question)

    def production_problems(self, question: Question) -> Sequence[Remark]:  # noqa: ARG002 (`problems` is complete)
        return ()

    async def consult(self, question: Question) -> Report | None:
        body = orjson.dumps(person(question))
        signature = await asyncio.to_thread(self._signatures.sign, body)
        response = await self._exchange(body, signature)
        if failure := REFUSALS.get(response.status):
            raise NotConsulted(failure, f"status_{response.status}")
        if response.status not in ANSWERS and 300 <= response.status < 500:
            raise NotConsulted(Failure.REFUSED, f"status_{response.status}")
        if response.status not in ANSWERS:
            raise OutcomeUnknown(Failure.NO_ANSWER, f"status_{response.status}")
        if response.truncated:
            raise OutcomeUnknown(Failure.INVALID_ANSWER, "too_large")
        return await asyncio.to_thread(self._read, response, question)

    async def _exchange(self, body: bytes, signature: str) -> Response:
        headers = {
            "Accept": "application/json",
            "Content-Type": "application/json",
            "x-api-key": self._account.api_key,
            "username": self._account.username,
            "password": self._account.password,
            SIGNATURE: signature,
            # The full report in this answer. Otherwise most parts need separate requests.
            "x-full-report": "true",
        }
        try:
            return await self._http.request("POST", self._url, headers=headers, body=body)
        except HttpError as fault:
            word = str(fault.word)
        # Raised outside `except`: the exception chain must not contain the request.
        if word in NOTHING_SENT:
            raise NotConsulted(Failure.UNAVAILABLE, word)
        raise OutcomeUnknown(Failure.NO_ANSWER, word)

    def _read(self, response: Response, question: Question) -> Report | None:
        signature = response.headers.get(SIGNATURE, "")
        if not self._signatures.verifies(response.body, signature):
            raise OutcomeUnknown(Failure.NOT_AUTHENTIC, "signature" if signature else "unsigned")
        try:
            if response.status == 200:
                return read_report(response.body, question)
            # Any proxy may return 404, so require Círculo's own error code.
            if response.status == 204 or is_no_file_answer(response.body):
                return None
        except InvalidAnswer as fault:
            raise OutcomeUnknown(Failure.INVALID_ANSWER, str(fault)) from None
        raise NotConsulted(Failure.REFUSED, "status_404")


def circulo_problems(question: Question) -> Sequence[Remark]:
    """Missing or invalid fields, by Círculo's API. Its report covers persons, not companies."""
    if question.rfc is not None and question.rfc.kind is RfcKind.COMPANY:
        message = "This is a company's RFC, but the bureau's report is for persons."
        return (Remark("rfc", "NOT_A_PERSON", message),)
    lacking = [
        _missing(name, why)
        for name, value, why in (
            ("rfc", question.rfc, "The bureau searches by it."),
            ("names", question.name, "fullName cannot be split into names reliably."),
            ("dateOfBirth", question.birth_date, "CURP and RFC do not give it reliably."),
            ("address", question.address, "The bureau requires it."),
            ("consentReference", question.consent_reference, "The law requires consent."),
        )
        if value is None
    ]
    if question.name is not None and _is_too_long(person_names(question)):
        lacking.append(
            Remark("names", "TOO_LONG", "The bureau accepts surnames of up to 30 letters.")
        )
    return lacking


def _missing(name: str, why: str) -> Remark:
    return Remark(name, "MISSING", f"It is missing. {why}")


def _is_too_long(names: dict[str, str]) -> bool:
    return any(
        len(text) > (LONGEST_SURNAME if name.startswith("apellido") else LONGEST_GIVEN)
        for name, text in names.items()
    )


def person(question: Question) -> dict[str, object]:
    """The request's body, for a question without problems."""
    assert question.birth_date is not None  # noqa: S101 (`problems` has checked these three)
    assert question.rfc is not None  # noqa: S101
    assert question.address is not None  # noqa: S101
    fields: dict[str, object] = {
        **person_names(question),
        "fechaNacimiento": question.birth_date.isoformat(),
        "RFC": question.rfc.text,
        "nacionalidad": "MX",
        "domicilio": _address(question.address),
    }
    if question.curp is not None:
        fields["CURP"] = question.curp.text
    return fields


def person_names(question: Question) -> dict[str, str]:
    assert question.name is not None  # noqa: S101
    first, *others = parts_of(question.name.given)
    names = {
        "apellidoPaterno": _plain(question.name.paterno),
        "apellidoMaterno": _plain(question.name.materno) or NO_SECOND_SURNAME,
        "primerNombre": _plain(first),
        "segundoNombre": _plain(" ".join(others)),
    }
    return {name: text for name, text in names.items() if text}


def _address(address: PostalAddress) -> dict[str, str]:
    return {
        "direccion": _plain(address.street),
        "coloniaPoblacion": _plain(address.neighborhood),
        "delegacionMunicipio": _plain(address.municipality),
        "ciudad": _plain(address.city),
        "estado": STATES[address.state.code],
        "CP": address.postal_code,
    }


def _plain(text: str) -> str:
    return " ".join(UNWANTED.sub(" ", fold(text)).split())
