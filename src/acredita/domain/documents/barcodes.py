"""Parse the barcodes of certificates and compare them with the print. No address is opened.

Only the issuer can check the signature of a code, so a forger can print a matching code. A code is
read by other means than the print. So it confirms a reading, and it contradicts a page that was
altered in one place only.

The formats are those of published certificates. SAT's address on the first page has the idCIF and
the RFC in the parameter D3. The address on the last page has the date, the RFC, the name and a
seal. RENAPO's code has the CURP and the person's data, separated by bars or with captions.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date
from enum import StrEnum
from typing import Any, Final
from urllib.parse import SplitResult, unquote, urlsplit

from acredita.domain.documents.findings import (
    Confirmation,
    Evidence,
    Finding,
    Reason,
    Source,
    decide,
)
from acredita.domain.documents.kind_interface import Findings, Sides
from acredita.domain.documents.pages import Barcode
from acredita.domain.identifiers import states
from acredita.domain.identifiers.formatting import Sex
from acredita.domain.identifiers.states import State
from acredita.domain.names import PersonName
from acredita.domain.reasons import DocumentReason

CODE_CONFIDENCE: Final = 0.99
"""The confidence of a printed value that a code confirms: codes correct their own errors."""
_TAX_HOST: Final = "siat.sat.gob.mx"
_CARD: Final = re.compile(r"([0-9]{11})_([A-Z&Ñ]{3,4}[0-9]{6}[A-Z0-9]{3})")
_CHAIN: Final = re.compile(
    r"\|\|([0-9]{4})/([0-9]{2})/([0-9]{2})\|([A-Z&Ñ]{3,4}[0-9]{6}[A-Z0-9]{3})\|([^|]{1,300})\|.*",
    re.DOTALL,
)
_CURP: Final = "[A-Z]{4}[0-9]{6}[HMX][A-Z]{5}[0-9A-Z][0-9]"
_LONGEST_PART: Final = 150
_SEXES: Final = {"HOMBRE": Sex.MALE, "MUJER": Sex.FEMALE, "NO BINARIO": Sex.UNSPECIFIED}
_CAPTIONED: Final = re.compile(rf"Nombre:\s*([^|]{{1,200}}?)\s*\|\s*CURP:\s*({_CURP})\b")


@dataclass(frozen=True, slots=True)
class TaxCode:
    """The content of the codes of an RFC certificate; None for absent values."""

    rfc: str
    id_cif: str | None = None
    name: str | None = None
    issued: str | None = None


@dataclass(frozen=True, slots=True)
class CurpCode:
    """The content of the code of a CURP certificate, with `name` in parts or `full_name`."""

    curp: str
    name: PersonName | None = None
    full_name: str | None = None
    birth_date: str | None = None
    sex: Sex | None = None
    state: State | None = None


def tax_code(codes: Iterable[Barcode]) -> TaxCode | None:
    """Return the combined content of SAT's codes; None if there is none or if they disagree."""
    said = list(_tax_codes(codes))
    if not said or _differ(said):
        return None
    values: dict[str, Any] = {
        name: next(iter(_distinct_values(said, name)), None)
        for name in ("id_cif", "name", "issued")
    }
    return replace(said[0], **values)


def curp_code(codes: Iterable[Barcode]) -> CurpCode | None:
    """Return the content of the codes of a CURP; None if there is none or if they disagree."""
    said = list(_curp_codes(codes))
    return None if not said or _differ(said) else said[0]


def codes_disagree(codes: Collection[Barcode]) -> bool:
    """Whether the codes of one document contradict each other, as when a forger adds a code."""
    return _differ(list(_tax_codes(codes))) or _differ(list(_curp_codes(codes)))


def _differ(said: Sequence[TaxCode] | Sequence[CurpCode]) -> bool:
    return any(
        len(_distinct_values(said, field.name)) > 1 for code in said[:1] for field in fields(code)
    )


def _distinct_values(said: Sequence[TaxCode] | Sequence[CurpCode], name: str) -> set[Any]:
    return {value for code in said if (value := getattr(code, name)) is not None}


def has_foreign_address(codes: Iterable[Barcode]) -> bool:
    """Whether a code is a web address outside .gob.mx, where a forger can show the forged data."""
    addresses = (_address(code.text) for code in codes)
    return any(
        address is not None and not f".{address.hostname}".endswith(".gob.mx")
        for address in addresses
    )


