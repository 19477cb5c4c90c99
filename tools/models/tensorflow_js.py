"""From TensorFlow.js graph models to ONNX, for the layers that the face engine's graphs consist of.

A TensorFlow.js model is a JSON file (nodes in topological order) and a file of weights beside it.
Its images are NHWC, ONNX's are NCHW: inside the converted graph every image is NCHW, and its inputs
and outputs keep the shapes of the original.
"""

import base64
import json
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

OPSET = 17
IR_VERSION = 10

_TO_NCHW = [0, 3, 1, 2]
_TO_NHWC = [0, 2, 3, 1]
_FUSED_ACTIVATIONS = {"Relu": "Relu", "Elu": "Elu"}
_ELEMENTWISE = {"AddV2": "Add", "Relu": "Relu", "Sigmoid": "Sigmoid", "Identity": "Identity"}

Node = dict[str, Any]


class UnknownLayer(ValueError):
    """The graph has a layer that this converter does not know."""


def convert(model: Path) -> onnx.ModelProto:
    """The graph of `model` (…/name.json, its weights beside it). Raise UnknownLayer."""
    description = json.loads(model.read_text())
    conversion = _Conversion(_read_weights(model, description))
    nodes = description["modelTopology"]["node"]
    for node in nodes:
        conversion.add(node)
    consumed = {name for node in nodes for name in _inputs(node)}
    for node in nodes:
        if node["op"] not in ("Const", "Placeholder") and node["name"] not in consumed:
            conversion.finish(node["name"])
    return conversion.model(model.stem)


def _read_weights(model: Path, description: Node) -> dict[str, NDArray[Any]]:
    weights: dict[str, NDArray[Any]] = {}
    for group in description["weightsManifest"]:
        data = b"".join((model.parent / name).read_bytes() for name in group["paths"])
        offset = 0
        for entry in group["weights"]:
            stored = np.dtype(entry.get("quantization", entry)["dtype"])
            count = int(np.prod(entry["shape"], dtype=np.int64))
            values = np.frombuffer(data, stored, count, offset).reshape(entry["shape"])
            offset += count * stored.itemsize
            if "scale" in entry.get("quantization", {}):
                values = values * entry["quantization"]["scale"] + entry["quantization"]["min"]
            weights[entry["name"]] = values.astype(entry["dtype"])
    return weights


def _inputs(node: Node) -> list[str]:
    return [name.split(":")[0] for name in node.get("input", []) if not name.startswith("^")]


def _text(attribute: str) -> str:
    return base64.b64decode(attribute).decode()


def _spatial(node: Node, attribute: str) -> list[int]:
    """Height and width of an NHWC list."""
    _, height, width, _ = (int(value) for value in node["attr"][attribute]["list"]["i"])
    return [height, width]


def _auto_pad(node: Node) -> str:
    return {"SAME": "SAME_UPPER", "VALID": "VALID"}[_text(node["attr"]["padding"]["s"])]


