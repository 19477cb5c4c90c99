"""Finding and telling faces, on public photographs."""

from concurrent.futures import ThreadPoolExecutor

import cv2
import numpy as np
import pytest

from acredita.domain.faces import Band, judge
from acredita.engines.face import models
from acredita.engines.face.compare import compare, find_largest_face
from acredita.engines.face.embedding import distance, embed
from acredita.engines.face.expression import measure
from acredita.engines.face.find import find_faces
from acredita.engines.face.models import ModelsMissing
from acredita.resources.verifications.steps.faces import judge_comparison
from benchmarks.recognition.faces import as_card_portrait
from tests.conftest import test_data as shared_data

PEOPLE = ("Colin_Powell", "Gerhard_Schroeder", "Hugo_Chavez", "Jacques_Chirac")


@pytest.fixture(scope="module")
def photographs():
    """Three photographs each of four people."""
    return {
        name: [
            cv2.imread(str(path))
            for path in sorted(shared_data("images", "lfw", name).iterdir())[:3]
        ]
        for name in PEOPLE
    }


def jpeg(pixels, quality=90):
    return cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])[
        1
    ].tobytes(), "image/jpeg"


def test_one_person_is_told_from_another(photographs):
    embedded = [
        (name, embed(picture, find_faces(picture)[0]))
        for name, pictures in photographs.items()
        for picture in pictures
    ]
    for place, (name, one) in enumerate(embedded):
        for other_name, other in embedded[:place]:
            band = judge(distance(one, other)).band
            assert band is (Band.MATCH if name == other_name else Band.MISMATCH)


@pytest.mark.parametrize("across", [110, 150])
def test_a_card_s_small_pale_portrait_is_nearest_to_its_own_person(photographs, across):
    selfies = {
        name: embed(picture, find_faces(picture)[0])
        for name, (_, picture, _) in photographs.items()
    }
    for name, (picture, _, _) in photographs.items():
        printed = as_card_portrait(picture, across)
        portrait = embed(printed, find_faces(printed)[0])
        apart = {other: distance(portrait, selfies[other]) for other in selfies}
        assert min(apart, key=lambda other: apart[other]) == name
        assert judge(apart[name]).band is not Band.MISMATCH


def test_a_face_and_its_mirror_image_are_described_alike(photographs):
    for picture, *_ in photographs.values():
        mirrored = np.ascontiguousarray(picture[:, ::-1])
        one, other = (embed(each, find_faces(each)[0]) for each in (picture, mirrored))
        assert distance(one, other) < 0.05


@pytest.mark.parametrize("turns", [0, 1, 2, 3])
def test_a_selfie_is_found_whichever_side_is_up(photographs, turns):
    portrait, selfie, _ = photographs["Hugo_Chavez"]
    turned = np.ascontiguousarray(np.rot90(selfie, turns))
    comparison = compare([jpeg(portrait)], jpeg(turned))
    assert comparison.fault is None
    assert judge(comparison.distance).band is Band.MATCH


def test_two_threads_compare_a_pair_as_one_does(photographs, monkeypatch):
    one, other, _ = (jpeg(picture) for picture in photographs["Colin_Powell"])
    monkeypatch.setattr(models._Chosen, "beside", None)
    alone = compare([one], other)
    with ThreadPoolExecutor(1) as beside:
        monkeypatch.setattr(models._Chosen, "beside", beside)
        assert compare([one], other) == alone


@pytest.mark.parametrize(("cores", "has_second"), [(1, False), (2, True)])
def test_a_second_core_looks_at_the_selfie(monkeypatch, cores, has_second):
    monkeypatch.setattr(models, "usable_cores", lambda: cores)
    monkeypatch.setattr(models._Chosen, "beside", None)
    models.warm_up()
    assert (models._Chosen.beside is not None) is has_second


