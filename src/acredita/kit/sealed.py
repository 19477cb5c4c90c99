"""Sealed columns: a mapped column of ciphertext, and the accessor that knows its context.

    class Note(Base):
        id: Mapped[UUID] = mapped_column(primary_key=True)
        text_sealed: Mapped[SealedBytes]
        text = Sealed("note:{id}", TEXT)

`Note.text.seal(keys, note_id, "...")` makes the value of `text_sealed`, `Note.text.open(keys,
note_id, sealed)` reads it, and a loaded row does both for itself: `note.text.open(keys)`,
`note.text.seal(keys, "...")`. The context is the authenticated data of `KeyRing.seal`: a value that
is copied to another row does not open there. Nothing but an accessor makes `SealedBytes`, and the
column refuses all other bytes.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from string import Formatter
from typing import Any, Generic, NoReturn, Self, TypeVar, cast, overload
from uuid import UUID

import orjson
from pydantic import TypeAdapter
from sqlalchemy import Column, Dialect, LargeBinary, Table
from sqlalchemy.orm import DeclarativeBase
from sqlalchemy.types import TypeDecorator

from acredita.kit.crypto import KeyRing

V = TypeVar("V")
RowId = UUID | int | bytes
SUFFIX = "_sealed"


class SealedBytes(bytes):
    """Ciphertext that an accessor sealed, or that a sealed column returned."""


class SealedType(TypeDecorator[SealedBytes]):
    """The column type of `SealedBytes`; other bytes, such as plaintext, raise TypeError."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> bytes | None:  # noqa: ARG002
        if value is None or isinstance(value, SealedBytes):
            return value
        raise TypeError("a sealed column takes only what its accessor sealed")

    def process_result_value(self, value: Any, dialect: Dialect) -> SealedBytes | None:  # noqa: ARG002
        return None if value is None else SealedBytes(value)


@dataclass(frozen=True, slots=True)
class Codec(Generic[V]):
    """How a value becomes the bytes that are sealed, and back."""

    dump: Callable[[V], bytes]
    load: Callable[[bytes], V]


BYTES: Codec[bytes] = Codec(bytes, bytes)
TEXT: Codec[str] = Codec(str.encode, bytes.decode)
JSON: Codec[Any] = Codec(orjson.dumps, orjson.loads)
JSON_OBJECT: Codec[dict[str, Any]] = JSON


def json_of(kind: type[V]) -> Codec[V]:
    """The codec of a dataclass, or of a list of them, as JSON that is validated when read."""
    adapter = TypeAdapter(kind)
    return Codec(adapter.dump_json, adapter.validate_json)


class SealedOfRow(Generic[V]):
    """A sealed column of one row. V includes None where the column is nullable."""

    def __init__(self, column: "SealedColumn[Any]", row: object) -> None:
        self._column, self._row = column, row

    @property
    def context(self) -> str:
        """Raise ValueError if the row has no id yet: ids are assigned when a row is flushed."""
        row_id: RowId | None = getattr(self._row, self._column.key_name)
        if row_id is None:
            raise ValueError(f"set {self._column.key_name} before {self._column.name} is sealed")
        return self._column.context(row_id)

    def seal(self, keys: KeyRing, value: V) -> None:
        """Seal the value into the row's column; None becomes NULL."""
        sealed = None if value is None else self._column.seal_in(keys, self.context, value)
        setattr(self._row, self._column.column_name, sealed)

    def open(self, keys: KeyRing) -> V:
        """The value. Raise CannotUnseal, also for NULL in a column that is not nullable."""
        sealed: bytes | None = getattr(self._row, self._column.column_name)
        if sealed is None and self._column.nullable:
            return cast("V", None)
        return cast("V", self._column.open_in(keys, self.context, sealed or b""))