class _Conversion:
    def __init__(self, weights: dict[str, NDArray[Any]]) -> None:
        self._weights = weights
        self._nodes: list[onnx.NodeProto] = []
        self._constants: list[onnx.TensorProto] = []
        self._inputs: list[onnx.ValueInfoProto] = []
        self._outputs: list[onnx.ValueInfoProto] = []
        # From the original's names to ours, and which of those are images (NCHW).
        self._values: dict[str, str] = {}
        self._images: set[str] = set()

    def model(self, name: str) -> onnx.ModelProto:
        graph = helper.make_graph(self._nodes, name, self._inputs, self._outputs, self._constants)
        opset = [helper.make_opsetid("", OPSET)]
        return helper.make_model(graph, opset_imports=opset, ir_version=IR_VERSION)

    def add(self, node: Node) -> None:
        kind, name = node["op"], node["name"]
        match kind:
            case "Const":
                return
            case "Placeholder":
                value = self._placeholder(node)
            case "_FusedConv2D" | "DepthwiseConv2dNative":
                value = self._convolution(node)
            case "Prelu":
                first, slope = _inputs(node)
                value = self._operation("PRelu", self._values[first], self._slope(slope))
            case "MaxPool":
                value = self._operation(
                    "MaxPool",
                    self._values[_inputs(node)[0]],
                    kernel_shape=_spatial(node, "ksize"),
                    strides=_spatial(node, "strides"),
                    auto_pad=_auto_pad(node),
                )
            case "Pad":
                first, paddings = _inputs(node)
                ends = self._weights[paddings][_TO_NCHW].T.reshape(-1)
                value = self._operation("Pad", self._values[first], self._constant(ends, np.int64))
            case "ConcatV2":
                *parts, axis = _inputs(node)
                if int(self._weights[axis]) not in (-1, 3):
                    raise UnknownLayer(f"{name}: ConcatV2 of another axis than the channels")
                value = self._operation("Concat", *(self._values[part] for part in parts), axis=1)
            case "Reshape":
                value = self._reshape(node)
            case _ if kind in _ELEMENTWISE:
                operands = (self._values[operand] for operand in _inputs(node))
                value = self._operation(_ELEMENTWISE[kind], *operands)
            case _:
                raise UnknownLayer(f"{name}: {kind}")
        self._values[name] = value
        if self._is_image(node):
            self._images.add(name)

    def _is_image(self, node: Node) -> bool:
        if node["op"] == "Reshape":
            return False
        return node["op"] == "Placeholder" or _inputs(node)[0] in self._images

    def finish(self, name: str) -> None:
        """Make the value an output of the graph, in the original's shape."""
        value = self._values[name]
        if name in self._images:
            value = self._operation("Transpose", value, perm=_TO_NHWC)
        self._nodes.append(helper.make_node("Identity", [value], [name]))
        self._outputs.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, None))

    def _operation(self, kind: str, *inputs: str, **attributes: Any) -> str:
        output = f"{kind}_{len(self._nodes)}"
        self._nodes.append(helper.make_node(kind, list(inputs), [output], **attributes))
        return output

    def _constant(self, values: NDArray[Any], dtype: type = np.float32) -> str:
        name = f"constant_{len(self._constants)}"
        tensor: NDArray[Any] = np.ascontiguousarray(values, dtype=dtype)
        self._constants.append(numpy_helper.from_array(tensor, name))
        return name

    def _placeholder(self, node: Node) -> str:
        dimensions = node["attr"]["shape"]["shape"]["dim"]
        shape = [1, *(int(dimension["size"]) for dimension in dimensions[1:])]
        self._inputs.append(helper.make_tensor_value_info(node["name"], TensorProto.FLOAT, shape))
        return self._operation("Transpose", node["name"], perm=_TO_NCHW)

    def _convolution(self, node: Node) -> str:
        image, kernel, *rest = _inputs(node)
        values = self._weights[kernel]
        if node["op"] == "DepthwiseConv2dNative":
            height, width, groups, multiplier = values.shape
            values = values.transpose(2, 3, 0, 1).reshape(groups * multiplier, 1, height, width)
        else:
            groups = 1
            values = values.transpose(3, 2, 0, 1)
        fused = [
            _text(kind) for kind in node["attr"].get("fused_ops", {}).get("list", {}).get("s", [])
        ]
        operands = [self._values[image], self._constant(values)]
        if fused and fused.pop(0) != "BiasAdd":
            raise UnknownLayer(f"{node['name']}: a fused convolution without a bias")
        if rest:
            operands.append(self._constant(self._weights[rest[0]].reshape(-1)))
        value = self._operation(
            "Conv",
            *operands,
            strides=_spatial(node, "strides"),
            dilations=_spatial(node, "dilations"),
            group=groups,
            auto_pad=_auto_pad(node),
        )
        for kind in fused:
            if kind == "Prelu":
                value = self._operation("PRelu", value, self._slope(rest[1]))
            elif kind in _FUSED_ACTIVATIONS:
                value = self._operation(_FUSED_ACTIVATIONS[kind], value)
            else:
                raise UnknownLayer(f"{node['name']}: fused {kind}")
        return value

    def _slope(self, name: str) -> str:
        """PReLU's slopes, one a channel."""
        return self._constant(self._weights[name].reshape(-1, 1, 1))

    def _reshape(self, node: Node) -> str:
        original, shape = _inputs(node)
        value = self._values[original]
        if original in self._images:
            value = self._operation("Transpose", value, perm=_TO_NHWC)
        return self._operation("Reshape", value, self._constant(self._weights[shape], np.int64))
