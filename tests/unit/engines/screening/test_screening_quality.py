"""The quality that `make bench-aml` measures, kept by every run of the tests."""

import pytest

from acredita.engines.screening import build_index
from benchmarks import screening, screening_data
from tests.conftest import test_data as shared


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_names_on_real_lists_are_found_and_common_ones_are_not():
    folder = shared("watchlists")
    index = build_index(screening_data.ofac(folder))
    lines = [
        *screening.quality(index, screening_data.labelled(folder)),
        *screening.real_mexicans(index, screening_data.sat_persons(folder)),
    ]
    bars = [line for line in lines if not isinstance(line, str)]
    assert len(bars) > 40
    assert [text for text, met in bars if not met] == []
