"""Replace a list: parse its files, then compare and update its rows in one transaction.

Parsing writes only a temporary file, so a bad file is found before any row changes. The former
version stays in use until the transaction commits.
"""

import asyncio
import hashlib
import tempfile
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from pathlib import Path
from threading import Event
from typing import Any, BinaryIO

import orjson
from sqlalchemy import ARRAY, Text, any_, cast, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.models import Standing, Watchlist, WatchlistEntity, WatchlistVersion
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
from acredita.resources.aml.entries.forms import keep_forms
from acredita.resources.aml.entries.linking import link_keys_of

# A list that loses a larger share of its entries is probably truncated.
MOST_REMOVED = 0.20
BATCH = 1000
READ_AT_ONCE = 10_000
DIGEST_BYTES = 16
HASHED_AT_ONCE = 1 << 20
# Seconds between two tries to lock the list: a statement that waits for another load of a million
# entries, or for their linking, would exceed the limit of its time.
PAUSE = 1.0


class ListShrank(ListFault):
    """The new list has far fewer entries than the one in use."""


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

    def rows(self, source_ids: Sequence[str]) -> Iterator[dict[str, Any]]:
        for source_id in source_ids:
            place = self.entries[source_id]
            self.spool.seek(self.offsets[place])
            row = orjson.loads(self.spool.readline())
            yield {**row, "row_hash": self.digest_at(place), "link_keys": link_keys_of(row)}

    def close(self) -> None:
        self.spool.close()


@dataclass(frozen=True, slots=True)
class Change:
    """The changes that a load made to a list."""

    list_id: str
    version: int
    entries: int
    added: int
    changed: int
    removed: int

    @property
    def is_any(self) -> bool:
        return bool(self.added or self.changed or self.removed)


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


async def load(
    session: AsyncSession, known: KnownList, parsed: Parsed, now: datetime, *, force: bool = False
) -> Change:
    """Replace the entries of the list with the parsed ones, or apply the parsed changes.

    Unchanged entries are not written.

    Loads of the same list run one after another. Raise ListShrank, unless `force`.
    """
    row = await _locked(session, known, parsed.format)
    found = await _compare(session, known.id, parsed)
    before = found.present if parsed.removed is None else row.entries
    after = before + len(found.new) - len(found.gone)
    if not force:
        _check_size(known, before, after)
    change = Change(
        known.id,
        row.version + any((found.new, found.changed, found.gone, not row.version)),
        parsed.listed if parsed.removed is None else after,
        len(found.new),
        len(found.changed),
        len(found.gone),
    )
    if change.version != row.version:
        await _write(session, parsed, change, found)
        if not known.is_sandbox:
            await _withdraw_sandbox(session)
    _note(row, parsed, change, now)
    await session.flush()
    return change


@dataclass(slots=True)
class _Differences:
    """Source ids. `present`: how many entries of the list were compared."""

    present: int = 0
    new: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)


async def _compare(session: AsyncSession, list_id: str, parsed: Parsed) -> _Differences:
    """Compare the list's entries with the parsed ones; of a change, only those that it names."""
    query = select(WatchlistEntity.source_id, WatchlistEntity.row_hash).where(
        WatchlistEntity.list_id == list_id, WatchlistEntity.removed_version.is_(None)
    )
    if parsed.removed is not None:
        wanted = [*parsed.entries, *parsed.removed]
        query = query.where(WatchlistEntity.source_id == any_(cast(wanted, ARRAY(Text))))
    found, seen = _Differences(), bytearray(len(parsed.offsets))
    # In parts: a million rows at once would hold up the renewal of the job's lease.
    async for rows in (await session.stream(query)).partitions(READ_AT_ONCE):
        found.present += len(rows)
        for row in rows:
            place = parsed.entries.get(row.source_id)
            if place is None:
                found.gone.append(row.source_id)
                continue
            seen[place] = True
            if parsed.digest_at(place) != row.row_hash:
                found.changed.append(row.source_id)
    found.new = [key for key, place in parsed.entries.items() if not seen[place]]
    return found


