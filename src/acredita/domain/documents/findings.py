"""The judgement of one field.

One rule decides every field. A value is accepted if nothing contradicts it, its readings agree and
the confidence of its weakest character reaches a threshold. The threshold depends on how far
another zone of the document confirms the value.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum, StrEnum
from typing import Final

from acredita.domain.documents.pages import (
    MOST_ALTERNATIVES,
    PageKind,
    PageReading,
    Sighting,
)
from acredita.domain.names import fold


class Decision(StrEnum):
    ACCEPTED = "ACCEPTED"
    REVIEW = "REVIEW"
    REJECTED = "REJECTED"  # read with certainty, and no issuer prints it


class Source(StrEnum):
    OCR = "ocr"
    MRZ = "mrz"
    BARCODE = "barcode"
    GOVERNMENT = "government"


class Zone(StrEnum):
    """The part of the document that shows the value."""

    FRONT = "front"
    BACK = "back"
    PASSPORT = "passport"
    CERTIFICATE = "certificate"
    ANNEX = "annex"
    PROOF = "proof"
    MRZ = "mrz"


class Reason(StrEnum):
    """Why a field is not accepted."""

    NOT_FOUND = "NOT_FOUND"
    INVALID = "INVALID"
    CHECK_DIGIT_WRONG = "CHECK_DIGIT_WRONG"
    LOW_CONFIDENCE = "LOW_CONFIDENCE"
    READINGS_DIFFER = "READINGS_DIFFER"
    REPAIRED = "REPAIRED"
    UNCONFIRMED = "UNCONFIRMED"
    POSSIBLE_ENYE = "POSSIBLE_ENYE"
    UNUSUAL_SPELLING = "UNUSUAL_SPELLING"
    CONTRADICTS_CURP = "CONTRADICTS_CURP"
    CONTRADICTS_CLAVE = "CONTRADICTS_CLAVE"
    CONTRADICTS_MRZ = "CONTRADICTS_MRZ"
    CONTRADICTS_NAME = "CONTRADICTS_NAME"
    CONTRADICTS_PRINT = "CONTRADICTS_PRINT"
    CONTRADICTS_CODE = "CONTRADICTS_CODE"

    @property
    def contradiction(self) -> bool:
        return self.name.startswith("CONTRADICTS")


class Confirmation(Enum):
    """How far other zones confirm a value: the lowest confidence that is accepted, and whether two
    readings must agree.
    """

    NONE = (0.95, True)
    LETTERS = (0.80, True)  # the same letters in a zone without accents and Ñ
    RULE = (0.50, True)  # check digits and the values that they cover; names that a zone spells out
    SAME = (0.30, False)  # the same value in another zone

    @property
    def least_confidence(self) -> float:
        return self.value[0]

    @property
    def needs_agreement(self) -> bool:
        return self.value[1]


SURE: Final = Confirmation.NONE.least_confidence


@dataclass(frozen=True, slots=True)
class Evidence:
    """The reading of a value in one zone. `agreed` means that at least two readings are equal."""

    value: str
    confidence: float
    agreed: bool
    source: Source
    zone: Zone
    alternatives: tuple[str, ...] = ()
    repaired: bool = False

    @property
    def sure(self) -> bool:
        return self.agreed and self.confidence >= SURE


@dataclass(frozen=True, slots=True)
class Finding:
    """The judgement of one field."""

    field: str
    value: str | None
    confidence: float
    decision: Decision
    source: Source
    zone: Zone
    alternatives: tuple[str, ...] = ()
    reasons: tuple[Reason, ...] = ()
    confirmation: Confirmation = Confirmation.NONE

    @property
    def accepted(self) -> bool:
        return self.decision is Decision.ACCEPTED


PRINT_ZONES: Final = {
    PageKind.INE_FRONT: Zone.FRONT,
    PageKind.INE_BACK: Zone.BACK,
    PageKind.PASSPORT: Zone.PASSPORT,
    PageKind.DRIVER_LICENCE: Zone.FRONT,
    PageKind.CURP_CERTIFICATE: Zone.CERTIFICATE,
    PageKind.RFC_CERTIFICATE: Zone.CERTIFICATE,
    PageKind.RFC_CERTIFICATE_ANNEX: Zone.ANNEX,
    PageKind.PROOF_OF_ADDRESS: Zone.PROOF,
}
"""The zone of each page's print."""


def printed(page: PageReading | None, field: str) -> Evidence | None:
    """Return the field as read in the page's print; None without a page or field."""
    sighting = page.sighting(field) if page else None
    if page is None or sighting is None:
        return None
    return evidence_of(sighting, PRINT_ZONES[page.kind])