def test_the_portrait_is_looked_for_in_each_picture_in_turn(photographs):
    portrait, selfie, _ = photographs["Hugo_Chavez"]
    blank = jpeg(np.full((300, 300, 3), 200, np.uint8))
    comparison = compare([blank, (b"broken", "image/jpeg"), jpeg(portrait)], jpeg(selfie))
    assert judge(comparison.distance).band is Band.MATCH
    cut_out = cv2.imdecode(np.frombuffer(comparison.portrait_picture, np.uint8), 1)
    assert find_faces(cut_out)


def test_what_shows_no_face_has_none():
    rng = np.random.default_rng(1)
    for pixels in (
        np.zeros((300, 300, 3), np.uint8),
        rng.integers(0, 255, (300, 300, 3), dtype=np.uint8),
        np.full((8, 2000, 3), 128, np.uint8),
        np.full((1, 1, 3), 128, np.uint8),
    ):
        assert find_faces(pixels) == []
    assert find_largest_face((b"", "image/png")) is None
    assert find_largest_face((b"%PDF-1.4 broken", "application/pdf")) is None


def test_a_small_face_in_a_large_picture_is_found(photographs):
    portrait = cv2.resize(photographs["Hugo_Chavez"][0], (180, 180))
    scene = np.full((1600, 1600, 3), 90, np.uint8)
    scene[1300:1480, 120:300] = portrait
    (face, *_) = find_faces(scene)
    left, top, right, bottom = face.box
    assert 120 <= left < right <= 300
    assert 1300 <= top < bottom <= 1480


def test_mirrored_faces_turn_the_other_way(photographs):
    for pictures in photographs.values():
        picture = pictures[0]
        mirrored = np.ascontiguousarray(picture[:, ::-1])
        one = measure(picture, find_faces(picture)[0])
        other = measure(mirrored, find_faces(mirrored)[0])
        assert one.yaw == pytest.approx(-other.yaw, abs=6)
        assert one.pitch == pytest.approx(other.pitch, abs=6)
        assert one.eyes == pytest.approx(other.eyes, abs=0.08)


def test_closed_eyes_and_open_mouths_are_measured():
    def expression(name):
        picture = cv2.imread(str(shared_data("images", "pose", name)))
        return measure(picture, find_faces(picture)[0])

    closed, opened = expression("stock-emotions-b-1.jpg"), expression("stock-emotions-b-7.jpg")
    assert closed.eyes < 0.4 * opened.eyes
    assert (
        expression("stock-emotions-a-6.jpg").mouth
        > 0.3
        > expression("stock-emotions-a-1.jpg").mouth
    )


def test_models_that_are_not_what_was_made_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(models._Chosen, "folder", tmp_path)
    with pytest.raises(ModelsMissing, match="make models"):
        models._checked("iris.onnx")
    (tmp_path / "manifest.json").write_text('{"files": {"iris.onnx": "00"}}')
    (tmp_path / "iris.onnx").write_bytes(b"something else")
    with pytest.raises(ModelsMissing, match="is not what was made"):
        models._checked("iris.onnx")


def test_a_second_portrait_of_another_person_on_the_document_is_told(photographs):
    portrait, selfie, _ = photographs["Hugo_Chavez"]
    other = photographs["Colin_Powell"][0]
    for repeated, differs in ((portrait, False), (other, True)):
        small = cv2.resize(repeated, (190, 190), interpolation=cv2.INTER_AREA)
        card = np.full((400, 640, 3), 235, np.uint8)
        card[80 : 80 + portrait.shape[0], 10 : 10 + portrait.shape[1]] = portrait
        card[200:390, 420:610] = small // 2 + 117
        comparison = compare([jpeg(card)], jpeg(selfie))
        assert comparison.second_portrait is not None
        assert comparison.portraits_differ is differs
        outcome = judge_comparison(comparison, accept=0.8, reject=0.5)
        assert outcome.code == ("PORTRAITS_DIFFER" if differs else None)
        assert outcome.status == ("REVIEW" if differs else "PASSED")