class Agreement(StrEnum):
    """The result of comparing the codes with the print; on the wire as `barcode`."""

    CONFIRMS = "CONFIRMS"
    CONTRADICTS = "CONTRADICTS"
    SILENT = "SILENT"  # a code was read, without comparable content
    NONE = "NONE"  # no code was read


def agreement(codes: Collection[Barcode], findings: Iterable[Finding]) -> Agreement:
    findings = list(findings)
    if any(Reason.CONTRADICTS_CODE in finding.reasons for finding in findings):
        return Agreement.CONTRADICTS
    if any(finding.source is Source.BARCODE for finding in findings):
        return Agreement.CONFIRMS
    return Agreement.SILENT if codes else Agreement.NONE


def code_contradictions(_sides: Sides, findings: Findings) -> tuple[DocumentReason, ...]:
    """Return FIELDS_CONTRADICT if a code contradicts the print of any field, even an optional
    one."""
    reasons = {reason for finding in findings.values() for reason in finding.reasons}
    return (DocumentReason.FIELDS_CONTRADICT,) if Reason.CONTRADICTS_CODE in reasons else ()


def decide_with_code(
    field: str,
    evidence: Evidence,
    said: str | None,
    *,
    confirmation: Confirmation = Confirmation.NONE,
    against: Sequence[Reason] = (),
    impossible: bool = False,
) -> Finding:
    """Decide a printed value with the code's value for it, `said` (None: no value).

    Equal values get the confidence of the code. Different values need a review.
    """
    if said is not None and said != evidence.value:
        against = (*against, Reason.CONTRADICTS_CODE)
    elif said is not None:
        confirmation = Confirmation.SAME
    finding = decide(
        field, evidence, confirmation=confirmation, against=tuple(against), impossible=impossible
    )
    if Reason.CONTRADICTS_CODE in finding.reasons and said:
        return replace(finding, alternatives=(said, *finding.alternatives)[:4])
    if said is not None and finding.accepted:
        confidence = max(finding.confidence, CODE_CONFIDENCE)
        return replace(finding, source=Source.BARCODE, confidence=confidence)
    return finding


def _address(text: str) -> SplitResult | None:
    try:
        parts = urlsplit(text.strip())
    except ValueError:
        return None
    return parts if parts.scheme in ("http", "https") and parts.hostname else None


def _tax_codes(codes: Iterable[Barcode]) -> Iterable[TaxCode]:
    for code in codes:
        address = _address(code.text)
        if address is None or address.hostname != _TAX_HOST:
            continue
        # D3 is last in the query and not always escaped: names and the RFC may contain "&".
        values = unquote(address.query.partition("D3=")[2])
        if card := _CARD.fullmatch(values):
            yield TaxCode(card[2], id_cif=card[1])
        elif chain := _CHAIN.fullmatch(values):
            yield TaxCode(
                chain[4], name=chain[5].strip(), issued=_day(chain[1], chain[2], chain[3])
            )


def _curp_codes(codes: Iterable[Barcode]) -> Iterable[CurpCode]:
    return (said for code in codes if (said := _curp_code(code.text)))


def _curp_code(text: str) -> CurpCode | None:
    parts = [part.strip() for part in text.split("|")]
    short = max(map(len, parts)) <= _LONGEST_PART
    if len(parts) >= 8 and short and re.fullmatch(_CURP, parts[0]):
        day, _, rest = parts[6].partition("/")
        month, _, year = rest.partition("/")
        return CurpCode(
            parts[0],
            name=PersonName(given=parts[4], paterno=parts[2], materno=parts[3]),
            birth_date=_day(year, month, day),
            sex=_SEXES.get(parts[5].upper()),
            state=states.named(parts[7]),
        )
    if captioned := _CAPTIONED.search(text):
        return CurpCode(captioned[2], full_name=captioned[1])
    return None


def _day(year: str, month: str, day: str) -> str | None:
    if not (year.isdecimal() and month.isdecimal() and day.isdecimal()):
        return None
    try:
        return date(int(year), int(month), int(day)).isoformat()
    except ValueError:
        return None
