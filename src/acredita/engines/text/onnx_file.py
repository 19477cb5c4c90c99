"""Read and write the fields of an ONNX file, which is a Protocol Buffers message.

The package that parses such files is only needed where models are converted.
"""

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

# The numbers of fields in onnx.proto.
GRAPH = 7  # of ModelProto

_MALFORMED: Final = "the file is not an ONNX model"
_VARINT, _EIGHT_BYTES, _LENGTH, _FOUR_BYTES = 0, 1, 2, 5


class Field(NamedTuple):
    """A field of a message; `whole` is the field as it is encoded, with its tag."""

    number: int
    value: bytes | int
    whole: bytes

    @property
    def content(self) -> bytes:
        """The value of a field that is no number. Raise ValueError for a number."""
        if isinstance(self.value, int):
            raise ValueError(_MALFORMED)  # noqa: TRY004
        return self.value


def fields(message: bytes) -> Iterator[Field]:
    """Yield the fields of a message. Raise ValueError if it is none."""
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
                raise ValueError(_MALFORMED)
            value = message[at : at + length]
            if len(value) < length:
                raise ValueError(_MALFORMED)
            at += length
        yield Field(number, value, message[start:at])


def edited(message: bytes, number: int, edit: Callable[[bytes], bytes]) -> bytes:
    """Return the message with the content of each field of that number edited."""
    return b"".join(
        encoded(number, edit(field.content)) if field.number == number else field.whole
        for field in fields(message)
    )


def integers(packed: bytes) -> list[int]:
    """Return the numbers of a packed field."""
    values, at = [], 0
    while at < len(packed):
        value, at = _read_varint(packed, at)
        values.append(value)
    return values


def encoded(number: int, content: bytes | int) -> bytes:
    """Return a field with its tag."""
    if isinstance(content, int):
        return _varint(number << 3 | _VARINT) + _varint(content)
    return _varint(number << 3 | _LENGTH) + _varint(len(content)) + content


def _read_varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        if at >= len(data):
            raise ValueError(_MALFORMED)
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
