"""The largest cost of a condition, estimated from its compiled form.

A measurement shows the cost on one input alone: an operand that ends an evaluation early there,
such as an error in a comprehension or an unequal first item, ends it late on another. So the
estimate assumes that every operand is evaluated, every comprehension runs to its end, and every
comparison reads all of the smaller side. It is the same on every machine.

The compiled form is a `cel.expr.CheckedExpr` of protobuf in a `google.protobuf.Any`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import reduce
from typing import Final

from acredita.domain.policies import patterns

# Nanoseconds, measured on one core and rounded up: of an operator, of another function, of an
# iteration, of an item that is copied or compared, and of a character of it.
OF_OPERATOR: Final = 150
OF_FUNCTION: Final = 500
OF_ITERATION: Final = 150
OF_ITEM: Final = 60
OF_CHARACTER: Final = 1
# Of a character that is counted, or looked for in each place of another text.
OF_COUNTED: Final = 2
OF_PLACE: Final = 0.015
# Of an instruction of a pattern, for each character. A pattern is compiled each time, which takes
# as long as so many characters.
OF_INSTRUCTION: Final = 9
OF_COMPILING: Final = 100
_TEXTS: Final = (6, 7)
_COMPARISONS: Final = ("_==_", "_!=_", "_<_", "_<=_", "_>_", "_>=_", "startsWith", "endsWith")
_OPERATORS: Final = ("_", "-", "!", "@")
_BRANCHES: Final = ("_?_:_", "_||_", "_&&_")


class _Kind(IntEnum):
    """The fields of `cel.expr.Expr`, of which an expression has one."""

    CONSTANT = 3
    NAME = 4
    SELECTION = 5
    CALL = 6
    LIST = 7
    MAP = 8
    COMPREHENSION = 9


_KINDS: Final = frozenset(_Kind)


@dataclass(frozen=True, slots=True)
class Extent:
    """How large a value can be: its items or characters, the nanoseconds that copying or comparing
    all of it takes, and its largest item; None for what has no items.
    """

    length: int = 0
    weight: float = OF_ITEM
    item: "Extent | None" = None
    # Whether an item is found by its key, without looking at the others.
    is_map: bool = False


SCALAR: Final = Extent()
_NOTHING: Final = Extent(weight=0)


def text_of(characters: int) -> Extent:
    return Extent(characters, OF_ITEM + characters * OF_CHARACTER)


def list_of(items: int, item: Extent) -> Extent:
    return Extent(items, items * item.weight, item)


def map_of(entries: int, text: Extent) -> Extent:
    """A map whose keys and values are such texts."""
    return Extent(entries, 2 * entries * text.weight, text, is_map=True)


@dataclass(frozen=True, slots=True)
class Cost:
    seconds: float
    # Of all comprehensions together.
    iterations: int


def estimate(compiled: bytes, variables: Mapping[str, Extent]) -> Cost:
    """Return the largest cost of a compiled condition on variables of these extents."""
    checked = _message(dict(_fields(compiled))[2])
    estimate = _Estimate(variables)
    estimate.visit(_message(dict(_fields(checked))[4]))
    return Cost(estimate.nanoseconds / 1e9, estimate.iterations)


class _Estimate:
    def __init__(self, variables: Mapping[str, Extent]) -> None:
        self._known = variables
        # How often the part that is visited is evaluated.
        self._times = 1
        self.nanoseconds = 0.0
        self.iterations = 0

    def visit(self, expression: bytes) -> Extent:
        """Add the cost of an expression. Return how large its value can be."""
        # The other fields are its number.
        kind, value = next(field for field in _fields(expression) if field[0] in _KINDS)
        content = _message(value)
        match _Kind(kind):
            case _Kind.CONSTANT:
                extent = _constant(content)
            case _Kind.NAME:
                # Others are names of types.
                extent = self._known.get(_message(dict(_fields(content))[1]).decode(), SCALAR)
            case _Kind.SELECTION:
                operand = self.visit(_message(dict(_fields(content))[1]))
                extent = self._call("_[_]", [operand, SCALAR])
            case _Kind.CALL:
                extent = self._visit_call(content)
            case _Kind.LIST | _Kind.MAP:
                extent = self._visit_items(content, is_map=kind == _Kind.MAP)
            case _Kind.COMPREHENSION:
                extent = self._visit_comprehension(dict(_fields(content)))
        return extent

    def _add(self, nanoseconds: float) -> None:
        self.nanoseconds += nanoseconds * self._times

    def _visit_call(self, call: bytes) -> Extent:
        parts = list(_fields(call))
        name = next(_message(value).decode() for number, value in parts if number == 2)
        operands = [_message(value) for number, value in parts if number in (1, 3)]
        extents = [self.visit(operand) for operand in operands]
        if name == "matches":
            pattern = dict(_fields(operands[-1])).get(_Kind.CONSTANT, b"")
            literal = dict(_fields(_message(pattern))).get(_TEXTS[0], b"")
            size = patterns.size(_message(literal).decode())
            # Two more instructions: its beginning and its end.
            self._add(OF_FUNCTION)
            self._add(OF_INSTRUCTION * (size + 2) * (extents[0].length + OF_COMPILING))
            return SCALAR
        return self._call(name, extents)

    def _call(self, name: str, operands: Sequence[Extent]) -> Extent:
        self._add(OF_OPERATOR)
        last = operands[-1]
        if name in _COMPARISONS:
            self._add(min(each.weight for each in operands))
        elif name in _BRANCHES:
            return reduce(_larger, operands)
        elif name == "@in":
            needle = operands[0].weight
            item = last.item or last
            self._add(needle if last.is_map else last.length * min(needle, item.weight))
        elif name == "_[_]":
            self._add(last.weight)
            return operands[0].item or operands[0]
        elif name == "_+_":
            self._add(sum(map(_weight, operands)))
            return _joined(operands)
        elif name == "contains":
            self._add(OF_PLACE * operands[0].length * last.length)
        elif name == "size":
            self._add(OF_COUNTED * last.length)
        elif not name.startswith(_OPERATORS):
            self._add(OF_FUNCTION + OF_COUNTED * sum(map(_weight, operands)))
            return _joined(operands)
        return SCALAR

    def _visit_items(self, value: bytes, *, is_map: bool) -> Extent:
        number, parts = (2, (3, 4)) if is_map else (1, ())
        items = [_message(item) for place, item in _fields(value) if place == number]
        extents = [
            self.visit(part)
            for item in items
            for part in (
                [_message(each) for place, each in _fields(item) if place in parts]
                if is_map
                else [item]
            )
        ]
        self._add(OF_OPERATOR + sum(map(_weight, extents)))
        largest = reduce(_larger, extents) if extents else None
        return Extent(len(items), sum(map(_weight, extents)), largest, is_map=is_map)

    def _visit_comprehension(self, parts: Mapping[int, int | bytes]) -> Extent:
        over = self.visit(_message(parts[2]))
        start = self.visit(_message(parts[4]))
        known, times = self._known, self._times
        variables = [_message(parts.get(number, b"")).decode() for number in (1, 8)]
        result = _message(parts[3]).decode()
        self._times *= over.length
        self.iterations += self._times
        self._add(OF_ITERATION)
        item = over.item or SCALAR
        # Of a list that grows, what an iteration adds: the library does not copy the rest.
        self._known = {**known, **dict.fromkeys(variables, item), result: _NOTHING}
        self.visit(_message(parts[5]))
        added = self.visit(_message(parts[6]))
        self._times = times
        total = Extent(
            start.length + over.length * added.length,
            start.weight + over.length * added.weight,
            added.item or start.item,
        )
        self._known = {**known, result: total if added.length else SCALAR}
        found = self.visit(_message(parts[7]))
        self._known = known
        return found


def _constant(value: bytes) -> Extent:
    for kind, text in _fields(value):
        if kind in _TEXTS:
            return text_of(len(_message(text)))
    return SCALAR


def _joined(operands: Sequence[Extent]) -> Extent:
    return Extent(
        sum(each.length for each in operands),
        sum(map(_weight, operands)),
        reduce(_larger, operands).item,
    )


def _larger(one: Extent, other: Extent) -> Extent:
    """Return the extent of a value that is one or the other."""
    items = [each.item for each in (one, other) if each.item is not None]
    return Extent(
        max(one.length, other.length),
        max(one.weight, other.weight),
        reduce(_larger, items) if items else None,
        is_map=one.is_map and other.is_map,
    )


def _weight(extent: Extent) -> float:
    return extent.weight


def _fields(message: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Yield the fields of a message of protobuf. Those of a fixed size are skipped."""
    place = 0
    while place < len(message):
        tag, place = _number(message, place)
        kind = tag & 7
        if kind in (1, 5):
            place += 8 if kind == 1 else 4
            continue
        value, place = _number(message, place)
        if kind == 2:
            yield tag >> 3, message[place : place + value]
            place += value
        else:
            yield tag >> 3, value


def _number(message: bytes, place: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = message[place]
        value |= (byte & 127) << shift
        place, shift = place + 1, shift + 7
        if byte < 128:
            return value, place


def _message(value: int | bytes) -> bytes:
    if isinstance(value, int):
        raise TypeError("a field with a length is expected")
    return value
