"""Entries of several lists about the same person or firm form a cluster.

Two entries are linked if they share an identifier, or if two persons share the words of a strong
name, by spelling or by sound, and a full date of birth. Nothing else links: a cluster that is
missing costs a reviewer a look, a wrong one hides a person. Passports, national and tax numbers are
unique only within a country, so the entries must share a country or a full date of birth, too.
Entries with different dates of birth, genders or types, or without a common word in their names,
are never in one cluster.
"""

import asyncio
from array import array
from collections.abc import Coroutine, Iterable, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
from sqlalchemy import BigInteger, bindparam, select, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.engines.screening import mexican_kind, normalised, phonetic_key
from acredita.kit.tasks import end
from acredita.models import WatchlistEntity
from acredita.resources.aml.entries.clusters import cluster_file, write_clusters

WORLDWIDE = {"rfc": 12, "curp": 18, "imo": 7, "lei": 20, "mmsi": 9}
"""Identifiers that are unique in the world, and their shortest length."""
NATIONAL = {"passport", "national_id", "tax_id", "registration"}
SHORTEST_NATIONAL = 6
STRONG = {"primary", "alias", "former"}
FULL_DATE = 10
# A key of more entries identifies nobody: a placeholder, or the passport of a whole family.
MOST_SHARING = 12
# Of one entry.
MOST_KEYS = 400
# The numbers of this advisory lock are used nowhere else.
LOCK = "SELECT pg_try_advisory_xact_lock(7141, 2)"
LISTS = "SELECT id FROM aml_list WHERE NOT is_sandbox ORDER BY id"
# A list that loads at the same time updates the same rows in another order.
LOCK_LISTS = f"{LISTS} FOR SHARE SKIP LOCKED"
# Seconds between two tries: a statement that waits for a lock would exceed the limit of its time.
PAUSE = 1.0
# Seconds between two statements of a transaction that waits.
REST = 5.0
# So many entries are compared here: to start a process takes a second.
FEW = 5_000
# Rows per statement. A statement over a million rows would exceed the limit of its time.
PAGE = 5_000
# Without further conditions: before a new list of a million rows has statistics, PostgreSQL expects
# few rows that meet one, and then it reads the whole table for each page.
ENTRIES = (
    select(
        WatchlistEntity.id,
        WatchlistEntity.list_id,
        WatchlistEntity.removed_version,
        WatchlistEntity.cluster_id,
        WatchlistEntity.link_keys,
    )
    .where(WatchlistEntity.id > bindparam("after"))
    .order_by(WatchlistEntity.id)
    .limit(bindparam("most"))
)
# A line per entry, for `write_clusters`.
FACTS = text(
    """
    SELECT jsonb_build_object(
        'id', id, 'entity_type', entity_type, 'dates_of_birth', dates_of_birth, 'names', names,
        'genders', details->'genders'
    )::text
    FROM aml_entity WHERE id = ANY(:ids)
    """
).bindparams(bindparam("ids", type_=ARRAY(BigInteger)))
LINK = text(
    """
    UPDATE aml_entity SET cluster_id = nullif(linked.cluster_id, 0)
    FROM unnest(:ids, :clusters) AS linked (id, cluster_id)
    WHERE aml_entity.id = linked.id
    """
).bindparams(
    bindparam("ids", type_=ARRAY(BigInteger)), bindparam("clusters", type_=ARRAY(BigInteger))
)


def link_keys_of(row: Mapping[str, Any]) -> list[int]:
    """The keys of an entry: signed 64-bit hashes. `row`: the columns that its list fills."""
    texts = [*_identifier_keys(row), *_name_keys(row)]
    return list(dict.fromkeys(_hashed(each) for each in texts))[:MOST_KEYS]


def _identifier_keys(row: Mapping[str, Any]) -> Iterable[str]:
    places = [*row["countries"], *_births(row)]
    for each in row["identifiers"]:
        kind = mexican_kind(each["kind"], each["value"])
        value = "".join(char for char in each["value"].upper() if char.isalnum())
        if not any(char.isdigit() for char in value):
            continue
        if kind in WORLDWIDE and len(value) >= WORLDWIDE[kind]:
            yield f"{kind}:{value}"
        elif kind in NATIONAL and len(value) >= SHORTEST_NATIONAL:
            yield from (f"{kind}:{value}:{place}" for place in places)


def _name_keys(row: Mapping[str, Any]) -> Iterable[str]:
    births = _births(row)
    names = [name["text"] for name in row["names"] if name["kind"] in STRONG] if births else []
    for name in names:
        words = normalised(name).split()
        # Publishers romanise differently: Gaziev, Gaziyev.
        spellings = {" ".join(sorted(words)), " ".join(sorted(map(phonetic_key, words)))}
        if len(words) > 1:
            yield from (f"name:{each}:{day}" for each in sorted(spellings) for day in births)


