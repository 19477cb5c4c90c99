import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper
from onnxruntime import InferenceSession

from acredita.engines.text.line_heights import with_any_height

POOL = helper.make_node(
    "AveragePool", ["x"], ["y"], kernel_shape=[3, 2], strides=[3, 2], pads=[0, 0, 0, 0]
)
RELU = helper.make_node("Relu", ["y"], ["z"])


def network(*nodes, shape=(1, 3, 3, None), result="z"):
    graph = helper.make_graph(
        nodes,
        "means of rows",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, list(shape))],
        [helper.make_tensor_value_info(result, TensorProto.FLOAT, [None] * len(shape))],
        value_info=[helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 3, 1, None])],
    )
    opset = [helper.make_opsetid("", 11)]
    return helper.make_model(graph, opset_imports=opset, ir_version=8).SerializeToString()


def test_lines_of_another_height_are_taken_and_those_of_its_own_read_as_before():
    model = network(POOL, RELU)
    changed = with_any_height(model)
    onnx.checker.check_model(onnx.load_from_string(changed))
    session = InferenceSession(changed)
    random = np.random.default_rng(1)
    for rows in (3, 2):
        x = random.uniform(size=(1, 3, rows, 8)).astype(np.float32)
        (means,) = session.run(None, {"x": x})
        assert means == pytest.approx(x.reshape(1, 3, rows, 4, 2).mean(axis=(2, 4))[:, :, None])
        if rows == 3:
            assert means == pytest.approx(InferenceSession(model).run(None, {"x": x})[0])


@pytest.mark.parametrize(
    "model",
    [
        network(RELU),
        network(POOL, helper.make_node("AveragePool", ["y"], ["z"], kernel_shape=[1, 1])),
        network(RELU, POOL, shape=(1, 3, 3)),
        network(POOL, RELU)[:-3],
        b"\xff\xff",
    ],
)
def test_another_network_is_refused(model):
    with pytest.raises(ValueError, match=r"network|ONNX"):
        with_any_height(model)
