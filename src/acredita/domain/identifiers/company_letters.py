"""The three letters that a company's legal name gives its RFC.

Source: SAT's rules as published under folio 0610100162005 of INFOMEX; where they leave room, the
reading that agrees with most of the RFCs of companies that SAT published for article 69-B.
"""

import re
from collections.abc import Set
from datetime import date

from acredita.domain.names import fold

# The rules leave out articles, prepositions and conjunctions. The RFCs show that only these count
# as such: SIN, BAJO, ENTRE, VIA and UN are words (8 of 8).
_LEFT_OUT = """
    A CON DE EN PARA POR EL LA LOS LAS DEL Y E MC MAC VON VAN MI
    COMPAÑIA COMPANIA CIA COMPANY CO SOCIEDAD SOC COOPERATIVA COOP AL AND OF THE
"""
LEFT_OUT = frozenset(_LEFT_OUT.split())
# In these years, SAT counted E as a word more often than not: 47 of 74 RFCs, otherwise 3 of 49.
_E_COUNTED = range(2008, 2014)

# Without dots and blanks.
_FORMS = """
    SAPI SAB SAS SA SRL SDERL SDERLMI SDERLDEIP SCDERL SCDECDERL SDEPR SDEPRDERL SPR SPRDERL SPRDERI
    SPRDERS SENCPORA SENNC SENC SNC SCL SCP SCU SCS SCDEPDERL SCDESDERL SCDEPDERS SCDERS SC IAP ABP
    AENP AC
"""
_LEGAL_FORMS = frozenset(
    f"{form}{capital}{kind}"
    for form in _FORMS.split()
    for capital in ("", "DECV", "CV")
    for kind in ("", "ENR", "MI", "SOFOM", "SOFOMENR")
)
_MOST_FORM_WORDS = 12
# An "asociación en participación" stands before the number of its contract.
_PARTICIPATION = re.compile(r"[ ,]+A\.? EN P\.?(?=[ ,]|$)")
# Rule 12: a symbol that stands alone is read aloud. Within a word it does not count.
_SYMBOLS = {
    "@": "ARROBA", "%": "PORCIENTO", "#": "NUMERO", "!": "ADMIRACION", "$": "PESOS",
    '"': "COMILLAS", "-": "GUION", "/": "DIAGONAL", "+": "SUMA", "&": "AND", ".": "PUNTO",
    "(": "ABRE PARENTESIS", ")": "CIERRA PARENTESIS",
    **dict.fromkeys("'´’", "APOSTROFE"),
}  # fmt: skip
# Ch and Ll are one letter, written C and L.
_DIGRAPH = re.compile("(C)H|(L)L")
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


def company_letters(legal_name: str, incorporated: date | None = None) -> str:
    """Return the three letters of a company's RFC (SAT's rules for legal entities).

    They are the first letters of the first three words that count; two words give 1 + 2 letters,
    one word gives 3. Of 10,717 companies of article 69-B (2023 and 2025), 97.2 % have them.
    Raise ValueError for a name that has only a legal form.
    """
    counts_e = incorporated is not None and incorporated.year in _E_COUNTED
    left_out = LEFT_OUT - {"E"} if counts_e else LEFT_OUT
    return _letters(_telling(_written(legal_name), left_out))


def letters_in_use(legal_name: str) -> tuple[str, ...]:
    """Return the letters that the SAT gives companies of this name, by its rules first.

    It also counted the words that its rules leave out (2008 to 2014), or wrote & as itself: of the
    companies above, 96.9 % have the letters of the rules, and 98.4 % one of these. The others
    changed their names after they were registered, or have names with errors.
    Raise ValueError for a name that has only a legal form.
    """
    written = _written(legal_name)
    words = _telling(written)
    every = [word for each in written for word in _counted(each)]
    with_symbol = _telling(written, symbol="&")
    return tuple(dict.fromkeys(map(_letters, (words, every, with_symbol))))


def _written(legal_name: str) -> list[str]:
    """The words of the name without its legal form."""
    name = _PARTICIPATION.sub(" ", fold(legal_name, enye="Ñ"))
    return _without_form(re.split("[ ,]+", name.strip(" ,")))


def _telling(written: list[str], left_out: Set[str] = LEFT_OUT, *, symbol: str = "") -> list[str]:
    """The words that count by the rules. Raise ValueError if none does."""
    telling = (each for each in written if each.rstrip(".") not in left_out)
    if not (words := [word for each in telling for word in _counted(each, symbol=symbol)]):
        raise ValueError("a company needs a name beside its legal form")
    return words


def _letters(words: list[str]) -> str:
    if len(words) >= 3:
        return words[0][0] + words[1][0] + words[2][0]
    if len(words) == 2:
        return words[0][0] + words[1][:2].ljust(2, "X")
    return words[0][:3].ljust(3, "X")


def _without_form(words: list[str]) -> list[str]:
    """The words before the legal form, however its initials are separated."""
    for start in range(max(1, len(words) - _MOST_FORM_WORDS), len(words)):
        if "".join(words[start:]).replace(".", "") in _LEGAL_FORMS:
            return words[:start]
    return words


def _counted(word: str, *, symbol: str = "") -> list[str]:
    """The words that a written word counts as. Initials with dots are one word.

    `symbol`: stays as a letter.
    """
    if word in _SYMBOLS and word != symbol:
        return _SYMBOLS[word].split()
    plain = re.sub(f"[^A-ZÑ0-9{symbol}]", "", word)
    return _spoken(plain) if plain else []


def _spoken(word: str) -> list[str]:
    """Numbers, arabic and roman, as Spanish words; words with letters without their digits."""
    if _ROMAN.fullmatch(word):
        return _number_words(_roman_value(word))
    if letters := re.sub("[0-9]", "", word):
        return [_DIGRAPH.sub(r"\1\2", letters)]
    # Twelve digits at a time: longer numbers have no name here, and int() limits the length.
    pieces = re.findall("[0-9]{1,12}", word)
    return [said for piece in pieces for said in _number_words(int(piece))]


def _roman_value(roman: str) -> int:
    values = [{"I": 1, "V": 5, "X": 10}[char] for char in roman]
    following = [*values[1:], 0]
    return sum(
        -value if value < after else value for value, after in zip(values, following, strict=True)
    )


def _number_words(number: int) -> list[str]:
    """Return the Spanish cardinal of a number below 10^12, without "y", which does not count."""
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
        return [_TENS[tens - 3], *_rest_words(rest)]
    return [_UNITS[number]]


def _rest_words(rest: int) -> list[str]:
    return _number_words(rest) if rest else []
