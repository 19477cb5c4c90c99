import pytest
from hypothesis import given
from hypothesis import strategies as st

from acredita.domain.names import PersonName, fold


@pytest.mark.parametrize(
    ("text", "enye", "folded"),
    [
        ("  Muñoz   Pérez ", "Ñ", "MUÑOZ PEREZ"),
        ("Mun\u0303oz", "Ñ", "MUÑOZ"),  # decomposed, as some PDFs and macOS write it
        ("ñandú", "N", "NANDU"),
        ("Núñez", "NXX", "NUNXXEZ"),
        ("Güemes Åkerström Ørsted Straße Łuk", "N", "GUEMES AKERSTROM ORSTED STRASSE LUK"),
        ("", "N", ""),
    ],
)
def test_folding_takes_accents_off_and_treats_enye_as_asked(text, enye, folded):
    assert fold(text, enye=enye) == folded


@given(st.text())
def test_folding_folded_text_changes_nothing(text):
    assert fold(fold(text)) == fold(text)


def test_a_name_is_written_in_both_orders():
    name = PersonName("Ana Sofía", "Muñoz", "Peña")
    assert name.full == "Ana Sofía Muñoz Peña"
    assert name.surnames_first == "Muñoz Peña Ana Sofía"
    assert PersonName("Ana", "Muñoz").surnames_first == "Muñoz Ana"


def test_the_same_name_is_recognised_in_other_spelling_only():
    name = PersonName("Ana Sofía", "Muñoz", "Peña")
    assert name.same_as(PersonName("ANA SOFIA", "MUNOZ", "PENA"))
    assert not name.same_as(PersonName("ANA SOFIA", "PENA", "MUNOZ"))
    assert not name.same_as(PersonName("ANA", "MUNOZ", "PENA"))
