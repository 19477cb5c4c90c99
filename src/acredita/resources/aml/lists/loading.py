"""Compare the parsed entries of a list with its rows, and update these in one transaction.

The former version stays in use until the transaction commits.
"""

import asyncio
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice

from sqlalchemy import ARRAY, Text, any_, cast, func, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.models import Watchlist, WatchlistEntity, WatchlistVersion
from acredita.providers.watchlists.catalogue import KnownList
from acredita.providers.watchlists.protocol import ListFault
from acredita.resources.aml.entries.forms import CONTENT, keep_forms
from acredita.resources.aml.lists.parsing import Parsed

# A list that loses a larger share of its entries is probably truncated.
MOST_REMOVED = 0.20
BATCH = 1000
READ_AT_ONCE = 10_000
# The columns that the parsed rows fill.
COLUMNS = (*CONTENT, "link_keys", "row_hash")
# A batch is one value, so that it takes this process little more than to send it.
WRITE = text(
    f"""
    INSERT INTO aml_entity (
        list_id, source_id, changed_version, removed_version, {", ".join(COLUMNS)}
    )
    SELECT :list_id, source_id, :version, NULL, {", ".join(CONTENT)}, link_keys,
        decode(row_hash, 'hex')
    FROM jsonb_to_recordset(CAST(:rows AS jsonb)) AS parsed (
        source_id text, entity_type text, standing text, names jsonb, countries text[],
        dates_of_birth text[], identifiers jsonb, programs text[], details jsonb,
        link_keys bigint[], row_hash text
    )
    ON CONFLICT (list_id, source_id) DO UPDATE SET
        changed_version = excluded.changed_version, removed_version = NULL,
        {", ".join(f"{name} = excluded.{name}" for name in COLUMNS)}
    """  # noqa: S608 (constants)
)
# Seconds between two tries to lock the list: a statement that waits for another load of a million
# entries, or for their linking, would exceed the limit of its time.
PAUSE = 1.0


class ListShrank(ListFault):
    """The new list has far fewer entries than the one in use."""


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
    # Only these can have a form. Looking for others in a table that this transaction fills would
    # take longer with each batch: its statistics still say that it is small.
    known = {*found.changed, *await _removed_ids(session, change.list_id)}
    written = iter([*found.new, *found.changed])
    while keys := list(islice(written, BATCH)):
        former = [key for key in keys if key in known]
        if former:
            await keep_forms(session, change.list_id, former, change.version)
        # In a thread: to make the rows of a batch takes as long as a hundred other jobs.
        rows = await asyncio.to_thread(parsed.rows, keys)
        await session.execute(
            WRITE, {"rows": rows, "list_id": change.list_id, "version": change.version}
        )
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
