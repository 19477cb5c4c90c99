"""Let a recognition network take lines of another height than the one that it was trained with.

The network takes lines of 48 rows. Its convolutions work with any number, and reduce 48 rows to
three, whose mean one layer computes together with that of every two columns. That layer is
replaced by one that computes the mean of all rows, so that 32 rows work as well, in less than half
of the time. With 48 rows, the network computes the same as before.
"""

from typing import Final

from acredita.engines.text.onnx_file import GRAPH, Field, edited, encoded, fields

# The numbers of fields in onnx.proto.
_NODE, _INPUT, _KNOWN_SHAPE = 1, 11, 13  # of GraphProto
_FROM, _TO, _OPERATOR, _ATTRIBUTE = 1, 2, 4, 5  # of NodeProto
_NAME, _INTEGER, _INTEGERS, _KIND = 1, 3, 8, 20  # of AttributeProto
_IS_INTEGER, _ARE_INTEGERS = 2, 7  # of AttributeProto.AttributeType
_TYPE: Final = 2  # of ValueInfoProto
_TENSOR: Final = 1  # of TypeProto
_SHAPE: Final = 2  # of TypeProto.Tensor
_DIMENSION: Final = 1  # of TensorShapeProto
_DIMENSION_NAME: Final = 2  # of TensorShapeProto.Dimension
_ROWS_AXIS: Final = 2
_MEANS: Final = (b"kernel_shape", b"strides")
_OF_TWO_COLUMNS: Final = (1, 2)


def with_any_height(model: bytes) -> bytes:
    """Return the ONNX file for input of shape (1, 3, rows, columns) with any number of rows from 16
    on, a multiple of 16. Raise ValueError if the file has no such layer."""
    return edited(model, GRAPH, _of_any_height)


def _of_any_height(graph: bytes) -> bytes:
    parts, replaced = [], 0
    for field in fields(graph):
        if field.number == _NODE and _operator(field) == b"AveragePool":
            parts += _means(field)
            replaced += 1
        elif field.number == _INPUT:
            parts.append(_with_any_rows(field))
        elif field.number != _KNOWN_SHAPE:  # those of all other layers depend on the height
            parts.append(field.whole)
    if replaced != 1:
        raise ValueError("the network has no single layer that computes means of rows")
    return b"".join(parts)


def _operator(node: Field) -> bytes:
    return next((part.content for part in fields(node.content) if part.number == _OPERATOR), b"")


def _means(pool: Field) -> list[bytes]:
    """Return two layers instead of one: the mean of every two columns, then that of all rows."""
    between, parts, after = b"means of columns", [], b""
    for part in fields(pool.content):
        if part.number == _TO:
            after = part.content
            parts.append(encoded(_TO, between))
        elif part.number == _ATTRIBUTE and (name := _name(part)) in _MEANS:
            parts.append(_list_attribute(name, _OF_TWO_COLUMNS))
        else:
            parts.append(part.whole)
    keep = [encoded(_NAME, b"keepdims"), encoded(_INTEGER, 1), encoded(_KIND, _IS_INTEGER)]
    rows = [
        *(encoded(_FROM, between), encoded(_TO, after), encoded(_OPERATOR, b"ReduceMean")),
        *(_list_attribute(b"axes", (_ROWS_AXIS,)), encoded(_ATTRIBUTE, b"".join(keep))),
    ]
    return [encoded(_NODE, b"".join(parts)), encoded(_NODE, b"".join(rows))]


def _name(attribute: Field) -> bytes:
    return next((part.content for part in fields(attribute.content) if part.number == _NAME), b"")


def _list_attribute(name: bytes, values: tuple[int, ...]) -> bytes:
    listed = [encoded(_INTEGERS, value) for value in values]
    kind = encoded(_KIND, _ARE_INTEGERS)
    return encoded(_ATTRIBUTE, b"".join([encoded(_NAME, name), *listed, kind]))


def _with_any_rows(network_input: Field) -> bytes:
    def of_shape(shape: bytes) -> bytes:
        sizes = [field.whole for field in fields(shape)]
        if len(sizes) != 4:
            raise ValueError("the network takes no images")
        sizes[_ROWS_AXIS] = encoded(_DIMENSION, encoded(_DIMENSION_NAME, b"rows"))
        return b"".join(sizes)

    def of_tensor(tensor: bytes) -> bytes:
        return edited(tensor, _SHAPE, of_shape)

    value = edited(network_input.content, _TYPE, lambda kind: edited(kind, _TENSOR, of_tensor))
    return encoded(_INPUT, value)
