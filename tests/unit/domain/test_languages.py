import pytest
from hypothesis import given
from hypothesis import strategies as st

from acredita.domain.languages import Language, preferred


@pytest.mark.parametrize(
    ("header", "language"),
    [
        (None, "es"),
        ("", "es"),
        ("en", "en"),
        ("EN-gb", "en"),
        ("es-MX,es;q=0.9,en;q=0.8", "es"),
        ("en;q=0.8, es;q=0.9", "es"),
        ("en , es", "en"),
        ("fr, de;q=0.9", "es"),
        ("fr, en;q=0.1", "en"),
        ("*", "es"),
        ("*;q=0.1, en;q=0.5", "en"),
        ("en;q=0", "es"),
        ("en;q=2, es;q=0.1", "es"),
        ("english", "es"),
        ("en;q=x", "es"),
        ("x" * 1000 + ",en", "es"),
    ],
)
def test_the_best_liked_of_our_languages_is_chosen(header, language):
    assert preferred(header) is Language(language)


@given(st.text())
def test_any_header_gives_a_language(header):
    assert preferred(header) in Language
