"""Names of persons on Mexican documents, and their normalization for comparison."""

import unicodedata
from dataclasses import dataclass

# Letters that Unicode does not decompose into a base letter and a mark.
_WHOLE_LETTERS = str.maketrans(
    {"Æ": "AE", "Œ": "OE", "Ø": "O", "Ł": "L", "Đ": "D", "Ð": "D", "Þ": "TH", "ẞ": "SS"}
)


def fold(text: str, *, enye: str = "N") -> str:
    """Return the text in upper case, without accents, with single blanks; Ñ becomes `enye`.

    Ñ is a separate letter: a CURP writes X for it, an RFC keeps it, and a machine readable zone
    writes N or NXX. The caller chooses (`enye="Ñ"` keeps it), so that it is never lost by accident.
    """
    upper = unicodedata.normalize("NFC", text).upper()
    return " ".join(enye.join(_without_marks(part) for part in upper.split("Ñ")).split())


def _without_marks(text: str) -> str:
    decomposed = unicodedata.normalize("NFD", text)
    letters = "".join(char for char in decomposed if not unicodedata.combining(char))
    return letters.translate(_WHOLE_LETTERS)


@dataclass(frozen=True, slots=True)
class PersonName:
    """Given names and the two surnames; `materno` is empty for a person with one surname."""

    given: str
    paterno: str
    materno: str = ""

    @property
    def surnames(self) -> str:
        return " ".join(part for part in (self.paterno, self.materno) if part)

    @property
    def full(self) -> str:
        """The given names, then the surnames, as spoken."""
        return f"{self.given} {self.surnames}".strip()

    @property
    def surnames_first(self) -> str:
        """The surnames, then the given names, as in registries and on voter cards."""
        return f"{self.surnames} {self.given}".strip()

    def same_as(self, other: "PersonName") -> bool:
        """Whether both are the same name without regard to case, accents and Ñ."""
        return all(
            fold(mine) == fold(theirs)
            for mine, theirs in (
                (self.given, other.given),
                (self.paterno, other.paterno),
                (self.materno, other.materno),
            )
        )


# As documents abbreviate it, with and without its full stop.
_WRITTEN_OUT = {"MA": "MARIA"}


def same_words(one: str, other: str) -> bool:
    """Whether two whole names have the same words, in any order.

    Case, accents, Ñ, hyphens, apostrophes and full stops do not count; every word does: a name
    without its second surname is another one.
    """
    return sorted(_words(one)) == sorted(_words(other)) != []


def _words(name: str) -> list[str]:
    plain = "".join(char if char.isalnum() else " " for char in fold(name).replace("'", ""))
    return [_WRITTEN_OUT.get(word, word) for word in plain.split()]