def printed_in_lines(page: PageReading | None, field: str, most: int = 4) -> Evidence | None:
    """Return a field of up to `most` lines (`field`, `field2` and so on), joined by spaces.

    Its confidence is the lowest of its lines.
    """
    names = (field, *(f"{field}{number}" for number in range(2, most + 1)))
    lines = [line for name in names if (line := printed(page, name))]
    if len(lines) < 2:
        return lines[0] if lines else None
    return replace(
        lines[0],
        value=" ".join(line.value for line in lines),
        confidence=min(line.confidence for line in lines),
        agreed=all(line.agreed for line in lines),
        alternatives=(),
    )


def printed_address(page: PageReading) -> list[Evidence]:
    """Return the lines of the address, at most three."""
    lines = (printed(page, f"address{number}") for number in (1, 2, 3))
    return [line for line in lines if line]


def joined(lines: Sequence[Evidence]) -> Evidence:
    """Return the lines as one value, with commas between them. There is at least one."""
    return replace(
        lines[0],
        value=", ".join(line.value for line in lines),
        confidence=min(line.confidence for line in lines),
        agreed=all(line.agreed for line in lines),
        alternatives=(),
    )


def evidence_of(sighting: Sighting, zone: Zone) -> Evidence:
    """Return the evidence of a value that OCR read in `zone`."""
    return Evidence(
        sighting.value,
        sighting.confidence,
        sighting.agreed,
        Source.OCR,
        zone,
        sighting.alternatives,
    )


def decide(
    field: str,
    evidence: Evidence,
    *,
    confirmation: Confirmation = Confirmation.NONE,
    against: tuple[Reason, ...] = (),
    impossible: bool = False,
) -> Finding:
    """Accept the value, or give the reasons against it. `impossible` states that no issuer prints
    such a value, so a sure reading of it is rejected."""
    reasons = list(dict.fromkeys(against))
    if confirmation is Confirmation.LETTERS and may_lack_diacritic(evidence):
        confirmation = Confirmation.NONE
    if confirmation.needs_agreement and not evidence.agreed:
        reasons.append(Reason.READINGS_DIFFER)
    if evidence.confidence < confirmation.least_confidence:
        reasons.append(Reason.LOW_CONFIDENCE)
    if evidence.repaired and confirmation is not Confirmation.SAME:
        reasons.append(Reason.REPAIRED)
    decision = Decision.REVIEW if reasons else Decision.ACCEPTED
    if impossible and evidence.sure:
        decision = Decision.REJECTED
    return Finding(
        field,
        evidence.value,
        evidence.confidence,
        decision,
        evidence.source,
        evidence.zone,
        evidence.alternatives,
        tuple(reasons),
        confirmation,
    )


def decide_curp(evidence: Evidence, against: Sequence[Reason], *, digit_holds: bool) -> Finding:
    """Decide a CURP whose letters and date, but not all characters, the page repeats."""
    wrong = () if digit_holds else (Reason.CHECK_DIGIT_WRONG,)
    return decide(
        "curp",
        evidence,
        confirmation=Confirmation.LETTERS,
        against=(*wrong, *against),
        impossible=not digit_holds,
    )


def of_spelling(evidence: Evidence) -> Confirmation:
    """Return how far a zone with the same letters in the same words confirms a name.

    It settles every doubt but that about accents and Ñ, which it does not have.
    """
    may_hide_one = len(evidence.alternatives) >= MOST_ALTERNATIVES
    if may_hide_one or may_lack_diacritic(evidence):
        return Confirmation.LETTERS
    return Confirmation.RULE


def may_lack_diacritic(evidence: Evidence) -> bool:
    """Whether an alternative reading differs only in accents or Ñ, which other zones do not
    confirm."""
    letters = fold(evidence.value)
    return any(fold(rival) == letters for rival in evidence.alternatives)


def missing(field: str, zone: Zone) -> Finding:
    """Return the finding of a field that was not found: REVIEW, with confidence 0."""
    source = Source.MRZ if zone is Zone.MRZ else Source.OCR
    return Finding(field, None, 0.0, Decision.REVIEW, source, zone, (), (Reason.NOT_FOUND,))


def compare(
    field: str, preferred: Evidence | None, others: dict[Reason, str | None]
) -> Finding | None:
    """Decide a value by comparison with other zones; None if the preferred zone has no value.

    `others` maps each reason to the value of another zone (None: no value). The reason applies if
    that value differs.
    """
    if preferred is None:
        return None
    said = {reason: value for reason, value in others.items() if value}
    against = tuple(reason for reason, value in said.items() if value != preferred.value)
    confirmation = Confirmation.SAME if said and not against else Confirmation.NONE
    finding = decide(field, preferred, confirmation=confirmation, against=against)
    rivals = tuple(v for v in dict.fromkeys(said.values()) if v != preferred.value)
    return replace(finding, alternatives=(*rivals, *finding.alternatives)[:4])
