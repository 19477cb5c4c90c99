"""Parse the files of a list.

This writes only a temporary file, so a bad file is found before any row of the list changes.
"""

import asyncio
import hashlib
import tempfile
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import BinaryIO

import orjson

from acredita.models import Standing
from acredita.providers.watchlists import opensanctions
from acredita.providers.watchlists.catalogue import KnownList
from acredita.providers.watchlists.formats import Format
from acredita.providers.watchlists.protocol import (
    LONGEST_NAME,
    MOST_NAMES,
    Facts,
    ListedEntity,
    ListFault,
    ListFile,
)
from acredita.resources.aml.entries.linking import link_keys_of

DIGEST_BYTES = 16
HASHED_AT_ONCE = 1 << 20


@dataclass(slots=True)
class Parsed:
    """The parsed files of a list. The entries are in an unnamed temporary file.

    `removed`: None for a whole list. For changes of a list, the source ids that left it; `entries`
    are then the new and changed ones.
    """

    format: str
    sha256: bytes
    facts: Facts
    spool: BinaryIO
    is_cancelled: Event
    # Source id → place in `digests` and `offsets`, which are compact: lists have a million entries.
    entries: dict[str, int] = field(default_factory=dict)
    digests: bytearray = field(default_factory=bytearray)
    # In the spool.
    offsets: "array[int]" = field(default_factory=lambda: array("q"))
    listed: int = 0
    removed: set[str] | None = None

    def digest_at(self, place: int) -> bytes:
        return bytes(self.digests[place * DIGEST_BYTES : (place + 1) * DIGEST_BYTES])

    def rows(self, source_ids: Iterable[str]) -> str:
        """These entries as a JSON array, with their digests and link keys."""
        return (b"[" + b",".join(map(self._row, source_ids)) + b"]").decode()

    def _row(self, source_id: str) -> bytes:
        place = self.entries[source_id]
        self.spool.seek(self.offsets[place])
        line = self.spool.readline().rstrip()
        keys = orjson.dumps(link_keys_of(orjson.loads(line)))
        digest = self.digest_at(place).hex().encode()
        return line[:-1] + b',"row_hash":"' + digest + b'","link_keys":' + keys + b"}"

    def close(self) -> None:
        self.spool.close()


async def parse(known: KnownList, form: Format, files: Sequence[ListFile], folder: Path) -> Parsed:
    """Parse all files of a list in a thread. The temporary file is in `folder`. Raise ListFault."""
    return await _in_thread(lambda is_cancelled: _parse(is_cancelled, known, form, files, folder))


async def parse_changes(known: KnownList, files: Sequence[ListFile], folder: Path) -> Parsed:
    """Parse OpenSanctions' changes of a list, in the order of the files. Otherwise as `parse`."""
    return await _in_thread(lambda is_cancelled: _parse_changes(is_cancelled, known, files, folder))


async def _in_thread(work: Callable[[Event], Parsed]) -> Parsed:
    """Run the work in a thread, which ends soon after a cancellation: a process that stops waits
    for it, and a million entries take minutes."""
    is_cancelled = Event()
    try:
        return await asyncio.to_thread(work, is_cancelled)
    except asyncio.CancelledError:
        is_cancelled.set()
        raise


def _parse(
    is_cancelled: Event, known: KnownList, form: Format, files: Sequence[ListFile], folder: Path
) -> Parsed:
    with _parsing(is_cancelled, form.name, files, folder) as parsed:
        for entity in form.read(files, parsed.facts):
            if known.wants(entity):
                _add(parsed, entity)
        if not parsed.entries:
            raise files[0].fault("holds no entry")
        return parsed


def _parse_changes(
    is_cancelled: Event, known: KnownList, files: Sequence[ListFile], folder: Path
) -> Parsed:
    with _parsing(is_cancelled, "ftm", files, folder) as parsed:
        parsed.removed = set()
        for source_id, entity in opensanctions.read_changes(files, known.wants):
            parsed.entries.pop(source_id, None)
            parsed.removed.add(source_id)
            if entity is not None:
                _add(parsed, entity)
                parsed.removed.discard(source_id)
        return parsed


@contextmanager
def _parsing(
    is_cancelled: Event, form: str, files: Sequence[ListFile], folder: Path
) -> Iterator[Parsed]:
    """An empty result, which is closed after an error."""
    spool = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 (Parsed closes it)
    parsed = Parsed(form, _digest_of(files), Facts(), spool, is_cancelled)
    try:
        yield parsed
    except BaseException:
        parsed.close()
        raise


def _digest_of(files: Sequence[ListFile]) -> bytes:
    digests = []
    for file in files:
        digest = hashlib.sha256()
        with file.path.open("rb") as raw:
            while piece := raw.read(HASHED_AT_ONCE):
                digest.update(piece)
        digests.append(digest.digest())
    return hashlib.sha256(b"".join(sorted(digests))).digest()


def _add(parsed: Parsed, entity: ListedEntity) -> None:
    if parsed.is_cancelled.is_set():
        raise asyncio.CancelledError
    if entity.source_id in parsed.entries:
        raise ListFault(f"{entity.place}: entry {entity.source_id[:64]} occurs twice")
    if not entity.names or not entity.names[0].text:
        raise ListFault(f"{entity.place}: the entry has no name")
    if len(entity.source_id) > LONGEST_NAME or len(entity.names) > MOST_NAMES:
        raise ListFault(f"{entity.place}: the entry is too large")
    line = orjson.dumps(
        {
            "source_id": entity.source_id,
            "entity_type": entity.entity_type,
            "standing": Standing.CLEARED if entity.cleared else Standing.LISTED,
            "names": [
                {"text": name.text, "kind": name.kind, "family": name.family, "given": name.given}
                for name in dict.fromkeys(entity.names)
            ],
            "countries": entity.countries,
            "dates_of_birth": entity.dates_of_birth,
            "identifiers": [{"kind": kind, "value": value} for kind, value in entity.identifiers],
            "programs": entity.programs,
            "details": entity.details,
        }
    )
    parsed.entries[entity.source_id] = len(parsed.offsets)
    parsed.digests += hashlib.sha256(line).digest()[:DIGEST_BYTES]
    parsed.offsets.append(parsed.spool.tell())
    parsed.spool.write(line + b"\n")
    parsed.listed += not entity.cleared
