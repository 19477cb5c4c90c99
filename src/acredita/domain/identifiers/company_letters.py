"""The three letters that a company's legal name gives its RFC.

Source: SAT's rules as published under folio 0610100162005 of INFOMEX.
"""

import re

from acredita.domain.names import fold

_LEFT_OUT = """
    A ANTE BAJO CABE CON CONTRA DE DESDE DURANTE EN ENTRE HACIA HASTA MEDIANTE PARA POR SEGUN SIN SO
    SOBRE TRAS VERSUS VIA EL LA LOS LAS UN UNA UNOS UNAS LO DEL Y E MC MAC VON VAN MI
    COMPAÑIA COMPANIA CIA SOCIEDAD SOC COOPERATIVA COOP
"""
LEFT_OUT = frozenset(_LEFT_OUT.split())

_LEGAL_FORMS = (
    "S A P I",
    "S A B",
    "S A S",
    "S A",
    "S DE R L",
    "S P R DE R L",
    "S P R DE R I",
    "S EN C POR A",
    "S EN N C",
    "S EN C",
    "S N C",
    "S C L",
    "S C S",
    "S C",
    "I A P",
    "A B P",
    "A EN P",
    "A C",
)


def _written(form: str) -> str:
    """Return a pattern for a legal form, with or without dots and blanks between the initials."""
    pattern = re.sub(r"\b([A-Z]) (?=[A-Z]\b)", r"\1\\.? ?", form)
    return re.sub(r"\b([A-Z])(?= |$)", r"\1\\.?", pattern)


_LEGAL_FORM = re.compile(
    f"[ ,]+(?:{'|'.join(_written(form) for form in _LEGAL_FORMS)})(?: {_written('DE C V')})?"
    f"(?:,? SOFOM,? {_written('E N R')})?$"
)
_ROMAN = re.compile("(?=[IVX]{2})X{0,3}(?:IX|IV|V?I{0,3})")

_SAID_UNITS = """
    CERO UNO DOS TRES CUATRO CINCO SEIS SIETE OCHO NUEVE DIEZ ONCE DOCE TRECE CATORCE QUINCE
    DIECISEIS DIECISIETE DIECIOCHO DIECINUEVE VEINTE VEINTIUNO VEINTIDOS VEINTITRES VEINTICUATRO
    VEINTICINCO VEINTISEIS VEINTISIETE VEINTIOCHO VEINTINUEVE
"""
_SAID_TENS = "TREINTA CUARENTA CINCUENTA SESENTA SETENTA OCHENTA NOVENTA"
_SAID_HUNDREDS = """
    CIENTO DOSCIENTOS TRESCIENTOS CUATROCIENTOS QUINIENTOS SEISCIENTOS SETECIENTOS OCHOCIENTOS
    NOVECIENTOS
"""
_UNITS, _TENS, _HUNDREDS = _SAID_UNITS.split(), _SAID_TENS.split(), _SAID_HUNDREDS.split()


def company_letters(legal_name: str) -> str:
    """First letters of the first three words that count; two words give 1 + 2, one gives 3.

    Raise ValueError for a name without a letter or digit beside its legal form.
    """
    name = _LEGAL_FORM.sub("", fold(legal_name, enye="Ñ"))
    words = [
        spoken
        for word in re.split("[ ,]+", name)
        if word.rstrip(".") not in LEFT_OUT
        for part in word.split(".")  # Dots separate initials: F.A.Z. is three words.
        if (plain := re.sub("[^A-ZÑ&0-9]", "", part))
        for spoken in _spoken(plain)
    ]
    if not words:
        raise ValueError("a company needs a name beside its legal form")
    if len(words) >= 3:
        return words[0][0] + words[1][0] + words[2][0]
    if len(words) == 2:
        return words[0][0] + words[1][:2].ljust(2, "X")
    return words[0][:3].ljust(3, "X")


def _spoken(word: str) -> list[str]:
    """Replace Arabic and Roman numbers by Spanish words."""
    if _ROMAN.fullmatch(word):
        return _number_words(_roman_value(word))
    # Twelve digits at a time: longer numbers have no name here, and int() limits the length.
    pieces = re.findall("[0-9]{1,12}|[^0-9]+", word)
    return [
        said
        for piece in pieces
        for said in (_number_words(int(piece)) if piece.isdecimal() else [piece])
    ]


def _roman_value(roman: str) -> int:
    values = [{"I": 1, "V": 5, "X": 10}[char] for char in roman]
    following = [*values[1:], 0]
    return sum(
        -value if value < after else value for value, after in zip(values, following, strict=True)
    )


def _number_words(number: int) -> list[str]:
    """Return the Spanish cardinal of a number below 10^12."""
    if number >= 1_000_000:
        millions, rest = divmod(number, 1_000_000)
        said = _number_words(millions) if millions > 1 else ["UN"]
        return [*said, "MILLONES", *_rest_words(rest)]
    if number >= 1000:
        thousands, rest = divmod(number, 1000)
        return [*(_number_words(thousands) if thousands > 1 else []), "MIL", *_rest_words(rest)]
    if number == 100:
        return ["CIEN"]
    if number > 100:
        hundreds, rest = divmod(number, 100)
        return [_HUNDREDS[hundreds - 1], *_rest_words(rest)]
    if number >= 30:
        tens, rest = divmod(number, 10)
        return [_TENS[tens - 3], *(["Y", *_rest_words(rest)] if rest else [])]
    return [_UNITS[number]]


def _rest_words(rest: int) -> list[str]:
    return _number_words(rest) if rest else []