class SealedColumn(Generic[V]):
    """A sealed column of a table.

    `context` names the primary key in braces (`verification:{id}:subject`). Stored values open only
    in the context in which they were sealed, so a context never changes. The column is the
    attribute `<name of the accessor>_sealed`, or `column`.
    """

    nullable = False

    def __init__(self, context: str, codec: Codec[V], *, column: str = "") -> None:
        names = [name for _, name, _, _ in Formatter().parse(context) if name]
        if len(names) != 1:
            raise ValueError(f"the context {context!r} does not name the primary key once")
        (self.key_name,) = names
        self.pattern, self.column_name = context, column
        self._codec = codec

    def __set_name__(self, owner: type[DeclarativeBase], name: str) -> None:
        self._owner = owner
        self.column_name = self.column_name or name + SUFFIX

    def __set__(self, row: object, value: NoReturn) -> NoReturn:
        raise AttributeError(f"{self.name} is set by its `seal`")

    @property
    def table(self) -> Table:
        return cast("Table", self._owner.__table__)

    @property
    def column(self) -> Column[Any]:
        return self.table.c[self.column_name]

    @property
    def key(self) -> Column[Any]:
        return self.table.c[self.key_name]

    @property
    def name(self) -> str:
        return f"{self._owner.__tablename__}.{self.column_name}"

    def context(self, row_id: RowId) -> str:
        """The context of a row's value. Bytes appear in hexadecimal."""
        written = row_id.hex() if isinstance(row_id, bytes) else row_id
        return self.pattern.format_map({self.key_name: written})

    @overload
    def seal(self, keys: KeyRing, row_id: RowId, value: None) -> None: ...
    @overload
    def seal(self, keys: KeyRing, row_id: RowId, value: V) -> SealedBytes: ...
    def seal(self, keys: KeyRing, row_id: RowId, value: V | None) -> SealedBytes | None:
        """The column's value for a row. None is NULL."""
        return None if value is None else self.seal_in(keys, self.context(row_id), value)

    def seal_many(self, keys: KeyRing, values: Sequence[tuple[RowId, V]]) -> Sequence[SealedBytes]:
        """The column's values for rows, each with its id."""
        dump, context = self._codec.dump, self.context
        written = [(dump(value), context(row_id)) for row_id, value in values]
        return [SealedBytes(sealed) for sealed in keys.seal_many(written)]

    @overload
    def open(self, keys: KeyRing, row_id: RowId, sealed: None) -> None: ...
    @overload
    def open(self, keys: KeyRing, row_id: RowId, sealed: bytes) -> V: ...
    def open(self, keys: KeyRing, row_id: RowId, sealed: bytes | None) -> V | None:
        """What a row's value contains. NULL is None. Raise CannotUnseal."""
        return None if sealed is None else self.open_in(keys, self.context(row_id), sealed)

    def digest(self, keys: KeyRing, row_id: RowId, sealed: bytes | None) -> str | None:
        """SHA-256 of what a row's value contains, hexadecimal. NULL is None. Raise CannotUnseal."""
        if sealed is None:
            return None
        return sha256(keys.unseal(sealed, context=self.context(row_id))).hexdigest()

    def reseal(self, keys: KeyRing, row_id: RowId, sealed: bytes) -> SealedBytes:
        """The same content under the newest key. Raise CannotUnseal."""
        context = self.context(row_id)
        return SealedBytes(keys.seal(keys.unseal(sealed, context=context), context=context))

    def seal_in(self, keys: KeyRing, context: str, value: V) -> SealedBytes:
        return SealedBytes(keys.seal(self._codec.dump(value), context=context))

    def open_in(self, keys: KeyRing, context: str, sealed: bytes) -> V:
        return self._codec.load(keys.unseal(sealed, context=context))


class Sealed(SealedColumn[V]):
    """A sealed column that is NOT NULL."""

    @overload
    def __get__(self, row: None, owner: type) -> Self: ...
    @overload
    def __get__(self, row: object, owner: type) -> SealedOfRow[V]: ...
    def __get__(self, row: object | None, owner: type) -> Self | SealedOfRow[V]:
        return self if row is None else SealedOfRow(self, row)


class SealedOrNull(SealedColumn[V]):
    """A sealed column that is nullable."""

    nullable = True

    @overload
    def __get__(self, row: None, owner: type) -> Self: ...
    @overload
    def __get__(self, row: object, owner: type) -> SealedOfRow[V | None]: ...
    def __get__(self, row: object | None, owner: type) -> Self | SealedOfRow[V | None]:
        return self if row is None else SealedOfRow(self, row)


def sealed_columns(base: type[DeclarativeBase]) -> Iterator[SealedColumn[Any]]:
    """All sealed columns of the models, by name.

    Raise TypeError for a sealed column without exactly one accessor, an accessor without such a
    column, of another nullability, or whose context does not name the primary key.
    """
    for mapper in sorted(base.registry.mappers, key=lambda each: each.class_.__tablename__):
        table = cast("Table", mapper.local_table)
        accessors = [
            each for each in vars(mapper.class_).values() if isinstance(each, SealedColumn)
        ]
        columns = [each.name for each in table.columns if isinstance(each.type, SealedType)]
        if sorted(columns) != sorted(each.column_name for each in accessors):
            raise TypeError(f"{table.name}: not every sealed column has one accessor")
        for accessor in accessors:
            if accessor.nullable != accessor.column.nullable:
                raise TypeError(f"{accessor.name}: accessor and column differ in nullability")
            if [each.name for each in mapper.primary_key] != [accessor.key_name]:
                raise TypeError(f"{accessor.name}: the context does not name the primary key")
            yield accessor
