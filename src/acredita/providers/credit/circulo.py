"""Círculo de Crédito: the consolidated report with FICO score and lists (`rcc-ficoscore-pld`).

Source: Círculo's public clients (github.com/APIHub-CdC: rcc-ficoscore-pld-client-python and others)
and descriptions (developer.circulodecredito.com.mx). Bodies are signed in both directions; what
does not verify is not read. The service never asks twice: a report is a consultation, which is
billed and leaves a trace, and the interface has no key to tell a repetition from a new question.
"""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import orjson

from acredita.domain.credit.full_names import parts_of
from acredita.domain.credit.question import PostalAddress, Question, Remark
from acredita.domain.credit.report import Report
from acredita.domain.identifiers.rfc import RfcKind
from acredita.domain.names import fold
from acredita.kit.http import HttpClient, HttpError, Response
from acredita.providers.credit.circulo_answers import InvalidAnswer, read_report, says_no_file
from acredita.providers.credit.protocol import Failure, NotConsulted, OutcomeUnknown
from acredita.providers.credit.signatures import BodySignatures

PATH = "/v1/rcc-ficoscore-pld"
SIGNATURE = "x-signature"
# A report of many accounts has a few hundred kilobytes.
LONGEST_REPORT = 4 * 1024 * 1024

# Where the exchange ended before a byte of the request was sent.
NOTHING_SENT = frozenset(("invalid_target", "blocked_address", "dns", "refused", "tls"))
# A report, or the bureau's word that it has no file: either is believed only with its signature.
ANSWERS = (200, 204, 404)
# Other statuses from 300 to 499 are refusals, too. After any other the outcome is unknown.
REFUSALS = {
    401: Failure.CREDENTIALS,
    403: Failure.CREDENTIALS,
    429: Failure.BUSY,
    503: Failure.UNAVAILABLE,
}

# Círculo's catalogue of states, by CURP's codes.
STATES = {
    "AS": "AGS", "BC": "BC", "BS": "BCS", "CC": "CAMP", "CL": "COAH", "CM": "COL", "CS": "CHIS",
    "CH": "CHIH", "DF": "CDMX", "DG": "DGO", "GT": "GTO", "GR": "GRO", "HG": "HGO", "JC": "JAL",
    "MC": "MEX", "MN": "MICH", "MS": "MOR", "NT": "NAY", "NL": "NL", "OC": "OAX", "PL": "PUE",
    "QT": "QRO", "QR": "QROO", "SP": "SLP", "SL": "SIN", "SR": "SON", "TC": "TAB", "TS": "TAMP",
    "TL": "TLAX", "VZ": "VER", "YN": "YUC", "ZS": "ZAC",
}  # fmt: skip
# The description asks for these to be left out, and for letters without accents.
UNWANTED = re.compile("[,`/;:!?-]")
# What its manuals prescribe for a person with one surname.
NO_SECOND_SURNAME = "NO PROPORCIONADO"
LONGEST_SURNAME = 30
LONGEST_GIVEN = 50


@dataclass(frozen=True, slots=True)
class Account:
    """What Círculo gives its customers."""

    api_key: str = field(repr=False)
    username: str = field(repr=False)
    password: str = field(repr=False)


class CirculoDeCredito:
    """`http` must take bodies of LONGEST_REPORT; its time-out bounds the whole exchange."""

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

    def wants(self, question: Question) -> Sequence[Remark]:
        return what_circulo_wants(question)

    def would_want(self, question: Question) -> Sequence[Remark]:  # noqa: ARG002 (it says all)
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
            # All of it in this answer; else most has to be fetched from a cache, part by part.
            "x-full-report": "true",
        }
        try:
            return await self._http.request("POST", self._url, headers=headers, body=body)
        except HttpError as fault:
            word = str(fault.word)
        # Out here no chain of exceptions carries the request along.
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
            # Any proxy has a 404 for an unknown path; only Círculo's own words count.
            if response.status == 204 or says_no_file(response.body):
                return None
        except InvalidAnswer as fault:
            raise OutcomeUnknown(Failure.INVALID_ANSWER, str(fault)) from None
        raise NotConsulted(Failure.REFUSED, "status_404")


def what_circulo_wants(question: Question) -> Sequence[Remark]:
    """Fields that its interface requires. It reports on persons; companies have another one."""
    if question.rfc is not None and question.rfc.kind is RfcKind.COMPANY:
        message = "It is a company's; this bureau's report is of persons."
        return (Remark("rfc", "NOT_A_PERSON", message),)
    lacking = [
        _missing(name, why)
        for name, value, why in (
            ("rfc", question.rfc, "The bureau finds persons by it."),
            ("names", question.name, "fullName cannot be cut into names for certain."),
            ("dateOfBirth", question.birth_date, "Neither CURP nor RFC tells it for certain."),
            ("address", question.address, "The bureau requires it."),
            ("consentReference", question.consent_reference, "The law requires a consent."),
        )
        if value is None
    ]
    if question.name is not None and _is_too_long(person_names(question)):
        lacking.append(Remark("names", "TOO_LONG", "The bureau takes 30 letters of a surname."))
    return lacking


def _missing(name: str, why: str) -> Remark:
    return Remark(name, "MISSING", f"It is missing. {why}")


def _is_too_long(names: dict[str, str]) -> bool:
    return any(
        len(text) > (LONGEST_SURNAME if name.startswith("apellido") else LONGEST_GIVEN)
        for name, text in names.items()
    )


def person(question: Question) -> dict[str, object]:
    """The request's body, for a question that lacks nothing."""
    assert question.birth_date is not None  # noqa: S101 (`wants` has seen to these three)
    assert question.rfc is not None  # noqa: S101
    assert question.address is not None  # noqa: S101
    told: dict[str, object] = {
        **person_names(question),
        "fechaNacimiento": question.birth_date.isoformat(),
        "RFC": question.rfc.text,
        "nacionalidad": "MX",
        "domicilio": _address(question.address),
    }
    if question.curp is not None:
        told["CURP"] = question.curp.text
    return told


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
