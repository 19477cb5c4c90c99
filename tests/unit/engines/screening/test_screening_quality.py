"""The quality that `make bench-aml` measures, kept by every run of the tests."""

import pytest

from acredita.engines.screening import Question, build_index
from benchmarks import screening, screening_data
from tests.conftest import test_data as shared


# To ask for every name takes a quarter of a minute.
@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    "each", [5, pytest.param(1, marks=pytest.mark.thorough)], ids=["every fifth", "all"]
)
def test_names_on_real_lists_are_found_and_common_ones_are_not(each):
    folder = shared("watchlists")
    index, queries = build_index(screening_data.ofac(folder)), screening_data.labelled(folder)
    questions = [Question(item.query) for item in queries[::50]]
    assert index.screen_many(questions) == [index.screen(each.name) for each in questions]
    lines = [
        *screening.quality(index, queries[::each]),
        *screening.real_mexicans(index, screening_data.sat_persons(folder)[::each]),
    ]
    bars = [line for line in lines if not isinstance(line, str)]
    assert len(bars) > 40
    assert [text for text, met in bars if not met] == []
