"""Write machine readable zones with their check digits (ICAO Doc 9303)."""

import re
from datetime import date

from acredita.domain.identifiers.formatting import Sex, yymmdd
from acredita.domain.identifiers.mrz.layout import (
    FILLER,
    INE,
    TD1,
    TD3,
    Layout,
    Span,
    check_digit,
)
from acredita.domain.identifiers.mrz.transliteration import split_words
from acredita.domain.names import PersonName

_ICAO_LETTERS = {Sex.MALE: "M", Sex.FEMALE: "F", Sex.UNSPECIFIED: FILLER}


def compose_ine(
    name: PersonName,
    birth_date: date,
    sex: Sex,
    *,
    cic: str,
    ocr: str,
    expiry: date,
    emission: str = "00",
    serial: str = "00000",
) -> tuple[str, str, str]:
    """Return the 3 lines of 30 characters of the back of an INE card (rules from its specimen).

    `ocr` is section (4 digits) and citizen id (9 digits). Raise ValueError for a part with another
    number of digits than its field.
    """
    for part, digits in ((cic, 9), (ocr, 13), (emission, 2), (serial, 5)):
        if not re.fullmatch(f"[0-9]{{{digits}}}", part):
            raise ValueError("cic, ocr, emission and serial have 9, 13, 2 and 5 digits")
    return _three(
        INE,
        {
            "document_code": "ID",
            "issuer": "MEX",
            "document_number": cic,
            "optional": f"<<{ocr}",
            "birth": yymmdd(birth_date),
            "sex": sex.value,
            "expiry": yymmdd(expiry),
            "nationality": "MEX",
            "optional2": f"<{emission}<<{serial}<",
            "names": names_field(name, 30),
        },
    )


def compose_td1(
    name: PersonName,
    birth_date: date,
    sex: Sex,
    *,
    number: str,
    expiry: date,
    document_code: str = "I",
    issuer: str = "MEX",
    nationality: str = "MEX",
    optional: str = "",
    optional2: str = "",
) -> tuple[str, str, str]:
    """Return the 3 lines of 30 characters of a card (ICAO Doc 9303, part 5).

    `issuer` and `nationality` are ICAO's codes of three letters. Raise ValueError for a part that
    does not fit its field.
    """
    return _three(
        TD1,
        {
            "document_code": document_code,
            "issuer": issuer,
            "document_number": number,
            "optional": optional,
            "birth": yymmdd(birth_date),
            "sex": _ICAO_LETTERS[sex],
            "expiry": yymmdd(expiry),
            "nationality": nationality,
            "optional2": optional2,
            "names": names_field(name, 30),
        },
    )


def compose_td3(
    name: PersonName,
    birth_date: date,
    sex: Sex,
    *,
    number: str,
    expiry: date,
    issuer: str = "MEX",
    nationality: str = "MEX",
    optional: str = "",
) -> tuple[str, str]:
    """Return the 2 lines of 44 characters of a passport's data page (ICAO Doc 9303, part 4).

    `issuer` and `nationality` are ICAO's codes of three letters. Raise ValueError for a part that
    does not fit its field.
    """
    first, second = _compose(
        TD3,
        {
            "document_code": "P",
            "issuer": issuer,
            "names": names_field(name, 39),
            "document_number": number,
            "nationality": nationality,
            "birth": yymmdd(birth_date),
            "sex": _ICAO_LETTERS[sex],
            "expiry": yymmdd(expiry),
            "optional": optional,
        },
    )
    return first, second


def names_field(name: PersonName, width: int) -> str:
    """Return surnames, two fillers and given names, cut or filled to `width` characters.

    Raise ValueError without a surname: given names alone would look like a surname.
    """
    surnames, given = _transliterated(name.surnames), _transliterated(name.given)
    if not surnames:
        raise ValueError("a machine readable zone needs a surname")
    return f"{surnames}<<{given}"[:width].ljust(width, FILLER)


def _transliterated(text: str) -> str:
    """Return the words of a name, joined by one filler, in Mexico's spelling (Ñ becomes N)."""
    return FILLER.join(split_words(text, "N", {}))


def _three(layout: Layout, fields: dict[str, str]) -> tuple[str, str, str]:
    first, second, third = _compose(layout, fields)
    return first, second, third


def _compose(layout: Layout, fields: dict[str, str]) -> list[str]:
    lines = [FILLER * layout.width] * len(layout.masks)
    for field, text in fields.items():
        span = layout.fields[field]
        width = span.end - span.start
        if not re.fullmatch(f"[A-Z0-9<]{{0,{width}}}", text):
            raise ValueError(f"{field} takes at most {width} of A to Z, 0 to 9 and <")
        _put(lines, span, text.ljust(width, FILLER))
    for check in layout.checks:  # the composite comes last and covers the others
        _put(lines, check.digit, check_digit(check.covered(lines)))
    return lines


def _put(lines: list[str], span: Span, text: str) -> None:
    line = lines[span.line]
    lines[span.line] = line[: span.start] + text + line[span.end :]
