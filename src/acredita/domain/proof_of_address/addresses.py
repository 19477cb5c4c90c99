"""Take a Mexican address apart, as cards, bills and statements print it, and compare two of them.

Printed forms differ: AV. or AVENIDA, COL. or COLONIA, NTE. or NORTE, with or without accents, the
parts on other lines. So parts are compared, in one form each.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from acredita.domain.government.name_comparison import Likeness, within
from acredita.domain.identifiers import states
from acredita.domain.identifiers.postal_codes import state_of_postal_code
from acredita.domain.identifiers.states import State
from acredita.domain.names import fold

_POSTAL_CODE: Final = re.compile(
    r"(?P<caption>\bC\s*\.?\s*P\s*[.:]*\s*|\bCODIGO POSTAL\s*:?\s*)?"
    r"(?<![0-9])(?P<code>[0-9]{5})(?![0-9])"
)
_NEIGHBOURHOOD: Final = re.compile(
    r"\b(?:COL|COLONIA|FRACC|FRACCIONAMIENTO|BARR|BARRIO|BO|AMPL|AMPLIACION|U HAB"
    r"|UNIDAD HABITACIONAL|RES|RESIDENCIAL|PBLO|PUEBLO|EJIDO|LOC|LOCALIDAD|RCHO"
    r"|RANCHERIA|CONJ|CONJUNTO)\b[. ]*"
)
_SPLITS: Final = re.compile(
    r"\s(?=(?:COL|COLONIA|FRACC|FRACCIONAMIENTO|DELEG|DELEGACION|ALCALDIA|MPIO|MUNICIPIO)\b\.?\s)"
)
_MUNICIPALITY: Final = re.compile(
    r"^(?:DEL|DELEG|DELEGACION|ALCALDIA|MPIO|MUNICIPIO)\b[. ]+(?:DE )?"
)
_ENTITY: Final = re.compile(r"\b(?:EDO|ESTADO)\b\.?(?: DE)?$")
_COUNTRY: Final = frozenset(("MEXICO", "MEX", "REPUBLICA MEXICANA"))
_STREET_KINDS: Final = {
    "C": "CALLE", "CALLE": "CALLE",
    "AV": "AVENIDA", "AVE": "AVENIDA", "AVENIDA": "AVENIDA",
    "BLVD": "BOULEVARD", "BLV": "BOULEVARD", "BOULEVARD": "BOULEVARD",
    "CALZ": "CALZADA", "CZDA": "CALZADA", "CALZADA": "CALZADA",
    "CDA": "CERRADA", "CERR": "CERRADA", "CERRADA": "CERRADA",
    "PRIV": "PRIVADA", "PRIVADA": "PRIVADA",
    "AND": "ANDADOR", "ANDADOR": "ANDADOR",
    "CJON": "CALLEJON", "CLLJN": "CALLEJON", "CALLEJON": "CALLEJON",
    "CTO": "CIRCUITO", "CIRC": "CIRCUITO", "CIRCUITO": "CIRCUITO",
    "CARR": "CARRETERA", "CARRETERA": "CARRETERA",
    "PROL": "PROLONGACION", "PROLONGACION": "PROLONGACION",
    "PJE": "PASAJE", "PASAJE": "PASAJE",
    "RTNO": "RETORNO", "RET": "RETORNO", "RETORNO": "RETORNO",
    "CAM": "CAMINO", "CAMINO": "CAMINO",
    "PSO": "PASEO", "PASEO": "PASEO",
}  # fmt: skip
_USUAL_KINDS: Final = frozenset(("", "CALLE", "AVENIDA", "BOULEVARD", "CALZADA", "PASEO"))
"""Kinds that papers exchange or omit. A closed street is another than the open one of its name."""
_WRITTEN_OUT: Final = {
    "NTE": "NORTE", "OTE": "ORIENTE", "PTE": "PONIENTE", "PONTE": "PONIENTE",
    "STA": "SANTA", "STO": "SANTO", "GRAL": "GENERAL", "LIC": "LICENCIADO", "DR": "DOCTOR",
    "ING": "INGENIERO", "PROF": "PROFESOR", "PROFR": "PROFESOR", "CNEL": "CORONEL",
    "PDTE": "PRESIDENTE", "FCO": "FRANCISCO", "MA": "MARIA", "NAL": "NACIONAL",
    "1A": "PRIMERA", "1RA": "PRIMERA", "2A": "SEGUNDA", "2DA": "SEGUNDA", "3A": "TERCERA",
    "3RA": "TERCERA",
}  # fmt: skip
_PARTICLES: Final = frozenset(("DE", "DEL", "LA", "LAS", "LOS", "EL", "Y"))
_OUTER: Final = frozenset(("NO", "NUM", "NUMERO", "EXT", "#"))
_INNER: Final = frozenset(
    ("INT", "INTERIOR", "DEPTO", "DPTO", "DEP", "DEPARTAMENTO", "LOCAL", "PISO", "EDIF", "EDIFICIO",
     "TORRE", "CASA")
)  # fmt: skip
_BLOCK: Final = frozenset(("MZ", "MZA", "MANZANA"))
_LOT: Final = frozenset(("LT", "LTE", "LOTE"))
_UNNUMBERED: Final = frozenset(("S/N", "SN"))
_MISREAD: Final = frozenset(("SIN",))
"""Readings of S/N at the end of a street; "sin número" is the same."""
_TOKEN: Final = re.compile(r"S/N|#|[0-9]+[A-Z]?(?:-[0-9A-Z]+)?(?![A-ZÑ0-9])|[A-ZÑ0-9]+")


@dataclass(frozen=True, slots=True)
class AddressParts:
    """The parts of an address in capitals without accents; empty (or None) if not printed.

    `street` is without its `kind` (CALLE, AVENIDA and so on); `number` is the outer number, "MZ 4
    LT 12", or "S/N".
    """

    kind: str = ""
    street: str = ""
    number: str = ""
    inner: str = ""
    neighbourhood: str = ""
    postal_code: str = ""
    municipality: str = ""
    state: State | None = None

    @property
    def is_consistent(self) -> bool:
        """Whether the postal code belongs to the printed state."""
        return self.state is not None and state_of_postal_code(self.postal_code) == self.state


@dataclass(frozen=True, slots=True)
class AddressComparison:
    """`differing` names the parts that differ for certain, `doubtful` those that may."""

    likeness: Likeness
    differing: tuple[str, ...] = ()
    doubtful: tuple[str, ...] = ()


def parse_address(lines: Sequence[str]) -> AddressParts:
    """Take the lines of an address apart. The first one begins with the street."""
    texts = [fold(line, enye="Ñ") for line in lines]
    code = _postal_code(texts)
    segments = [
        part
        for text in texts
        for piece in _without_code(text, code).split(",")
        for raw in _SPLITS.split(piece)
        if (part := raw.strip(" .:;-"))
    ]
    state = _take_state(segments)
    if not segments:
        return AddressParts(postal_code=code, state=state)
    street, *rest = segments
    kind, name, number, inner = _street(street)
    if rest and (beside := _number_alone(rest[0])):
        # A number before the comma is the street's: SUR 128, 115.
        name, rest = f"{name} {number}".strip(), rest[1:]
        number, inner = beside
    neighbourhood, municipality = _places(rest)
    return AddressParts(kind, name, number, inner, neighbourhood, code, municipality, state)


def compare_addresses(mine: AddressParts, theirs: AddressParts) -> AddressComparison:
    """Return SAME for one place, DIFFERENT for two, CLOSE if too little is printed to say.

    Street, outer number and postal code decide. Another postal code of the same street, number and
    neighbourhood is CLOSE: codes change. An inner number counts if both addresses have one.
    """
    parts = {
        "street": _alike_streets(mine, theirs),
        "number": _equal(_squeezed(mine.number), _squeezed(theirs.number)),
        "postalCode": _equal(mine.postal_code, theirs.postal_code),
    }
    if mine.inner and theirs.inner and _squeezed(mine.inner) != _squeezed(theirs.inner):
        parts["inner"] = Likeness.CLOSE
    one_quarter = mine.neighbourhood and _words(mine.neighbourhood) == _words(theirs.neighbourhood)
    others = {parts["street"], parts["number"]}
    if parts["postalCode"] is Likeness.DIFFERENT and one_quarter and others == {Likeness.SAME}:
        parts["postalCode"] = Likeness.CLOSE
    differing = tuple(name for name, each in parts.items() if each is Likeness.DIFFERENT)
    doubtful = tuple(name for name, each in parts.items() if each is Likeness.CLOSE)
    likeness = Likeness.SAME
    if differing or doubtful:
        likeness = Likeness.DIFFERENT if differing else Likeness.CLOSE
    return AddressComparison(likeness, differing, doubtful)


def _postal_code(texts: Sequence[str]) -> str:
    """The postal code: one with its caption, otherwise the last one that a state has, but no house
    number of five digits in the first line of several.
    """
    found = [(at, match) for at, text in enumerate(texts) for match in _POSTAL_CODE.finditer(text)]
    captioned = [match["code"] for _, match in found if match["caption"]]
    plain = [match["code"] for at, match in found if at > 0 or len(texts) == 1]
    codes = captioned or [code for code in plain if state_of_postal_code(code)]
    return codes[-1] if codes else ""


def _without_code(text: str, code: str) -> str:
    def replaced(match: re.Match[str]) -> str:
        return "," if match["code"] == code else match[0]

    return _POSTAL_CODE.sub(replaced, text) if code else text


def _take_state(segments: list[str]) -> State | None:
    """Remove the state from the end of the segments and return it, without the country after it."""
    if len(segments) > 1 and segments[-1] in _COUNTRY and _ending_state(segments[-2])[1]:
        segments.pop()
    if len(segments) < 2:
        return None
    rest, state = _ending_state(segments[-1])
    if state is None:
        return None
    segments.pop()
    if rest:
        segments.append(rest)
    return state


def _ending_state(segment: str) -> tuple[str, State | None]:
    """Return what precedes the state at the end of a segment, and the state; None without one."""
    words = segment.split()
    for start in range(len(words)):
        before = " ".join(words[:start])
        # Neighbourhoods are named like states: COL. GUERRERO.
        if _NEIGHBOURHOOD.fullmatch(before):
            break
        if state := states.in_address(" ".join(words[start:])):
            return _ENTITY.sub("", before).strip(), state
    return segment, None


def _places(rest: Sequence[str]) -> tuple[str, str]:
    """Return the neighbourhood and the municipality among what follows the street."""
    known = next((part for part in rest if _NEIGHBOURHOOD.match(part)), None)
    others = [part for part in rest if part != known]
    if known is None and len(others) > 1:
        known, *others = others
    municipality = _MUNICIPALITY.sub("", others[-1]) if others else ""
    return _NEIGHBOURHOOD.sub("", known or "", count=1).strip(), municipality


def _street(text: str) -> tuple[str, str, str, str]:
    """Return the kind, the name, the outer and the inner number."""
    tokens = _TOKEN.findall(text.replace(".", " "))
    kind = ""
    while len(tokens) > 1 and tokens[0] in _STREET_KINDS:
        kind = kind or _STREET_KINDS[tokens[0]]
        tokens = tokens[1:]
    inside = next((at for at, token in enumerate(tokens) if at and token in _INNER), len(tokens))
    inner = " ".join(token for token in tokens[inside:] if token not in _INNER)
    tokens = tokens[:inside]
    end, number = _outer_number(tokens)
    return kind, " ".join(tokens[:end]), number, inner


def _outer_number(tokens: Sequence[str]) -> tuple[int, str]:
    """Return the end of the street's name, and the number."""
    marked = _marked_number(tokens)
    if marked is not None:
        return marked
    numbers = [at for at, token in enumerate(tokens) if at and token[0].isdigit()]
    if not numbers:
        return len(tokens), ""
    last = numbers[-1]
    if len(tokens) - last > 2:
        return len(tokens), ""
    return last, _with_letter(tokens[last:])


