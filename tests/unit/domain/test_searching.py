from uuid import UUID

from hypothesis import assume, given
from hypothesis import strategies as st

from acredita.domain.search_keys import (
    BETWEEN,
    folded,
    grams,
    name_words,
    searchable,
)

ONE = UUID("0198a000-0000-7000-8000-000000000001")
OTHER = UUID("0198a000-0000-7000-8000-000000000002")
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


@given(TEXTS)
def test_folded_text_never_holds_what_stands_between_texts(text):
    assert BETWEEN not in folded(text)
    assert folded(folded(text)) == folded(text)


@given(TEXTS)
def test_case_and_the_way_of_writing_an_accent_do_not_matter(text):
    import unicodedata

    assert folded(text) == folded(unicodedata.normalize("NFD", text))
    assert folded("Ñandú ÁRBOL straße") == folded("ñANDÚ árbol STRASSE")


@given(st.lists(TEXTS, max_size=4), st.data())
def test_every_part_of_three_letters_or_more_is_found_by_its_grams(texts, data):
    text = searchable(None, dict(enumerate(texts)))
    parts = [part for part in text.split(BETWEEN) if len(part) >= 3]
    assume(parts)
    part = data.draw(st.sampled_from(parts))
    start = data.draw(st.integers(0, len(part) - 3))
    sought = part[start : data.draw(st.integers(start + 3, len(part)))]
    found_by = grams(sought, ONE)
    assert found_by
    assert found_by <= grams(text, ONE)
    assert all(0 <= number < 2**63 for number in found_by)


@given(st.lists(st.text("abñ\U0010ffff", min_size=3, max_size=3), unique=True))
def test_no_two_grams_of_an_organization_share_a_number(threes):
    numbers = [number for three in threes for number in grams(three, ONE)]
    assert len(set(numbers)) == len(threes)


def test_organizations_have_numbers_of_their_own():
    assert not grams("cliente", ONE) & grams("cliente", OTHER)


def test_strings_and_numbers_are_searchable_and_keys_and_truths_are_not():
    metadata = {
        "plan": "Oro", "edad": 34, "saldo": -12.5, "activo": True, "nada": None, "vacío": "",
        "hijos": [{"nombre": "Ana"}, 7],
    }  # fmt: skip
    parts = searchable("Cliente-1", metadata).split(BETWEEN)
    assert parts == ["cliente-1", "oro", "34", "-12.5", "ana", "7"]
    assert searchable(None, None) == searchable("", {"a": True}) == ""


def test_words_of_names_are_folded_as_registries_fold_them():
    assert name_words(["María José", "Muñoz-García", "D'Alessio", "  "]) == {
        "MARIA", "JOSE", "MUNOZ", "GARCIA", "D", "ALESSIO",
    }  # fmt: skip
