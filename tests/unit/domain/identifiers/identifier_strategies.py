"""People and texts for property tests of the identifiers."""

from datetime import date

from hypothesis import strategies as st

from acredita.domain.identifiers.formatting import Sex
from acredita.domain.identifiers.states import BORN_ABROAD, STATES
from acredita.domain.names import PersonName

SURNAMES = (
    "Hernández",
    "Muñoz",
    "Ñáñez",
    "de la Cruz",
    "De la O",
    "Güemes",
    "O'Farrill",
    "D/Amico",
    "Pérez-Gil",
    "Po",
    "Ng",
    "Baca",
    "Vaca",
    "Puga",
    "Ich",
    "Mc Gregor",
    "San Martín",
    "Y",
    "Åkerström",
)
GIVEN_NAMES = (
    "María",
    "María José",
    "Ma. de los Ángeles",
    "MA.GUADALUPE",
    "José Luis",
    "J. Jesús",
    "Iñaki",
    "Ñu",
    "Xóchitl",
    "Juan Carlos",
    "Óscar",
    "Íñigo",
)

# What nobody chose: letters of any script, so that every rule meets names it never thought of.
_any_word = st.text(st.characters(categories=("Lu", "Ll")), min_size=1, max_size=12)

surnames = st.sampled_from(SURNAMES)
names = st.builds(
    PersonName,
    given=st.sampled_from(GIVEN_NAMES) | _any_word,
    paterno=surnames | _any_word,
    materno=surnames | st.just("") | _any_word,
)
birth_dates = st.dates(date(1900, 1, 1), date(2099, 12, 31))
sexes = st.sampled_from(Sex)
states = st.sampled_from((*STATES, BORN_ABROAD))
digits = "0123456789"
alphanumerics = digits + "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def digit_strings(length: int) -> st.SearchStrategy[str]:
    return st.text(digits, min_size=length, max_size=length)


@st.composite
def one_character_changed(draw: st.DrawFn, text: str, alphabet: str) -> str:
    """The text with one character exchanged for another of the alphabet."""
    at = draw(st.integers(0, len(text) - 1))
    other = draw(st.sampled_from([char for char in alphabet if char != text[at]]))
    return text[:at] + other + text[at + 1 :]
