"""Passive models of the operator's, with a tiny one that believes what is bright."""

import hashlib

import cv2
import numpy as np
import onnx
import pytest

from acredita.domain.liveness.challenge import judge_passively, judge_speech
from acredita.domain.reasons import LivenessReason
from acredita.engines.face.description import ModelRefused
from acredita.engines.liveness.measure_frames import examine, measure_frames
from acredita.engines.liveness.passive import load
from tests.conftest import test_data as shared_data
from tests.factories.passive_models import write_model


@pytest.fixture(scope="module")
def photograph():
    folder = shared_data("images", "lfw", "Colin_Powell")
    return cv2.imread(str(min(folder.iterdir())))


def examined(pixels, model):
    picture = cv2.imencode(".png", pixels)[1].tobytes()
    return examine([""], measure_frames([(picture, "image/png")], model), [], model)


def test_the_model_sees_the_face_and_decides(tmp_path, photograph):
    model = write_model(tmp_path)
    bright = np.clip(photograph.astype(int) + 60, 0, 255).astype(np.uint8)
    dark = (photograph * 0.5).astype(np.uint8)
    believed, doubted = examined(bright, model), examined(dark, model)
    assert believed.passive.model == "tiny.onnx"
    assert believed.passive.probability > 0.5 > doubted.passive.probability
    assert judge_passively(believed).passed
    assert judge_passively(doubted).code is LivenessReason.LIVENESS_SPOOF_SUSPECTED


def test_without_a_model_pictures_prove_nothing(photograph):
    found = examined(photograph, None)
    assert found.passive is None
    assert judge_passively(found).code is LivenessReason.LIVENESS_NOT_PROVEN


def test_no_film_of_spoken_numbers_passes_and_its_frames_can_speak_against_it(tmp_path, photograph):
    model = write_model(tmp_path)
    bright = np.clip(photograph.astype(int) + 60, 0, 255).astype(np.uint8)
    dark = (photograph * 0.5).astype(np.uint8)
    blank = np.full((200, 200, 3), 255, np.uint8)
    for pixels, by, code in (
        (bright, model, LivenessReason.LIVENESS_MOUTH_STILL),
        (bright, None, LivenessReason.LIVENESS_MOUTH_STILL),
        (dark, model, LivenessReason.LIVENESS_SPOOF_SUSPECTED),
        (blank, None, LivenessReason.LIVENESS_FACE_NOT_FOUND),
    ):
        assert judge_speech(examined(pixels, by)).code is code


def test_a_picture_without_a_face_is_not_judged(tmp_path):
    found = examined(np.full((200, 200, 3), 255, np.uint8), write_model(tmp_path))
    assert judge_passively(found).code is LivenessReason.LIVENESS_NOT_PROVEN


@pytest.mark.parametrize(
    "changes",
    [
        {"sha256": "0" * 64},
        {"liveIndex": 7},
        {"inputSize": 64},
        {"std": [0]},
        {"colourOrder": "CMYK"},
        {"unknown": 1},
    ],
)
def test_a_model_that_is_not_as_described_is_refused(tmp_path, changes):
    with pytest.raises(ModelRefused):
        load(write_model(tmp_path, **changes))


def test_a_file_that_is_missing_or_no_graph_is_refused(tmp_path):
    with pytest.raises(ModelRefused):
        load(tmp_path / "none.onnx")
    path = write_model(tmp_path, sha256=hashlib.sha256(b"no graph").hexdigest())
    path.write_bytes(b"no graph")
    with pytest.raises(ModelRefused):
        load(path)


def test_the_tiny_model_is_a_model(tmp_path):
    onnx.checker.check_model(str(write_model(tmp_path)))
