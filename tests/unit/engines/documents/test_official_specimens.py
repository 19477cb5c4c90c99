"""Official specimens, which are not in the repository: see ACREDITA_TEST_DATA."""

import cv2
import numpy as np
import pytest

from acredita.domain.documents import PageKind
from acredita.domain.documents.mrz_evidence import zone_of
from acredita.engines.documents import read_pages, warm_up
from benchmarks.recognition import specimens
from benchmarks.recognition.report import Stopwatch
from tests.conftest import test_data as shared

_LEAST = 0.9


@pytest.fixture(autouse=True)
def pictures(monkeypatch):
    folder = shared("images", "specimens")
    monkeypatch.setattr(specimens, "folder", lambda: folder)
    warm_up(2)
    return folder


@pytest.mark.parametrize(
    "each", [10, pytest.param(1, marks=pytest.mark.thorough)], ids=["every tenth", "all"]
)
def test_nine_tenths_of_the_legible_fields_are_read_and_no_wrong_value_is_accepted(each):
    of_mexico = [specimen for specimen in specimens.specimens() if specimen.of_mexico][::each]
    read = [specimens.read_specimen(specimen, Stopwatch()) for specimen in of_mexico]
    missed = [f"{each.printed.file} {line}" for each in read for line in each.wrong()]
    fields = sum(len(each.values) for each in of_mexico)
    assert len(missed) <= (1 - _LEAST) * fields, missed
    assert [line for each in read for line in each.accepted_wrong] == []
    known = [each for each in read if each.printed.model]
    assert [each.pages[0].model for each in known] == [each.printed.model for each in known]


# test_attempts.py has such an outline of a drawn card.
@pytest.mark.thorough
@pytest.mark.parametrize("turns", [0, 1])
def test_a_passport_is_read_though_the_best_outline_is_a_part_of_it(pictures, turns):
    picture = np.rot90(cv2.imread(str(pictures / "um_aus.jpg")), turns)
    (page,) = read_pages(cv2.imencode(".png", picture)[1].tobytes(), "image/png")
    assert page.kind is PageKind.PASSPORT
    assert zone_of(page).value.document_number == "PA0940443"