def _check_size(known: KnownList, before: int, after: int) -> None:
    if after < before * (1 - MOST_REMOVED):
        raise ListShrank(
            f"{known.id}: has {after} entries instead of {before}: more than 20% are missing"
        )


async def _locked(session: AsyncSession, known: KnownList, form: str) -> Watchlist:
    adding = insert(Watchlist).values(
        id=known.id,
        name=known.name,
        publisher=known.publisher,
        format=form,
        is_sandbox=known.is_sandbox,
    )
    await session.execute(adding.on_conflict_do_nothing())
    query = select(Watchlist).where(Watchlist.id == known.id).with_for_update(skip_locked=True)
    while (row := (await session.scalars(query)).one_or_none()) is None:  # noqa: ASYNC110
        await asyncio.sleep(PAUSE)
    row.name, row.publisher, row.format = known.name, known.publisher, form
    return row


async def _removed_ids(session: AsyncSession, list_id: str) -> set[str]:
    """The ids of the entries that the list had."""
    query = select(WatchlistEntity.source_id).where(
        WatchlistEntity.list_id == list_id, WatchlistEntity.removed_version.is_not(None)
    )
    found: set[str] = set()
    async for some in (await session.stream_scalars(query)).partitions(READ_AT_ONCE):
        found.update(some)
    return found


async def _write(
    session: AsyncSession,
    parsed: Parsed,
    change: Change,
    found: _Differences,
) -> None:
    adding = insert(WatchlistEntity)
    replaced = {
        column.name: adding.excluded[column.name]
        for column in WatchlistEntity.__table__.columns
        if column.name not in {"id", "list_id", "source_id", "cluster_id"}
    }
    statement = adding.on_conflict_do_update(
        index_elements=[WatchlistEntity.list_id, WatchlistEntity.source_id], set_=replaced
    )
    fixed = {
        "list_id": change.list_id,
        "changed_version": change.version,
        "removed_version": None,
    }
    # Only these can have a form. Looking for others in a table that this transaction fills would
    # take longer with each batch: its statistics still say that it is small.
    known = {*found.changed, *await _removed_ids(session, change.list_id)}
    rows = ({**row, **fixed} for row in parsed.rows([*found.new, *found.changed]))
    # In a thread: to make the rows of a batch takes as long as a hundred other jobs.
    while batch := await asyncio.to_thread(_next_batch, rows):
        former = [row["source_id"] for row in batch if row["source_id"] in known]
        if former:
            await keep_forms(session, change.list_id, former, change.version)
        await session.execute(statement, batch)
    places = iter(found.gone)
    while keys := list(islice(places, BATCH)):
        await session.execute(
            update(WatchlistEntity)
            .where(WatchlistEntity.list_id == change.list_id, WatchlistEntity.source_id.in_(keys))
            .values(removed_version=change.version)
        )
    session.add(
        WatchlistVersion(
            list_id=change.list_id,
            version=change.version,
            as_of=parsed.facts.as_of,
            sha256=parsed.sha256,
            entries=change.entries,
            added=change.added,
            changed=change.changed,
            removed=change.removed,
        )
    )


def _next_batch(rows: Iterator[dict[str, Any]]) -> list[dict[str, Any]]:
    return list(islice(rows, BATCH))


def _note(row: Watchlist, parsed: Parsed, change: Change, now: datetime) -> None:
    row.version, row.entries = change.version, change.entries
    row.as_of = parsed.facts.as_of
    row.sha256 = parsed.sha256
    row.loaded_at = row.confirmed_at = now
    row.failed_at = row.failure = row.failure_message = None


async def _withdraw_sandbox(session: AsyncSession) -> None:
    """Empty the sandbox list: screening must not mix invented names with real ones."""
    await session.execute(
        update(WatchlistEntity)
        .where(
            WatchlistEntity.list_id == Watchlist.id,
            Watchlist.is_sandbox,
            WatchlistEntity.removed_version.is_(None),
        )
        .values(removed_version=Watchlist.version + 1)
        .execution_options(synchronize_session=False)
    )
    await session.execute(
        update(Watchlist)
        .where(Watchlist.is_sandbox, Watchlist.entries > 0)
        .values(entries=0, version=Watchlist.version + 1, loaded_at=func.now())
    )
