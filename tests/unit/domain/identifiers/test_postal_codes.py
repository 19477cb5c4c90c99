import pytest

from acredita.domain.identifiers.postal_codes import state_of_postal_code
from acredita.domain.identifiers.states import STATES, in_address


@pytest.mark.parametrize(
    ("code", "state"),
    [
        ("01000", "DF"),
        ("16999", "DF"),
        ("20000", "AS"),
        ("22999", "BC"),
        ("57000", "MC"),
        ("58000", "MN"),
        ("96999", "VZ"),
        ("97000", "YN"),
        ("99999", "ZS"),
    ],
)
def test_the_first_two_digits_of_a_postal_code_give_its_state(code, state):
    found = state_of_postal_code(code)
    assert found is not None
    assert found.code == state


@pytest.mark.parametrize("code", ["00100", "17000", "19999", "4410", "441000", "4410O", "٤٤١٠٠"])
def test_what_no_postal_code_begins_with_has_no_state(code):
    assert state_of_postal_code(code) is None


def test_each_state_has_postal_codes():
    found = {state_of_postal_code(f"{start:02}000") for start in range(100)} - {None}
    assert found == set(STATES)


@pytest.mark.parametrize(
    ("text", "state"),
    [("JAL.", "JC"), (" Q. ROO", "QR"), ("D.F.", "DF"), ("Méx.", "MC"), ("SAN LUIS POTOSÍ", "SP")],
)
def test_an_address_ends_in_the_abbreviation_or_name_of_a_state(text, state):
    found = in_address(text)
    assert found is not None
    assert found.code == state


def test_other_text_is_no_state():
    assert in_address("ESTADOS UNIDOS DE AMERICA") is None
    assert in_address("") is None
