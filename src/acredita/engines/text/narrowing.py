"""Leave out the characters of a recognition network that no document in question has.

The last layer of the network has a column for each of 18,710 characters, and 15,908 of these are
Chinese. On Latin print their probabilities sum to less than 0.01 at every character (2,443 of drawn
cards and passports), yet the layer and its softmax take a fifth of the time. Without these columns,
the others keep their probabilities.
"""

import math
from collections.abc import Callable
from typing import Final

import numpy as np

from acredita.engines.text.onnx_file import GRAPH, edited, encoded, fields, integers

# The numbers of fields in onnx.proto.
_METADATA = 14  # of ModelProto
_KEY, _VALUE = 1, 2  # of StringStringEntryProto
_INITIALIZER: Final = 5  # of GraphProto
_DIMS, _RAW_DATA = 1, 9  # of TensorProto
_DICTIONARY: Final = b"character"


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
    cut = edited(model, GRAPH, lambda graph: _cut_graph(graph, len(characters), places))
    return cut, [characters[place] for place in places]


def _dictionary(model: bytes) -> list[str]:
    for field in fields(model):
        if field.number == _METADATA:
            entry = {part.number: part.value for part in fields(field.content)}
            if entry.get(_KEY) == _DICTIONARY:
                return bytes(entry[_VALUE]).decode("utf-8").splitlines()
    raise ValueError("the network names no characters")


def _cut_graph(graph: bytes, columns: int, places: list[int]) -> bytes:
    parts, cut = [], 0
    for field in fields(graph):
        tensor = field.content if field.number == _INITIALIZER else b""
        dims = _dims(tensor)
        if dims and dims[-1] == columns:
            cut += 1
            parts.append(encoded(_INITIALIZER, _cut_tensor(tensor, dims, places)))
        else:
            parts.append(field.whole)
    if cut != 2:
        raise ValueError("the network has no last layer of weights and a bias per character")
    return b"".join(parts)


def _dims(tensor: bytes) -> list[int]:
    found: list[int] = []
    for field in fields(tensor):
        if field.number == _DIMS:
            packed = field.value
            found += [packed] if isinstance(packed, int) else integers(packed)
    return found


def _cut_tensor(tensor: bytes, dims: list[int], places: list[int]) -> bytes:
    raw = next((field.value for field in fields(tensor) if field.number == _RAW_DATA), b"")
    if isinstance(raw, int) or len(raw) != 4 * math.prod(dims):
        raise ValueError("the last layer is not float32")
    kept = np.frombuffer(raw, "<f4").reshape(dims)[..., places]
    rest = [field.whole for field in fields(tensor) if field.number not in (_DIMS, _RAW_DATA)]
    sizes = [encoded(_DIMS, size) for size in kept.shape]
    return b"".join([*sizes, *rest, encoded(_RAW_DATA, kept.tobytes())])
