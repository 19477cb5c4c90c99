"""SFace (OpenCV Zoo, Apache-2.0) with float32 weights, from its file of 8-bit blocks.

The published file keeps each weight as an 8-bit number, a scale per block, and nodes that restore
them at run time. Here they are restored once, so that onnxruntime merges each convolution with its
normalization: the graph runs as fast as the publisher's 39 MB file of float32.
"""

from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import helper, numpy_helper


def convert(original: Path) -> onnx.ModelProto:
    """Of faces (n × 3 × 112 × 112, RGB, 0 to 255) it makes `fc1` (n × 128), whose length is not 1.
    All values keep their names."""
    model = onnx.load(original)
    graph = model.graph
    weights = {each.name: numpy_helper.to_array(each) for each in graph.initializer}
    nodes = []
    for node in graph.node:
        if node.op_type == "DequantizeLinear":
            block, axis = (
                helper.get_node_attr_value(node, name) for name in ("block_size", "axis")
            )
            numbers, scales, zeros = (weights.pop(name) for name in node.input)
            weights[node.output[0]] = _restored(numbers, scales, zeros, block, axis)
        elif node.op_type == "Reshape":
            value, shape = (weights.pop(name) for name in node.input)
            weights[node.output[0]] = value.reshape(shape)
        else:
            nodes.append(node)
    faces = _faces(graph)
    for tensor in (faces, *graph.output):
        tensor.type.tensor_type.shape.dim[0].dim_param = "n"
    used = {name for node in nodes for name in node.input}
    made = helper.make_graph(
        nodes,
        "sface",
        [faces],
        graph.output,
        [numpy_helper.from_array(value, name) for name, value in weights.items() if name in used],
    )
    converted = helper.make_model(made, opset_imports=model.opset_import, ir_version=10)
    onnx.checker.check_model(converted)
    return converted


def with_all_values(model: onnx.ModelProto) -> onnx.ModelProto:
    """The graph with the output of each node as an output of its own."""
    shown = onnx.ModelProto()
    shown.CopyFrom(model)
    faces = _faces(model.graph)
    del shown.graph.input[:], shown.graph.output[:]
    shown.graph.input.append(faces)
    names = [name for node in shown.graph.node for name in node.output]
    shown.graph.output.extend(onnx.ValueInfoProto(name=name) for name in names)
    return shown


def _faces(graph: onnx.GraphProto) -> onnx.ValueInfoProto:
    """The one input that is no weight: onnxruntime merges no weights that are listed as inputs."""
    faces: onnx.ValueInfoProto
    (faces,) = (each for each in graph.input if each.name == "data")
    return faces


def _restored(
    numbers: NDArray[Any],
    scales: NDArray[Any],
    zeros: NDArray[Any],
    block: int,
    axis: int,
) -> NDArray[np.float32]:
    """Undo ONNX's blocked quantization (operator DequantizeLinear, version 21)."""
    length = numbers.shape[axis]
    scale, zero = (
        np.repeat(each.astype(np.float32), block, axis).take(range(length), axis)
        for each in (scales, zeros)
    )
    return np.asarray((numbers.astype(np.float32) - zero) * scale, np.float32)
