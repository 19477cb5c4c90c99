"""Postal codes with their municipalities and settlements, to confirm addresses and places of birth.

Source: the catalogue of Correos de México (SEPOMEX), the file CPdescarga.txt. Its terms forbid
passing it on, so an operator downloads it and names the file in a setting.

Format: a notice, a row with the names of the columns, then one row for each settlement. Columns are
separated by "|", the encoding is ISO 8859-1 (or UTF-8, if somebody saved it again).
"""

import hashlib
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from acredita.domain.identifiers.states import BY_NUMBER, State
from acredita.domain.names import fold

LARGEST_FILE: Final = 100_000_000
COLUMNS: Final = ("d_codigo", "d_asenta", "d_mnpio", "d_ciudad", "c_estado")
"""Postal code, settlement, municipality, city (may be empty), INEGI's number of the state."""


class BadGazetteer(ValueError):
    """The file is not the catalogue of postal codes."""


@dataclass(frozen=True, slots=True)
class Area:
    """What one postal code covers. Names are `plain`."""

    state: State
    municipalities: frozenset[str]
    settlements: frozenset[str]


@dataclass(frozen=True, slots=True)
class Gazetteer:
    """`areas` by postal code; `towns` are the plain names of the municipalities and cities of each
    state; `sha256` is the hex digest of the file."""

    areas: Mapping[str, Area]
    towns: Mapping[State, frozenset[str]]
    sha256: str

    @property
    def named(self) -> dict[str, str]:
        """The reference that results store to this catalogue."""
        return {"sha256": self.sha256}


def plain(name: str) -> str:
    """Return the letters and digits of a name in capitals, with their accents."""
    capitals = unicodedata.normalize("NFC", name).upper()
    return "".join(character for character in capitals if character.isalnum())


def without_accents(names: Iterable[str]) -> frozenset[str]:
    """Return plain names without accents; Ñ stays, because it is another letter than N."""
    return frozenset(fold(name, enye="Ñ") for name in names)


def parsed(content: bytes) -> Gazetteer:
    """Parse the catalogue. Raise BadGazetteer if it is another file or is cut off in a row."""
    if len(content) > LARGEST_FILE:
        raise BadGazetteer("it is too large to be the catalogue of postal codes")
    settlements: dict[str, set[str]] = defaultdict(set)
    municipalities: dict[str, set[str]] = defaultdict(set)
    towns: dict[State, set[str]] = defaultdict(set)
    states: dict[str, State] = {}
    plain_once = lru_cache(maxsize=None)(plain)  # of 157,000 rows, 2,500 municipalities
    for number, (code, settlement, municipality, city, state) in _rows(content):
        states[code] = _state(code, state, number)
        settlements[code].add(plain(settlement))
        municipalities[code].add(plain_once(municipality))
        towns[states[code]] |= {plain_once(town) for town in (municipality, city) if town}
    if not states:
        raise BadGazetteer("it has no postal codes")
    return Gazetteer(
        {
            code: Area(state, frozenset(municipalities[code]), frozenset(settlements[code]))
            for code, state in states.items()
        },
        {state: frozenset(names) for state, names in towns.items()},
        hashlib.sha256(content).hexdigest(),
    )


def _rows(content: bytes) -> Iterator[tuple[int, list[str]]]:
    """Yield the number of each row and its cells in `COLUMNS`."""
    rows = _text(content).splitlines()
    header = next((at for at, row in enumerate(rows[:5]) if row.lower().startswith(COLUMNS[0])), 0)
    names = rows[header].lower().split("|") if rows else []
    if not set(COLUMNS) <= set(names):
        raise BadGazetteer(f"no row names the columns {', '.join(COLUMNS)}")
    places = [names.index(name) for name in COLUMNS]
    for number, row in enumerate(rows[header + 1 :], start=header + 2):
        cells = row.split("|")
        if any(cells) and len(cells) != len(names):
            raise BadGazetteer(f"row {number} has {len(cells)} columns, not {len(names)}")
        if any(cells):
            yield number, [cells[place].strip() for place in places]


def _text(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def _state(code: str, number: str, row: int) -> State:
    state = BY_NUMBER.get(int(number)) if number.isdecimal() else None
    if state is None or len(code) != 5 or not (code.isascii() and code.isdigit()):
        raise BadGazetteer(
            f"row {row} has no postal code of five digits with the number of a state"
        )
    return state
