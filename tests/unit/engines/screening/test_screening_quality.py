"""The quality that `make bench-aml` measures, kept by every run of the tests."""

import pytest

from acredita.engines.screening import Question, build_index
from benchmarks import screening, screening_data
from tests.conftest import test_data as shared


# To ask for every name takes a quarter of a minute.
@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("each", "of_list"),
    [(15, 4), pytest.param(1, 1, marks=pytest.mark.thorough)],
    ids=["every fifteenth", "all"],
)
def test_names_on_real_lists_are_found_and_common_ones_are_not(each, of_list):
    """On a part of the list: the entries that are asked for, and one in `of_list` of the others."""
    folder = shared("watchlists")
    queries = screening_data.labelled(folder)[::each]
    about = {item.entry for item in queries}
    index = build_index(
        entry
        for place, entry in enumerate(screening_data.ofac(folder))
        if place % of_list == 0 or entry.id in about
    )
    questions = [Question(item.query) for item in queries[:: 50 // each]]
    assert index.screen_many(questions) == [index.screen(each.name) for each in questions]
    lines = [
        *screening.quality(index, queries),
        *screening.real_mexicans(index, screening_data.sat_persons(folder)[::each]),
    ]
    bars = [line for line in lines if not isinstance(line, str)]
    assert len(bars) > 40
    assert [text for text, met in bars if not met] == []
