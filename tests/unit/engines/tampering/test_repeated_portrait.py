"""A portrait against its small, pale repetition, on drawn documents and with real faces."""

import cv2
import numpy as np
import pytest

from acredita.domain.documents import PageKind, PageReading, Quality
from acredita.domain.documents.picture_problems import objections
from acredita.domain.reasons import DocumentReason
from acredita.engines.face.portrait import read_portrait
from acredita.engines.tampering.repeated_portrait import repeated_portrait
from acredita_synthetic.ground_truth import SpecimenKind
from acredita_synthetic.people import CardModel, make_person, with_model
from acredita_synthetic.specimens import draw_document
from tests.conftest import test_data as shared_data

SHARPNESS_OF_A_PHONE = 0.9


def page(canvas):
    soft = cv2.GaussianBlur(canvas.pixels, (0, 0), SHARPNESS_OF_A_PHONE)
    data = cv2.imencode(".jpg", soft, [cv2.IMWRITE_JPEG_QUALITY, 80])[1]
    return cv2.imdecode(data, cv2.IMREAD_COLOR)


@pytest.fixture(scope="module")
def photographs():
    """One public portrait each of four people, cut as documents have it."""
    folders = sorted(shared_data("images", "lfw").iterdir())
    return [cv2.imread(str(min(folder.iterdir())))[40:210, 60:190] for folder in folders]


@pytest.mark.parametrize(
    "holders", [2, pytest.param(4, marks=pytest.mark.thorough)], ids="{} holders".format
)
@pytest.mark.parametrize(
    ("kind", "box"),
    [
        (SpecimenKind.INE_FRONT, (36, 168, 258, 336)),
        (SpecimenKind.PASSPORT, (52, 148, 330, 430)),
    ],
)
def test_a_replaced_portrait_is_told_by_its_repetition_and_a_sound_one_is_not(
    kind, box, photographs, holders
):
    person = with_model(make_person(7), CardModel.G)
    for number, holder in enumerate(photographs[:holders]):
        canvas = draw_document(kind, person, holder)
        sound = repeated_portrait(page(canvas))
        assert not sound.raised
        canvas.paste(box, photographs[number - 1])
        forged = repeated_portrait(page(canvas))
        assert forged.raised
        assert forged.measure > sound.measure + 0.2
        left, top, right, bottom = forged.box
        assert left > 0.5
        assert right - left < 0.12
        assert bottom - top < 0.15
        read = PageReading(PageKind(kind.name), Quality(0, 0, 0, 0, 0, 0), signals=(forged,))
        assert objections([read]) == {DocumentReason.TAMPERING_SUSPECTED}


@pytest.mark.parametrize("width", [800, 1250])
def test_a_genuine_specimen_is_not_told_to_have_a_replaced_portrait(width):
    picture = cv2.imread(str(shared_data("images", "specimens", "passports_Czech_Republic.png")))
    size = width, round(width * picture.shape[0] / picture.shape[1])
    signal = repeated_portrait(cv2.resize(picture, size, interpolation=cv2.INTER_CUBIC))
    assert 0.5 < signal.measure < signal.limit


def test_nothing_is_said_of_a_card_without_a_repetition_or_without_a_face():
    old = draw_document(SpecimenKind.INE_FRONT, with_model(make_person(7), CardModel.C))
    assert repeated_portrait(page(old)) is None
    blank = np.full((638, 1012, 3), 230, np.uint8)
    assert repeated_portrait(blank) is None
    assert read_portrait(b"\xff\xd8\xffbroken", PageKind.INE_FRONT, (0, 0, 1, 1)) == (None, ())
