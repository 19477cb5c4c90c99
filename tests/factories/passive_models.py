"""A tiny passive model that believes what is bright."""

import hashlib
import json
from pathlib import Path
from typing import Any

from onnx import TensorProto, helper

SIZE = 32


def write_model(folder: Path, name: str = "tiny.onnx", **changes: Any) -> Path:
    """Its two scores are tenfold the picture's mean, and five: living is what is brighter than a
    half."""
    nodes = [
        helper.make_node("GlobalAveragePool", ["input"], ["by_colour"]),
        helper.make_node("ReduceMean", ["by_colour"], ["mean"], axes=[1, 2, 3], keepdims=0),
        helper.make_node("Mul", ["mean", "ten"], ["bright"]),
        helper.make_node("Concat", ["bright", "five"], ["output"], axis=0),
    ]
    graph = helper.make_graph(
        nodes,
        "tiny",
        [helper.make_tensor_value_info("input", TensorProto.FLOAT, [1, 3, SIZE, SIZE])],
        [helper.make_tensor_value_info("output", TensorProto.FLOAT, [2])],
        [
            helper.make_tensor("ten", TensorProto.FLOAT, [1], [10.0]),
            helper.make_tensor("five", TensorProto.FLOAT, [1], [5.0]),
        ],
    )
    opset = [helper.make_opsetid("", 13)]
    content = helper.make_model(graph, opset_imports=opset, ir_version=8).SerializeToString()
    path = folder / name
    path.write_bytes(content)
    description = {
        "sha256": hashlib.sha256(content).hexdigest(),
        "inputSize": SIZE,
        "cropScale": 1.2,
        "colourOrder": "RGB",
        "mean": [0, 0, 0],
        "std": [1, 1, 1],
        "liveIndex": 0,
        "threshold": 0.5,
    }
    path.with_suffix(".json").write_text(json.dumps(description | changes))
    return path
