"""The arrays of an index and their file format.

Format: magic number, version, header length and SHA-256, a JSON header with type, length, offset
and CRC-32 of each array, then the arrays, each aligned to 64 bytes. The file is memory-mapped, so
processes that open the same file share its pages.
"""

import hashlib
import json
import mmap
import os
import tempfile
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acredita.engines.screening.entries import DamagedIndex

_MAGIC = b"ACRSCREEN"
# Increase it when the arrays change, or when names are parsed or weighted differently.
_VERSION = 3
_ALIGNMENT = 64
_DIGEST = 32
_START = len(_MAGIC) + 1 + 8 + _DIGEST
_LONGEST_HEADER = 1 << 20
_FEW = 8

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Tables:
    """V words in order of length, N names, E entries; offsets have one element more than items.

    Texts are UTF-8, one after the other, with offsets of bytes.
    """

    words_text: Array  # uint8: the vocabulary, one word per line
    word_letters: Array  # uint64[V]: bit set of the letters and digits
    word_lengths: Array  # int32[64]: the first word of each length
    word_weight: Array  # float32[V + 1]: rarity; the last element stands for no word
    word_family: Array  # float32[V + 1]: share of uses as a family name; 0.5 if unknown
    keys_text: Array  # uint8: phonetic keys of the words, in order of length, one per line
    key_letters: Array  # uint64[K]
    key_lengths: Array  # int32[64]
    key_start: Array  # int32[K + 1]
    key_word: Array  # int32[V]: the words of each key
    script_hash: Array  # uint64, sorted: sounds of the words in other scripts, scripts.py
    script_word: Array  # int32: the words in the order of script_hash
    posting_start: Array  # int64[V + 1]
    posting_name: Array  # int32: names that contain the word
    name_start: Array  # int64[N + 1]
    name_word: Array  # int32: the words of names, in order
    name_role: Array  # uint8: role of each word in the list: 0 unknown, 1 given, 2 family
    name_weight: Array  # float32[N]: sum over its words
    name_entry: Array  # int32[N]
    name_kind: Array  # uint8[N]: index into NAME_KINDS
    name_by_sound: Array  # bool[N]
    name_text: Array  # uint8
    name_text_start: Array  # int64[N + 1]
    bag_hash: Array  # uint64[N], sorted: order-independent hashes of the names' words
    bag_name: Array  # int32[N]: the names in the order of bag_hash
    entry_type: Array  # uint8[E]: index into ENTITY_TYPES
    entry_list: Array  # uint16[E]: index into the lists' names
    entry_text: Array  # uint8: JSON, evidence.Known
    entry_text_start: Array  # int64[E + 1]
    identifier_hash: Array  # uint64, sorted
    identifier_entry: Array  # int32
    lists_text: Array  # uint8: JSON of the lists' names
    # uint8: codes of the vowels of each of script_word. Files of release 0.1.0 have none.
    script_vowels: Array = field(default_factory=lambda: np.empty(0, np.uint8))
    script_vowels_start: Array = field(default_factory=lambda: np.empty(0, np.int32))


def write(tables: Tables, path: Path) -> None:
    """Write the file atomically: after a crash the former file is intact."""
    arrays = {each.name: _plain(getattr(tables, each.name)) for each in fields(tables)}
    sections, place = {}, 0
    for name, array in arrays.items():
        sections[name] = {
            "type": array.dtype.str,
            "length": len(array),
            "place": place,
            "checksum": zlib.crc32(array.data),
        }
        place += -(-array.nbytes // _ALIGNMENT) * _ALIGNMENT
    header = json.dumps({"version": _VERSION, "size": place, "sections": sections}).encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(_MAGIC + bytes([_VERSION]) + len(header).to_bytes(8, "big"))
            file.write(hashlib.sha256(header).digest() + header)
            file.write(bytes(-file.tell() % _ALIGNMENT))
            for array in arrays.values():
                file.write(array.data)
                file.write(bytes(-array.nbytes % _ALIGNMENT))
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def read(path: Path) -> Tables:
    """Map the file and verify the checksum of every array. Raise DamagedIndex, OSError."""
    with path.open("rb") as file:
        header, body = _header(file.read(_START + _LONGEST_HEADER), path)
        size = os.fstat(file.fileno()).st_size
        if size != body + header["size"]:
            raise DamagedIndex(f"{path}: {size} bytes instead of {body + header['size']}")
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    return Tables(**_arrays(mapped, header["sections"], body, path))


def _plain(array: Array) -> Array:
    return np.ascontiguousarray(array)


def _header(start: bytes, path: Path) -> tuple[dict[str, Any], int]:
    if start[: len(_MAGIC)] != _MAGIC or len(start) < _START:
        raise DamagedIndex(f"{path}: not an index of watchlists")
    if start[len(_MAGIC)] != _VERSION:
        raise DamagedIndex(f"{path}: version {start[len(_MAGIC)]} instead of {_VERSION}")
    length = int.from_bytes(start[len(_MAGIC) + 1 : len(_MAGIC) + 9], "big")
    text = start[_START : _START + length]
    if hashlib.sha256(text).digest() != start[_START - _DIGEST : _START]:
        raise DamagedIndex(f"{path}: the header is damaged")
    header: dict[str, Any] = json.loads(text)
    return header, -(-(_START + length) // _ALIGNMENT) * _ALIGNMENT


def _arrays(
    mapped: mmap.mmap, sections: dict[str, dict[str, Any]], body: int, path: Path
) -> dict[str, Array]:
    found = {}
    for name in sections.keys() & {each.name for each in fields(Tables)}:
        section = sections[name]
        array = np.frombuffer(
            mapped, np.dtype(section["type"]), section["length"], body + section["place"]
        )
        if zlib.crc32(array.data) != section["checksum"]:
            raise DamagedIndex(f"{path}: {name} is damaged")
        found[name] = array
    return found


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def packed(texts: Iterable[str]) -> tuple[Array, Array]:
    """Concatenate texts in UTF-8: (bytes, uint8; n + 1 offsets, int64)."""
    encoded = [text.encode(errors="replace") for text in texts]
    ends = np.cumsum([0, *map(len, encoded)], dtype=np.int64)
    return np.frombuffer(b"".join(encoded), np.uint8), ends


def equal(ordered: Array, items: Array, value: int) -> Array:
    """The items at the positions where the sorted array `ordered`, uint64, equals `value`."""
    first, last = span(ordered, value)
    return items[first:last]


def span(ordered: Array, value: int) -> tuple[int, int]:
    """First position, and the one after the last, where the sorted uint64 array equals `value`."""
    wanted = np.uint64(value)
    first = int(ordered.searchsorted(wanted))
    if first == len(ordered) or ordered[first] != wanted:
        return first, first
    return first, int(ordered.searchsorted(wanted, "right"))


def ranges(starts: Array, counts: Array) -> Array:
    """The numbers from starts[i] on, counts[i] of them, of each i in turn: intp."""
    ends = counts.cumsum()
    offsets: Array = (starts - ends + counts).repeat(counts)
    return offsets + np.arange(len(offsets))


def among(items: Array, wanted: set[int]) -> Array:
    """bool[n]: whether each item is wanted. Usually one or two are, for which isin is slow."""
    if len(wanted) <= _FEW:
        compared: Array = (items[:, None] == np.array(list(wanted))).any(1)
        return compared
    return np.isin(items, list(wanted))


def unpacked(text: Array, start: Array, place: int) -> str:
    """Text number `place` of packed texts."""
    return bytes(text[start[place] : start[place + 1]]).decode()
