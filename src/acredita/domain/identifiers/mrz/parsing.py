"""Parse the clean lines of a machine readable zone, and compare them with the printed data."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from acredita.domain.identifiers.formatting import Sex, date_in_century, yymmdd
from acredita.domain.identifiers.mrz.layout import (
    FILLER,
    INE,
    Check,
    Layout,
    MrzFormat,
    Span,
    check_digit,
    layout_of,
)
from acredita.domain.identifiers.mrz.transliteration import same_name, split_names
from acredita.domain.identifiers.problems import Fault, FaultCode, Reading, Severity, mismatch
from acredita.domain.names import PersonName

_INE_SEXES = {"H": Sex.MALE, "M": Sex.FEMALE, "X": Sex.UNSPECIFIED, FILLER: Sex.UNSPECIFIED}
_ICAO_SEXES = {"M": Sex.MALE, "F": Sex.FEMALE, "X": Sex.UNSPECIFIED, FILLER: Sex.UNSPECIFIED}
# INE issues the card to citizens, and to people who turn 18 before the next election.
_YOUNGEST_VOTER = 17
# The two digits of an expiry year: no machine readable document expires before 1970.
_EXPIRY_PIVOT = 70


@dataclass(frozen=True, slots=True)
class IneZone:
    """The fields on the back of an INE card that ICAO does not define."""

    cic: str
    ocr: str
    section: str
    citizen_id: str
    emission: str


@dataclass(frozen=True, slots=True)
class Mrz:
    """The fields of a zone, without fillers. Dates stay in the form YYMMDD, without a century."""

    format: MrzFormat
    lines: tuple[str, ...]
    document_code: str
    issuer: str
    document_number: str
    nationality: str
    birth: str
    sex: Sex | None
    expiry: str
    surnames: str
    given: str
    names_truncated: bool
    surnames_truncated: bool
    optional: str
    optional2: str = ""
    ine: IneZone | None = None

    def birth_date(self, today: date) -> date | None:
        """Return the latest possible date of birth, or None if the zone has no complete date."""
        youngest = _YOUNGEST_VOTER if self.ine else 0
        for century in (2000, 1900):
            born = date_in_century(self.birth, century)
            if born and born <= today and born.year + youngest <= today.year:
                return born
        return None

    @property
    def expiry_date(self) -> date | None:
        recent = self.expiry[:2] < str(_EXPIRY_PIVOT)
        return date_in_century(self.expiry, 2000 if recent else 1900)


def parse(lines: Sequence[str]) -> Reading[Mrz]:
    """Parse the lines of a zone, in their order (ICAO Doc 9303).

    The reading has a value even if check digits are wrong; each of these is a fault. For lines of
    another length or with other characters the value is None.
    """
    zone = tuple(line.strip() for line in lines)
    layout = layout_of(zone)
    if layout is None:
        message = "Not 3 lines of 30, 2 of 36 or 2 of 44 characters."
        return Reading(None, (Fault(FaultCode.LENGTH, "lines", message),))
    if not all(re.fullmatch("[A-Z0-9<]+", line) for line in zone):
        message = "Characters other than A to Z, 0 to 9 and <."
        return Reading(None, (Fault(FaultCode.FORMAT, "lines", message),))
    value = _take_apart(layout, zone)
    faults = (*_form_faults(value), *_check_faults(layout, zone))
    return Reading(value, faults)


def _take_apart(layout: Layout, zone: tuple[str, ...]) -> Mrz:
    raw = {field: span.text_in(zone) for field, span in layout.fields.items()}
    text = {field: value.strip(FILLER) for field, value in raw.items()}
    surnames, given, truncated, are_surnames_truncated = split_names(raw["names"])
    number, optional = text["document_number"], text["optional"]
    if continued := _continued_number(layout, zone):
        number, optional = continued.number, continued.optional
    return Mrz(
        layout.format,
        zone,
        text["document_code"],
        text["issuer"],
        number,
        text["nationality"],
        raw["birth"],
        (_INE_SEXES if layout is INE else _ICAO_SEXES).get(raw["sex"]),
        raw["expiry"],
        surnames,
        given,
        truncated,
        are_surnames_truncated,
        optional,
        text.get("optional2", ""),
        _ine_zone(raw, text) if layout is INE else None,
    )


def _ine_zone(raw: dict[str, str], text: dict[str, str]) -> IneZone:
    ocr = text["optional"]
    return IneZone(raw["document_number"], ocr, ocr[:4], ocr[4:], raw["optional2"][1:3])


@dataclass(frozen=True, slots=True)
class _ContinuedNumber:
    """A number of more than nine characters: the optional data start with its rest and digit."""

    number: str
    digit: str
    optional: str


def _continued_number(layout: Layout, zone: Sequence[str]) -> _ContinuedNumber | None:
    span = layout.fields["document_number"]
    if layout.format not in (MrzFormat.TD1, MrzFormat.TD2) or layout is INE:
        return None
    if Span(span.line, span.end, span.end + 1).text_in(zone) != FILLER:
        return None
    rest, _, optional = layout.fields["optional"].text_in(zone).partition(FILLER)
    if len(rest) < 2:
        return None
    return _ContinuedNumber(span.text_in(zone) + rest[:-1], rest[-1], optional.strip(FILLER))


def _check_faults(layout: Layout, zone: Sequence[str]) -> Iterator[Fault]:
    for check in layout.checks:
        if not holds(layout, check, zone):
            message = "The check digit is wrong."
            yield Fault(FaultCode.CHECK_DIGIT, check.field, message)


def holds(layout: Layout, check: Check, zone: Sequence[str]) -> bool:
    """Return whether a check digit is right, also that of a long document number."""
    if check.field == "document_number" and (long := _continued_number(layout, zone)):
        return long.digit == check_digit(long.number)
    return check.holds(zone)


def _form_faults(value: Mrz) -> Iterator[Fault]:
    if value.sex is None:
        yield Fault(FaultCode.SEX, "sex", "Not a letter for sex.")
    for field, text in (("birth", value.birth), ("expiry", value.expiry)):
        if not date_in_century(text, 2000) and not re.fullmatch("[0-9]{0,4}<{2,6}", text):
            yield Fault(FaultCode.DATE, field, "Not a date (YYMMDD).")
    for field in ("document_code", "issuer", "nationality", "document_number", "surnames"):
        if not getattr(value, field):
            yield Fault(FaultCode.MISSING, field, "The field is empty.")
    for field in ("document_code", "issuer", "nationality", "surnames", "given"):
        if re.search("[0-9]", getattr(value, field)):
            yield Fault(FaultCode.FORMAT, field, "Digits among letters.")
    if value.ine:
        yield from _ine_faults(value.ine)


def _ine_faults(ine: IneZone) -> Iterator[Fault]:
    for field, text, digits in (("cic", ine.cic, 9), ("ocr", ine.ocr, 13)):
        if not re.fullmatch(f"[0-9]{{{digits}}}", text):
            yield Fault(FaultCode.FORMAT, field, f"Not {digits} digits.")
    if not re.fullmatch("[0-9]{2}", ine.emission):
        message = "Not two digits."
        yield Fault(FaultCode.FORMAT, "emission", message, Severity.WARNING)


def contradictions(
    mrz: Mrz,
    *,
    name: PersonName | None = None,
    birth_date: date | None = None,
    sex: Sex | None = None,
    expiry_date: date | None = None,
) -> tuple[Fault, ...]:
    """Return a fault for each argument that the zone contradicts. None is not compared."""
    faults = []
    if name is not None:
        for field, printed, zone in (
            ("surnames", name.surnames, mrz.surnames),
            ("given", name.given, mrz.given),
        ):
            if not same_name(printed, zone, truncated=mrz.names_truncated):
                faults.append(mismatch(field, "The machine readable zone has another name."))
    if birth_date is not None and yymmdd(birth_date) != mrz.birth:
        message = "The machine readable zone has another date of birth."
        faults.append(mismatch("birth_date", message))
    if sex is not None and sex is not mrz.sex:
        faults.append(mismatch("sex", "The machine readable zone has another sex."))
    if expiry_date is not None and yymmdd(expiry_date) != mrz.expiry:
        message = "The machine readable zone has another date of expiry."
        faults.append(mismatch("expiry_date", message))
    return tuple(faults)