def _marked_number(tokens: Sequence[str]) -> tuple[int, str] | None:
    """Return the number after a word for it ("núm.", "Mz.", "s/n") and the place of that word."""
    for at, token in enumerate(tokens):
        after = [each for each in tokens[at + 1 :] if each not in _OUTER]
        if at and token in _OUTER and after:
            return at, "S/N" if after[0] in _UNNUMBERED else _with_letter(after)
        if token in _BLOCK:
            block = [("LT" if each in _LOT else each) for each in after]
            return at, " ".join(("MZ", *block))
        if token in _UNNUMBERED or (at and token in _MISREAD and not after):
            return at, "S/N"
    return None


def _with_letter(tokens: Sequence[str]) -> str:
    """The number with the letter that was printed apart from it."""
    is_letter = len(tokens) > 1 and len(tokens[1]) == 1 and tokens[1].isalpha()
    return f"{tokens[0]}{tokens[1]}" if is_letter else tokens[0]


def _number_alone(text: str) -> tuple[str, str] | None:
    """Return the outer and inner number of a segment that has nothing else; None for any other."""
    _, name, number, inner = _street(f"X {text}")
    return (number, inner) if number and name == "X" else None


def _alike_streets(mine: AddressParts, theirs: AddressParts) -> Likeness:
    my_words, their_words = _words(mine.street), _words(theirs.street)
    if not my_words or not their_words:
        return Likeness.CLOSE
    my_text, their_text = "".join(my_words), "".join(their_words)
    is_other_kind = mine.kind != theirs.kind and not {mine.kind, theirs.kind} <= _USUAL_KINDS
    if within(my_text, their_text, min(len(my_text), len(their_text)) // 10):
        return Likeness.CLOSE if is_other_kind else Likeness.SAME
    shorter, longer = sorted((set(my_words), set(their_words)), key=len)
    return Likeness.CLOSE if shorter <= longer else Likeness.DIFFERENT


def _equal(mine: str, theirs: str) -> Likeness:
    if not mine or not theirs:
        return Likeness.CLOSE
    return Likeness.SAME if mine == theirs else Likeness.DIFFERENT


def _words(text: str) -> list[str]:
    words = [_WRITTEN_OUT.get(word, word) for word in fold(text).replace(".", " ").split()]
    return [word for word in words if word not in _PARTICLES] or words


def _squeezed(text: str) -> str:
    return "".join(character for character in text if character.isalnum())
