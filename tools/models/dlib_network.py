"""From dlib's file of its residual face network to ONNX.

The file holds each layer's name and parameters, from the picture to the 128 numbers. What the
layers are to each other is dlib's `anet_type` (examples/dnn_face_recognition_ex.cpp): 29
convolutions, each with an affine layer that stands for its normalization, in fourteen residual
blocks.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

SIDE = 150
NUMBERS = 128
# dlib's means of red, green, blue; the rest is divided by 256.
_MEANS = (122.782, 117.001, 104.298)
_SCALE = 256.0
# Filters and stride of the first convolution of each block; the second one's stride is 1.
_BLOCKS = (
    *[(32, 1)] * 3,
    *[(64, 2), (64, 1), (64, 1), (64, 1)],
    *[(128, 2), (128, 1), (128, 1)],
    *[(256, 2), (256, 1), (256, 1)],
    (256, 2),
)

Array = NDArray[np.float32]


def convert(weights: Path) -> onnx.ModelProto:
    """Of pictures (n × 150 × 150 × 3, RGB, 0 to 255) it makes `numbers` (n × 128)."""
    return _Graph(weights.read_bytes()).model()


class _Graph:
    def __init__(self, content: bytes) -> None:
        self._convolutions = _tensors(content, b"con_4")
        self._affine = _tensors(content, b"affine_")
        (self._last,) = _tensors(content, b"fc_2", skipped_numbers=2)
        self._nodes: list[onnx.NodeProto] = []
        self._constants: list[onnx.TensorProto] = []
        # Rows and columns of what is computed so far.
        self._side = SIDE

    def model(self) -> onnx.ModelProto:
        picture = self._add("Transpose", "picture", perm=[0, 3, 1, 2])
        means = np.array(_MEANS, np.float32).reshape(1, 3, 1, 1)
        centred = self._add("Sub", picture, self._constant(means))
        seen = self._add("Div", centred, self._constant(np.array([_SCALE], np.float32)))
        value = self._add("Relu", self._convolve(seen, 32, channels=3, side=7, stride=2))
        value = self._add("MaxPool", value, kernel_shape=[3, 3], strides=[2, 2])
        self._side = (self._side - 3) // 2 + 1
        channels = 32
        for filters, stride in _BLOCKS:
            value = self._block(value, channels, filters, stride)
            channels = filters
        mean = self._add("GlobalAveragePool", value)
        flat = self._add("Flatten", mean)
        matrix = self._constant(self._last.reshape(channels, NUMBERS))
        self._nodes.append(helper.make_node("MatMul", [flat, matrix], ["numbers"]))
        graph = helper.make_graph(
            self._nodes,
            "embedding",
            [helper.make_tensor_value_info("picture", TensorProto.FLOAT, ["n", SIDE, SIDE, 3])],
            [helper.make_tensor_value_info("numbers", TensorProto.FLOAT, ["n", NUMBERS])],
            self._constants,
        )
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
        onnx.checker.check_model(model)
        return model

    def _block(self, value: str, channels: int, filters: int, stride: int) -> str:
        """What comes in, pooled where the block makes it smaller, is added to what is made of it;
        dlib takes what one of the two lacks, in channels, rows or columns, for zeros."""
        side = self._side
        made = self._add("Relu", self._convolve(value, filters, channels=channels, stride=stride))
        made = self._convolve(made, filters, channels=filters)
        if stride == 2:
            value = self._add("AveragePool", value, kernel_shape=[2, 2], strides=[2, 2])
            side //= 2
            value = self._padded(value, filters - channels, 0)
            made = self._padded(made, 0, side - self._side)
            self._side = side
        return self._add("Relu", self._add("Add", value, made))

    def _convolve(
        self, value: str, filters: int, *, channels: int, side: int = 3, stride: int = 1
    ) -> str:
        """A convolution, the affine layer after it reckoned in. dlib pads where no stride is."""
        parameters, affine = next(self._convolutions), next(self._affine)
        weights = parameters[:-filters].reshape(filters, channels, side, side)
        gamma, beta = affine[:filters], affine[filters:]
        margin = side // 2 if stride == 1 else 0
        self._side = (self._side + 2 * margin - side) // stride + 1
        return self._add(
            "Conv",
            value,
            self._constant(weights * gamma[:, None, None, None]),
            self._constant(parameters[-filters:] * gamma + beta),
            kernel_shape=[side, side],
            strides=[stride, stride],
            pads=[margin] * 4,
        )

    def _padded(self, value: str, channels: int, side: int) -> str:
        if not channels and not side:
            return value
        pads = np.array([0, 0, 0, 0, 0, channels, side, side], np.int64)
        return self._add("Pad", value, self._constant(pads))

    def _constant(self, values: NDArray[Any]) -> str:
        name = f"constant{len(self._constants)}"
        self._constants.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def _add(self, operation: str, *inputs: str, **attributes: Any) -> str:
        name = f"value{len(self._nodes)}"
        self._nodes.append(helper.make_node(operation, inputs, [name], **attributes))
        return name


def _tensors(content: bytes, layer: bytes, *, skipped_numbers: int = 0) -> Iterator[Array]:
    """The parameters of the layers of that name, in their order."""
    # A text is written with its length before it, a number with its own length in bytes.
    mark = bytes([1, len(layer)]) + layer
    at = content.find(mark)
    while at >= 0:
        at += len(mark)
        for _ in range(skipped_numbers):
            _, at = _number(content, at)
        version, at = _number(content, at)
        if version != 2:
            raise ValueError(f"{layer.decode()}: tensors of version {version} are not known")
        size = 1
        for _ in range(4):
            length, at = _number(content, at)
            size *= length
        yield np.frombuffer(content, "<f4", size, at)
        at = content.find(mark, at + 4 * size)


def _number(content: bytes, at: int) -> tuple[int, int]:
    length = content[at]
    return int.from_bytes(content[at + 1 : at + 1 + length], "little"), at + 1 + length
