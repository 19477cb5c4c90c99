"""Leave out the characters of a recognition network that no document in question has.

The last layer of the network has a column for each of 18,710 characters, and 15,908 of these are
Chinese. On Latin print their probabilities sum to less than 0.01 at every character (2,443 of drawn
cards and passports), yet the layer and its softmax take a fifth of the time. Without these columns,
the others keep their probabilities.

The network is an ONNX file, a Protocol Buffers message. This module edits its bytes, because the
package that parses them is only needed where models are converted.
"""

import math
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

import numpy as np

_VARINT, _EIGHT_BYTES, _LENGTH, _FOUR_BYTES = 0, 1, 2, 5
# The numbers of fields in onnx.proto.
_GRAPH, _METADATA = 7, 14  # of ModelProto
_KEY, _VALUE = 1, 2  # of StringStringEntryProto
_INITIALIZER: Final = 5  # of GraphProto
_DIMS, _RAW_DATA = 1, 9  # of TensorProto
_DICTIONARY: Final = b"character"


class _Field(NamedTuple):
    number: int
    value: bytes | int
    whole: bytes
    """The field as it is encoded, with its tag."""


def narrowed(model: bytes, is_kept: Callable[[str], bool]) -> tuple[bytes, list[str]]:
    """Return the ONNX file with the columns of the kept characters, and what each column means: ""
    for no character, and last a blank. Raise ValueError if the file has no such last layer.
    """
    characters = ["", *_dictionary(model), " "]
    places = [
        place
        for place, character in enumerate(characters)
        if character in ("", " ") or is_kept(character)
    ]
    parts = [
        _encoded(_GRAPH, _cut_graph(_bytes(field), len(characters), places))
        if field.number == _GRAPH
        else field.whole
        for field in _fields(model)
    ]
    return b"".join(parts), [characters[place] for place in places]


def _dictionary(model: bytes) -> list[str]:
    for field in _fields(model):
        if field.number == _METADATA:
            entry = {part.number: part.value for part in _fields(_bytes(field))}
            if entry.get(_KEY) == _DICTIONARY:
                return bytes(entry[_VALUE]).decode("utf-8").splitlines()
    raise ValueError("the network names no characters")


def _cut_graph(graph: bytes, columns: int, places: list[int]) -> bytes:
    parts, cut = [], 0
    for field in _fields(graph):
        tensor = _bytes(field) if field.number == _INITIALIZER else b""
        dims = _dims(tensor)
        if dims and dims[-1] == columns:
            cut += 1
            parts.append(_encoded(_INITIALIZER, _cut_tensor(tensor, dims, places)))
        else:
            parts.append(field.whole)
    if cut != 2:
        raise ValueError("the network has no last layer of weights and a bias per character")
    return b"".join(parts)


def _dims(tensor: bytes) -> list[int]:
    found: list[int] = []
    for field in _fields(tensor):
        if field.number == _DIMS:
            packed = field.value
            found += [packed] if isinstance(packed, int) else _varints(packed)
    return found


def _cut_tensor(tensor: bytes, dims: list[int], places: list[int]) -> bytes:
    raw = next((field.value for field in _fields(tensor) if field.number == _RAW_DATA), b"")
    if isinstance(raw, int) or len(raw) != 4 * math.prod(dims):
        raise ValueError("the last layer is not float32")
    kept = np.frombuffer(raw, "<f4").reshape(dims)[..., places]
    rest = [field.whole for field in _fields(tensor) if field.number not in (_DIMS, _RAW_DATA)]
    sizes = [_varint(_DIMS << 3 | _VARINT) + _varint(size) for size in kept.shape]
    return b"".join([*sizes, *rest, _encoded(_RAW_DATA, kept.tobytes())])


def _fields(message: bytes) -> Iterator[_Field]:
    at = 0
    while at < len(message):
        start = at
        tag, at = _read_varint(message, at)
        number, kind = tag >> 3, tag & 7
        value: bytes | int
        if kind == _VARINT:
            value, at = _read_varint(message, at)
        else:
            if kind == _LENGTH:
                length, at = _read_varint(message, at)
            elif kind in (_EIGHT_BYTES, _FOUR_BYTES):
                length = 8 if kind == _EIGHT_BYTES else 4
            else:
                raise ValueError("the file is not an ONNX model")
            value = message[at : at + length]
            at += length
        yield _Field(number, value, message[start:at])


def _bytes(field: _Field) -> bytes:
    if isinstance(field.value, int):
        raise ValueError("the file is not an ONNX model")  # noqa: TRY004
    return field.value


def _varints(packed: bytes) -> list[int]:
    values, at = [], 0
    while at < len(packed):
        value, at = _read_varint(packed, at)
        values.append(value)
    return values


def _read_varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        if at >= len(data):
            raise ValueError("the file is not an ONNX model")
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def _varint(value: int) -> bytes:
    parts = []
    while value >= 0x80:
        parts.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*parts, value])


def _encoded(number: int, content: bytes) -> bytes:
    return _varint(number << 3 | _LENGTH) + _varint(len(content)) + content
