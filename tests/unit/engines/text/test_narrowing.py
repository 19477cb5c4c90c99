import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from onnxruntime import InferenceSession

from acredita.engines.text.narrowing import narrowed

CHARACTERS = ["a", "口", "é", "字"]  # the network adds a column before and a blank after them
WIDTH = len(CHARACTERS) + 2
RANDOM = np.random.default_rng(1)
WEIGHTS = RANDOM.normal(size=(3, WIDTH)).astype(np.float32)
BIAS = RANDOM.normal(size=WIDTH).astype(np.float32)


def network(weights=WEIGHTS, bias=BIAS, dictionary=CHARACTERS):
    graph = helper.make_graph(
        [
            helper.make_node("MatMul", ["x", "w"], ["y"]),
            helper.make_node("Add", ["y", "b"], ["z"]),
        ],
        "last layer",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3])],
        [helper.make_tensor_value_info("z", TensorProto.FLOAT, [1, None])],
        [numpy_helper.from_array(weights, "w"), numpy_helper.from_array(bias, "b")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    if dictionary is not None:
        helper.set_model_props(model, {"shape": "any", "character": "\n".join(dictionary)})
    return model.SerializeToString()


def test_the_kept_characters_keep_their_values_and_the_blank_stays():
    model, characters = narrowed(network(), "aé".__contains__)
    assert characters == ["", "a", "é", " "]
    onnx.checker.check_model(onnx.load_from_string(model))
    x = np.array([[0.5, -1.0, 2.0]], np.float32)
    (values,) = InferenceSession(model).run(None, {"x": x})
    assert values == pytest.approx((x @ WEIGHTS + BIAS)[:, [0, 1, 3, 5]])


@pytest.mark.parametrize(
    "model",
    [
        network(weights=WEIGHTS[:, :4], bias=BIAS[:4]),
        network(weights=WEIGHTS.astype(np.float16), bias=BIAS),
        network(dictionary=None),
        network()[:-3],
        b"\xff\xff",
    ],
)
def test_another_network_is_refused(model):
    with pytest.raises(ValueError, match=r"network|ONNX|float32"):
        narrowed(model, "aé".__contains__)
