"""Split a name that is printed in one piece by the letters of the CURP."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from acredita.domain.identifiers import curp
from acredita.domain.identifiers.curp import Curp
from acredita.domain.names import PersonName, fold

# The fields with parts of a name, and what the rules of the CURP call these parts.
NAME_PARTS: Final = {
    "paternalSurname": "paterno",
    "maternalSurname": "materno",
    "givenNames": "given",
}

_PARTICLES: Final = frozenset(
    ("DE", "DEL", "LA", "LAS", "LOS", "Y", "E", "MC", "MAC", "VAN", "VON", "DI", "DA", "DU", "LE")
)
_MOST_WORDS: Final = 12


@dataclass(frozen=True, slots=True)
class ReadName:
    """A person's name as a card prints it.

    `piece` is the field that holds several parts in one ("fullName", "surnames"), None where each
    part is printed by itself; `parts` are what it was parted into, by field, empty where the CURP
    does not tell; `ambiguous`: it tells of more ways than one, of which these are the likeliest.
    """

    person: PersonName
    piece: str | None = None
    parts: Mapping[str, str] = field(default_factory=dict)
    ambiguous: bool = False

    def contradicts(self, known: Curp) -> bool:
        if self.piece is not None:
            return not self.parts
        return bool(curp.contradictions(known, name=self.person))


def read_name(values: Mapping[str, str], known: Curp | None) -> ReadName:
    """Return the name from the values by field."""
    given = values.get("givenNames", "")
    for piece in ("fullName", "surnames"):
        if text := values.get(piece):
            words = text.split()
            names = list(
                _in_full(words, known) if piece == "fullName" else _with(words, given, known)
            )
            return _likeliest(piece, names) if names else ReadName(PersonName(given, ""), piece)
    return ReadName(
        PersonName(given, values.get("paternalSurname", ""), values.get("maternalSurname", ""))
    )


def surname_partings(words: Sequence[str], given: str, known: Curp) -> list[tuple[str, str]]:
    """Return the splits into two surnames that match the CURP; no first surname ends in a
    particle."""
    partings = [
        (" ".join(words[:cut]), " ".join(words[cut:]))
        for cut in range(1, len(words) + 1)
        if fold(words[cut - 1]) not in _PARTICLES
    ]
    return [
        (first, second)
        for first, second in partings
        if not curp.contradictions(known, name=PersonName(given, first, second))
    ]


def _with(words: Sequence[str], given: str, known: Curp | None) -> Iterator[PersonName]:
    if known and given:
        for first, second in surname_partings(words, given, known):
            yield PersonName(given, first, second)


def _in_full(words: Sequence[str], known: Curp | None) -> Iterator[PersonName]:
    """Yield the splits with the surnames before or after the given names: cards print either."""
    if known is None or len(words) > _MOST_WORDS:
        return
    for cut in range(1, len(words)):
        for surnames, given in ((words[:cut], words[cut:]), (words[cut:], words[:cut])):
            if fold(given[-1]) not in _PARTICLES and fold(surnames[-1]) not in _PARTICLES:
                yield from _with(surnames, " ".join(given), known)


def _likeliest(piece: str, names: Sequence[PersonName]) -> ReadName:
    """Prefer the shortest surnames: second given names are common, double surnames are not."""
    lengths = [len(_significant(name)) for name in names]
    name = names[lengths.index(min(lengths))]
    parts = {"paternalSurname": name.paterno, "maternalSurname": name.materno}
    if piece == "fullName":
        parts["givenNames"] = name.given
    read = {part: text for part, text in parts.items() if text}
    return ReadName(name, piece, read, ambiguous=lengths.count(min(lengths)) > 1)


def _significant(name: PersonName) -> list[str]:
    words = f"{name.paterno} {name.materno}".split()
    return [word for word in words if fold(word) not in _PARTICLES]
