"""The 32 states with the codes that CURP and INE give them, and the code for a birth abroad.

Sources: RENAPO's instructivo (letters), INEGI's catalogue of federal entities (numbers).
"""

from dataclasses import dataclass

from acredita.domain.names import fold


@dataclass(frozen=True, slots=True)
class State:
    """`code` is CURP's. `number` is INEGI's, which INE uses too; None for a birth abroad."""

    code: str
    number: int | None
    name: str


STATES = (
    State("AS", 1, "Aguascalientes"),
    State("BC", 2, "Baja California"),
    State("BS", 3, "Baja California Sur"),
    State("CC", 4, "Campeche"),
    State("CL", 5, "Coahuila"),
    State("CM", 6, "Colima"),
    State("CS", 7, "Chiapas"),
    State("CH", 8, "Chihuahua"),
    State("DF", 9, "Ciudad de México"),
    State("DG", 10, "Durango"),
    State("GT", 11, "Guanajuato"),
    State("GR", 12, "Guerrero"),
    State("HG", 13, "Hidalgo"),
    State("JC", 14, "Jalisco"),
    State("MC", 15, "México"),
    State("MN", 16, "Michoacán"),
    State("MS", 17, "Morelos"),
    State("NT", 18, "Nayarit"),
    State("NL", 19, "Nuevo León"),
    State("OC", 20, "Oaxaca"),
    State("PL", 21, "Puebla"),
    State("QT", 22, "Querétaro"),
    State("QR", 23, "Quintana Roo"),
    State("SP", 24, "San Luis Potosí"),
    State("SL", 25, "Sinaloa"),
    State("SR", 26, "Sonora"),
    State("TC", 27, "Tabasco"),
    State("TS", 28, "Tamaulipas"),
    State("TL", 29, "Tlaxcala"),
    State("VZ", 30, "Veracruz"),
    State("YN", 31, "Yucatán"),
    State("ZS", 32, "Zacatecas"),
)
BORN_ABROAD = State("NE", None, "Nacido en el extranjero")

BY_CODE = {state.code: state for state in (*STATES, BORN_ABROAD)}
BY_NUMBER = {state.number: state for state in STATES}

# Their full names, and those that older papers have.
_ALSO_NAMED = {
    "COAHUILA DE ZARAGOZA": "CL",
    "DISTRITO FEDERAL": "DF",
    "ESTADO DE MEXICO": "MC",
    "MICHOACAN DE OCAMPO": "MN",
    "QUERETARO DE ARTEAGA": "QT",
    "VERACRUZ DE IGNACIO DE LA LLAVE": "VZ",
    "VERACRUZ LLAVE": "VZ",
    "NACIDO EXTRANJERO": "NE",
}
# As addresses print them, without dots and blanks.
_ABBREVIATIONS = {
    "AGS": "AS",
    "BC": "BC",
    "BCS": "BS",
    "CAMP": "CC",
    "COAH": "CL",
    "COL": "CM",
    "CHIS": "CS",
    "CHIH": "CH",
    "CDMX": "DF",
    "DF": "DF",
    "DGO": "DG",
    "GTO": "GT",
    "GRO": "GR",
    "HGO": "HG",
    "JAL": "JC",
    "MEX": "MC",
    "EDOMEX": "MC",
    "EDODEMEX": "MC",
    "MICH": "MN",
    "MOR": "MS",
    "NAY": "NT",
    "NL": "NL",
    "OAX": "OC",
    "PUE": "PL",
    "QRO": "QT",
    "QROO": "QR",
    "SLP": "SP",
    "SIN": "SL",
    "SON": "SR",
    "TAB": "TC",
    "TAMPS": "TS",
    "TLAX": "TL",
    "VER": "VZ",
    "YUC": "YN",
    "ZAC": "ZS",
}
_BY_NAME = {fold(state.name): state for state in BY_CODE.values()}
_BY_NAME |= {name: BY_CODE[code] for name, code in _ALSO_NAMED.items()}
_UNSPACED = {name.replace(" ", ""): name for name in _BY_NAME}


def named(name: str) -> State | None:
    """Return the state with this name, ignoring accents and spaces; None if unknown."""
    return _BY_NAME.get(fold(name))


def in_address(text: str) -> State | None:
    """Return the state that ends an address, by its name or abbreviation: "Q. ROO", "D.F."; None if
    unknown."""
    code = _ABBREVIATIONS.get("".join(letter for letter in fold(text) if letter.isalpha()))
    return BY_CODE[code] if code else named(text)


def blanks_restored(name: str) -> str:
    """Return the name of a state with the blanks that OCR lost; any other text unchanged."""
    letters = name.replace(" ", "")
    known = _UNSPACED.get(fold(letters))
    if known is None:
        return name
    words = []
    for word in known.split():
        words.append(letters[: len(word)])
        letters = letters[len(word) :]
    return " ".join(words)
