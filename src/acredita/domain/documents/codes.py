"""What the codes on documents say, as their issuers write it. Nothing is looked up anywhere.

A code is not signed in a way that anybody but its issuer could check: whoever can print a page can
print a code. It confirms a reading, because it is read by other means, and contradicts a page that
was altered in one place alone.

The shapes are those of published certificates. A SAT address of a taxpayer's page holds D3, the
idCIF and the RFC; the one on the last page the day, the RFC, the name and a seal. RENAPO's code has
the CURP and the person's data between bars, or behind captions.
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
from acredita.domain.documents.pages import Barcode
from acredita.domain.documents.rules import Findings, Sides
from acredita.domain.identifiers import states
from acredita.domain.identifiers.notation import Sex
from acredita.domain.identifiers.states import State
from acredita.domain.names import PersonName
from acredita.domain.reasons import DocumentReason

CODE_CONFIDENCE: Final = 0.99
"""Of a value that a code says as well as the print: codes correct their own errors."""
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
    """What the codes of an RFC certificate say; None for what they do not."""

    rfc: str
    id_cif: str | None = None
    name: str | None = None
    issued: str | None = None


@dataclass(frozen=True, slots=True)
class CurpCode:
    """What the code of a CURP certificate says. `name` in parts, or `full_name`."""

    curp: str
    name: PersonName | None = None
    full_name: str | None = None
    birth_date: str | None = None
    sex: Sex | None = None
    state: State | None = None


def tax_code(codes: Iterable[Barcode]) -> TaxCode | None:
    """What all codes of the SAT among these say together; None where there is none, and where they
    are `disagreeing`.
    """
    said = list(_tax_codes(codes))
    if not said or _differ(said):
        return None
    told: dict[str, Any] = {
        name: next(iter(_told(said, name)), None) for name in ("id_cif", "name", "issued")
    }
    return replace(said[0], **told)


def curp_code(codes: Iterable[Barcode]) -> CurpCode | None:
    """What the codes with the data of a CURP say; None where there is none, and where they are
    `disagreeing`.
    """
    said = list(_curp_codes(codes))
    return None if not said or _differ(said) else said[0]


def disagreeing(codes: Collection[Barcode]) -> bool:
    """Whether codes on one paper say different things: one that was added beside its own."""
    return _differ(list(_tax_codes(codes))) or _differ(list(_curp_codes(codes)))


def _differ(said: Sequence[TaxCode] | Sequence[CurpCode]) -> bool:
    return any(len(_told(said, field.name)) > 1 for code in said[:1] for field in fields(code))


def _told(said: Sequence[TaxCode] | Sequence[CurpCode], name: str) -> set[Any]:
    return {value for code in said if (value := getattr(code, name)) is not None}


def leads_astray(codes: Iterable[Barcode]) -> bool:
    """Whether a code is a web address outside of the government's own, where a forger would show
    the data that the paper claims.
    """
    addresses = (_address(code.text) for code in codes)
    return any(
        address is not None and not f".{address.hostname}".endswith(".gob.mx")
        for address in addresses
    )


class Agreement(StrEnum):
    """What the codes of a document came to; on the wire as `barcode`."""

    CONFIRMS = "CONFIRMS"
    CONTRADICTS = "CONTRADICTS"
    SILENT = "SILENT"  # read, and nothing that could be compared
    NONE = "NONE"  # none was read


def agreement(codes: Collection[Barcode], findings: Iterable[Finding]) -> Agreement:
    findings = list(findings)
    if any(Reason.CONTRADICTS_CODE in finding.reasons for finding in findings):
        return Agreement.CONTRADICTS
    if any(finding.source is Source.BARCODE for finding in findings):
        return Agreement.CONFIRMS
    return Agreement.SILENT if codes else Agreement.NONE


def contradicted(_sides: Sides, findings: Findings) -> tuple[DocumentReason, ...]:
    """No code that contradicts the print is passed over, whatever the field is worth."""
    reasons = {reason for finding in findings.values() for reason in finding.reasons}
    return (DocumentReason.FIELDS_CONTRADICT,) if Reason.CONTRADICTS_CODE in reasons else ()


def weighed(
    field: str,
    evidence: Evidence,
    said: str | None,
    *,
    confirmation: Confirmation = Confirmation.NONE,
    against: Sequence[Reason] = (),
    impossible: bool = False,
) -> Finding:
    """Decide a printed value by what a code says of it (None: nothing).

    What both say is as sure as the code; what they say differently is for a person to see.
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
        # The last of the query, and not always escaped: names and RFC may hold an ampersand.
        told = unquote(address.query.partition("D3=")[2])
        if card := _CARD.fullmatch(told):
            yield TaxCode(card[2], id_cif=card[1])
        elif chain := _CHAIN.fullmatch(told):
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
