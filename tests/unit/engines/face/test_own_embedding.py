"""An embedding of the operator's own, with a tiny one that sees a coarse picture of the face."""

import hashlib
import json
from dataclasses import replace

import cv2
import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from acredita.domain.faces import CALIBRATION, EMBEDDING_VERSION, Band, distance, judge
from acredita.engines.face import models
from acredita.engines.face.compare import compare, compare_with_portrait
from acredita.engines.face.description import EmbeddingDescription, ModelRefused, read_description
from acredita.engines.face.find import find_faces
from acredita.engines.face.model_folder import folder
from acredita.engines.face.network import network
from acredita.engines.face.portrait import describe
from acredita.services import open_services
from acredita.settings import Settings
from tests.conftest import test_data as shared_data
from tests.factories.pages import block

SIDE, CELL = 64, 4
DESCRIPTION = {
    "name": "coarse",
    "inputSize": SIDE,
    "colourOrder": "BGR",
    "mean": [0.5, 0.5, 0.5],
    "std": [0.25, 0.25, 0.25],
    "scale": [[1, 1], [0.8, 0.8], [0.6, 0.5], [0, 0]],
}


def write_model(folder, *, side=SIDE, **changes):
    """Blocks of CELL × CELL pixels, averaged, without the mean of each colour."""
    faces = helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, side, side])
    numbers = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    axes = numpy_helper.from_array(np.array([2, 3]), "axes")
    nodes = [
        helper.make_node("AveragePool", ["x"], ["p"], kernel_shape=[CELL] * 2, strides=[CELL] * 2),
        helper.make_node("ReduceMean", ["p", "axes"], ["m"], keepdims=1),
        helper.make_node("Sub", ["p", "m"], ["d"]),
        helper.make_node("Flatten", ["d"], ["y"]),
    ]
    graph = helper.make_graph(nodes, "coarse", [faces], [numbers], [axes])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    path = folder / "own.onnx"
    onnx.save(model, path)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    described = {"sha256": digest} | DESCRIPTION | changes
    path.with_suffix(".json").write_text(json.dumps(described))
    return path


@pytest.fixture
def use(monkeypatch):
    def use_model(path):
        monkeypatch.setattr(models._Chosen, "own_embedding", path)
        network.cache_clear()

    yield use_model
    network.cache_clear()


@pytest.fixture
def picture():
    return cv2.imread(str(shared_data("images", "lfw", "Hugo_Chavez", "Hugo_Chavez_0001.jpg")))


def jpeg(pixels):
    return cv2.imencode(".jpg", pixels)[1].tobytes(), "image/jpeg"


def test_faces_are_compared_by_the_operator_s_model_and_its_scale(use, picture, tmp_path):
    built_in = compare([jpeg(picture)], jpeg(picture))
    assert (built_in.embedding_version, built_in.calibration) == (EMBEDDING_VERSION, CALIBRATION)
    use(write_model(tmp_path))
    own = compare([jpeg(picture)], jpeg(cv2.convertScaleAbs(picture, alpha=0.9)))
    assert own.embedding_version == own.calibration == network().version
    assert own.embedding_version.startswith("coarse/")
    assert judge(own.distance).band is Band.MATCH
    # The same cosine means less with a scale that asks for more.
    one, other = (network().embed(np.roll(picture[60:124, 60:124], by, 0)) for by in (0, 6))
    lenient = network().distance(one, other)
    use(write_model(tmp_path, scale=[[1, 1], [0.99, 0.5], [0.9, 0]]))
    assert network().distance(one, other) > lenient
    assert network().version != own.embedding_version


def test_the_description_on_the_page_is_one_of_a_model(tmp_path):
    shown = json.loads(block("docs/compliance/recognition.md", "a description"))
    del shown["sha256"]
    model = write_model(tmp_path, side=shown["inputSize"], **shown)
    read = read_description(model, EmbeddingDescription)
    assert (read.name, read.input_size) == ("our-net-3", 112)


def test_sface_brought_as_an_own_model_gives_the_distances_of_the_built_in_one(
    use, picture, tmp_path
):
    later = cv2.imread(str(shared_data("images", "lfw", "Hugo_Chavez", "Hugo_Chavez_0002.jpg")))
    built_in = compare([jpeg(picture)], jpeg(later))
    path = tmp_path / "own.onnx"
    path.write_bytes((folder(None) / "sface.onnx").read_bytes())
    description = {
        "name": "sface-again",
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "std": [1 / 255, 1 / 255, 1 / 255],
        "mean": [0, 0, 0],
        "scale": [
            *([1, 1], [0.75, 0.95], [0.58, 0.9], [0.42, 0.8], [0.36, 0.65]),
            *([0.28, 0.5], [0.15, 0.25], [0.05, 0.1], [-0.2, 0]),
        ],
    }
    path.with_suffix(".json").write_text(json.dumps(description))
    use(path)
    own = compare([jpeg(picture)], jpeg(later))
    assert own.embedding_version.startswith("sface-again/")
    assert own.distance == pytest.approx(built_in.distance, abs=1e-6)


def test_the_mirror_image_of_a_face_has_the_same_embedding(use, picture, tmp_path):
    use(write_model(tmp_path))
    face = picture[60:124, 60:124]
    assert network().distance(network().embed(face), network().embed(face[:, ::-1])) < 1e-6


def test_a_portrait_of_another_version_is_described_again(use, picture, tmp_path):
    face = find_faces(picture)[0]
    older = replace(describe(picture, face), embedding=(1.0, *127 * [0.0]), version="older")
    page, selfie = jpeg(picture)[0], jpeg(picture)
    again = compare_with_portrait(page, older, selfie)
    assert again.distance < 0.01
    use(write_model(tmp_path))
    own = compare_with_portrait(page, older, selfie)
    assert own.distance < 0.01
    assert own.selfie_embedding.version == network().version
    stored = describe(picture, face)
    assert distance(stored, own.selfie_embedding) < 0.01
    # Without the face on its page, the portrait can't be described again.
    blank = jpeg(np.full_like(picture, 200))[0]
    assert compare_with_portrait(blank, older, selfie).fault == "PORTRAIT_NOT_FOUND"
    assert compare_with_portrait(blank, stored, selfie).fault is None


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"sha256": "0" * 64}, "does not have the sha256"),
        ({"scale": [[1, 1]]}, "scale must fall"),
        ({"scale": [[1, 1], [0.5, 0.2], [0.6, 0]]}, "scale must fall"),
        ({"scale": [[1, 1], [0.5, 0.2]]}, "scale must fall"),
        ({"std": [0, 1, 1]}, "std must be positive"),
        ({"name": "own model"}, "name"),
        ({"unknown": 1}, "unknown"),
    ],
)
def test_a_description_that_is_wrong_is_refused_and_says_where(changes, said, tmp_path):
    with pytest.raises(ModelRefused, match=said):
        read_description(write_model(tmp_path, **changes), EmbeddingDescription)


def test_a_model_that_does_not_fit_its_description_is_refused(use, tmp_path):
    use(write_model(tmp_path, side=32))
    with pytest.raises(ModelRefused, match=r"own\.onnx"):
        network()
    use(write_model(tmp_path))
    (tmp_path / "own.onnx").write_bytes(b"no model")
    with pytest.raises(ModelRefused, match="sha256"):
        network()


async def test_the_service_does_not_start_with_a_model_that_is_not_there(tmp_path):
    settings = Settings(face_embedding=tmp_path / "absent.onnx", data_dir=tmp_path)
    with pytest.raises(ModelRefused, match="absent"):
        async with open_services(settings):
            pass