def _births(row: Mapping[str, Any]) -> list[str]:
    """The full dates of birth of a person."""
    if row["entity_type"] != "person":
        return []
    return [day for day in row["dates_of_birth"] if len(day) == FULL_DATE]


def _hashed(key: str) -> int:
    return int.from_bytes(blake2b(key.encode(), digest_size=8).digest(), signed=True)


async def link_entries(session: AsyncSession, folder: Path) -> int:
    """Find the clusters of all listed entries again. Return the number of linked entries.

    Wait for another process that links and, before anything is written, for lists that load: a
    build follows each load. `folder`: for temporary files. Raise PoolError.
    """
    while not await session.scalar(text(LOCK)):  # noqa: ASYNC110
        await asyncio.sleep(PAUSE)
    groups, former = await _sharing(session)
    linked = await _clusters(session, groups, folder)
    changed = await asyncio.to_thread(_changed, former, linked)
    if len(changed):
        await _lock_lists(session)
    for start in range(0, len(changed), PAGE):
        ids, new = changed[start : start + PAGE].T.tolist()
        await session.execute(LINK, {"ids": ids, "clusters": new})
    return int(linked.shape[1])


async def _clusters(session: AsyncSession, groups: Any, folder: Path) -> Any:
    """int64[2, n]: the ids of linked entries, ascending, and of their clusters."""
    wanted = await asyncio.to_thread(np.unique, groups[0])
    of_groups, of_entries, found = folder / "groups.npy", folder / "linked", folder / "found.npy"
    await asyncio.to_thread(np.save, of_groups, groups)
    with of_entries.open("wb") as file:
        for start in range(0, len(wanted), PAGE):
            ids = wanted[start : start + PAGE].tolist()
            lines = (await session.scalars(FACTS, {"ids": ids})).all()
            await asyncio.to_thread(file.write, "".join(f"{line}\n" for line in lines).encode())
    if len(wanted) <= FEW:
        await asyncio.to_thread(write_clusters, of_groups, of_entries, found)
    else:
        await _while_awake(session, cluster_file(of_groups, of_entries, found))
    return await asyncio.to_thread(np.load, found)


async def _while_awake(session: AsyncSession, work: Coroutine[Any, Any, None]) -> None:
    """Wait for the work. PostgreSQL ends a transaction that rests for half a minute."""
    task = asyncio.create_task(work)
    try:
        while not (await asyncio.wait([task], timeout=REST))[0]:
            await session.execute(text("SELECT"))
        await task
    finally:
        await end(task)


def _changed(former: Any, linked: Any) -> Any:
    """int64[n, 2]: the entries whose cluster changed, and the new one, or 0. `former` and `linked`:
    int64[2, n], ids ascending and clusters."""
    ids = np.union1d(former[0], linked[0])
    before, after = np.zeros_like(ids), np.zeros_like(ids)
    before[np.searchsorted(ids, former[0])] = former[1]
    after[np.searchsorted(ids, linked[0])] = linked[1]
    different = before != after
    return np.column_stack([ids[different], after[different]])


async def _lock_lists(session: AsyncSession) -> None:
    """Lock all lists at once: a list that is locked while others load could not load either."""
    while True:
        async with session.begin_nested() as attempt:
            every = (await session.scalars(text(LISTS))).all()
            if (await session.scalars(text(LOCK_LISTS))).all() == every:
                return
            await attempt.rollback()
        await asyncio.sleep(PAUSE)


async def _sharing(session: AsyncSession) -> tuple[Any, Any]:
    """The listed entries that share a key, as `write_clusters` reads them; ids and clusters of all
    entries that are in a cluster, int64[2, n], ids ascending.
    """
    lists = frozenset((await session.scalars(text(LISTS))).all())
    ids, keys, after = array("q"), array("q"), 0
    former, of_former = array("q"), array("q")
    while rows := (await session.execute(ENTRIES, {"after": after, "most": PAGE})).all():
        for row in rows:
            if row.cluster_id is not None:
                former.append(row.id)
                of_former.append(row.cluster_id)
            if row.removed_version is None and row.list_id in lists:
                ids.extend([row.id] * len(row.link_keys))
                keys.extend(row.link_keys)
        after = rows[-1].id
    groups = await asyncio.to_thread(_groups, np.array(ids, np.int64), np.array(keys, np.int64))
    return groups, np.array([former, of_former], np.int64)


def _groups(ids: Any, keys: Any) -> Any:
    """int64[2, m]: ids that share a key, and numbers of their keys, ascending. `ids` and `keys`:
    int64 arrays of the same length, one element per key of an entry."""
    order = np.lexsort((ids, keys))
    ids, keys = ids[order], keys[order]
    starts = np.concatenate([[0], np.flatnonzero(np.diff(keys)) + 1, [len(keys)]])
    lengths = np.diff(starts)
    numbers = np.arange(len(lengths)).repeat(lengths)
    shared = ((lengths > 1) & (lengths <= MOST_SHARING))[numbers]
    return np.stack([ids[shared], numbers[shared]])
