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
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import combinations
from typing import Any

import numpy as np
from sqlalchemy import BigInteger, any_, bindparam, select, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.screening.names import readings
from acredita.engines.screening import mexican_kind, normalised, phonetic_key
from acredita.models import WatchlistEntity

WORLDWIDE = {"rfc": 12, "curp": 18, "imo": 7, "lei": 20, "mmsi": 9}
"""Identifiers that are unique in the world, and their shortest length."""
NATIONAL = {"passport", "national_id", "tax_id", "registration"}
SHORTEST_NATIONAL = 6
STRONG = {"primary", "alias", "former"}
FULL_DATE = 10
# A key of more entries identifies nobody: a placeholder, or the passport of a whole family.
MOST_SHARING = 12
# Two firms have more in common than "stock company"; the readings leave the short forms out.
LEGAL_FORMS = {
    *("joint", "stock", "ao", "aktsionernoe", "aktsionernoye", "obshchestvo", "publichnoe"),
    *("s", "ogranichennoi", "ogranichennoy", "otvetstvennostyu"),
}
# Of one entry.
MOST_KEYS = 400
# The numbers of this advisory lock are used nowhere else.
LOCK = "SELECT pg_try_advisory_xact_lock(7141, 2)"
LISTS = "SELECT id FROM aml_list WHERE NOT is_sandbox ORDER BY id"
# A list that loads at the same time updates the same rows in another order.
LOCK_LISTS = f"{LISTS} FOR SHARE SKIP LOCKED"
# Seconds between two tries: a statement that waits for a lock would exceed the limit of its time.
PAUSE = 1.0
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
FACTS = select(
    WatchlistEntity.id,
    WatchlistEntity.entity_type,
    WatchlistEntity.dates_of_birth,
    WatchlistEntity.details,
    WatchlistEntity.names,
).where(WatchlistEntity.id == any_(bindparam("ids", type_=ARRAY(BigInteger))))
LINK = text(
    """
    UPDATE aml_entity SET cluster_id = linked.cluster_id
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


@dataclass(frozen=True, slots=True)
class Facts:
    """What keeps two entries apart."""

    entity_type: str
    births: frozenset[str]
    genders: frozenset[str]
    # Of all names. Publishers mistype identifiers: entries without a common word stay apart.
    words: frozenset[str] = frozenset()

    def contradict(self, other: "Facts") -> bool:
        types = {self.entity_type, other.entity_type} - {"other"}
        if len(types) > 1 or (self.genders and other.genders and not self.genders & other.genders):
            return True
        if self.words and other.words and not self.words & other.words:
            return True
        return bool(
            self.births
            and other.births
            and not any(_agree(mine, its) for mine in self.births for its in other.births)
        )


def _agree(one: str, other: str) -> bool:
    """A year agrees with every date in it."""
    return one.startswith(other) or other.startswith(one)


def clusters(groups: Iterable[Sequence[int]], facts: Mapping[int, Facts]) -> dict[int, int]:
    """Entry id → cluster id, for the entries in a cluster.

    `groups`: ids of entries that share a key. Two clusters become one only if no member of one
    contradicts a member of the other.
    """
    members = {entry_id: [entry_id] for entry_id in facts}
    for group in sorted(map(tuple, groups)):
        for one, other in combinations(group, 2):
            first, second = members[one], members[other]
            if first is second or any(
                facts[mine].contradict(facts[its]) for mine in first for its in second
            ):
                continue
            merged = [*first, *second]
            for entry_id in merged:
                members[entry_id] = merged
    return {entry_id: min(together) for entry_id, together in members.items() if len(together) > 1}


async def link_entries(session: AsyncSession) -> int:
    """Find the clusters of all listed entries again. Return the number of linked entries.

    Wait for another process that links and, before anything is written, for lists that load: a
    build follows each load.
    """
    while not await session.scalar(text(LOCK)):  # noqa: ASYNC110
        await asyncio.sleep(PAUSE)
    groups, former = await _sharing(session)
    facts: dict[int, Facts] = {}
    wanted = sorted({entry_id for group in groups for entry_id in group})
    for start in range(0, len(wanted), PAGE):
        rows = (await session.execute(FACTS, {"ids": wanted[start : start + PAGE]})).all()
        facts |= await asyncio.to_thread(_facts_by_id, rows)
    linked = await asyncio.to_thread(clusters, groups, facts)
    changed = [
        (entry_id, linked.get(entry_id))
        for entry_id in {**former, **linked}
        if former.get(entry_id) != linked.get(entry_id)
    ]
    if changed:
        await _lock_lists(session)
    for start in range(0, len(changed), PAGE):
        ids, new = zip(*changed[start : start + PAGE], strict=True)
        await session.execute(LINK, {"ids": list(ids), "clusters": list(new)})
    return len(linked)


async def _lock_lists(session: AsyncSession) -> None:
    """Lock all lists at once: a list that is locked while others load could not load either."""
    while True:
        async with session.begin_nested() as attempt:
            every = (await session.scalars(text(LISTS))).all()
            if (await session.scalars(text(LOCK_LISTS))).all() == every:
                return
            await attempt.rollback()
        await asyncio.sleep(PAUSE)


async def _sharing(session: AsyncSession) -> tuple[list[tuple[int, ...]], dict[int, int]]:
    """(ids of the listed entries that share a key, ascending, one tuple per key; entry id → cluster
    id, for all entries that are in a cluster).
    """
    lists = frozenset((await session.scalars(text(LISTS))).all())
    ids, keys, after = array("q"), array("q"), 0
    former: dict[int, int] = {}
    while rows := (await session.execute(ENTRIES, {"after": after, "most": PAGE})).all():
        for row in rows:
            if row.cluster_id is not None:
                former[row.id] = row.cluster_id
            if row.removed_version is None and row.list_id in lists:
                ids.extend([row.id] * len(row.link_keys))
                keys.extend(row.link_keys)
        after = rows[-1].id
    groups = await asyncio.to_thread(_groups, np.array(ids, np.int64), np.array(keys, np.int64))
    return groups, former


def _groups(ids: Any, keys: Any) -> list[tuple[int, ...]]:
    """`ids` and `keys`: int64 arrays of the same length, one element per key of an entry."""
    order = np.lexsort((ids, keys))
    ids, keys = ids[order], keys[order]
    starts = np.concatenate([[0], np.flatnonzero(np.diff(keys)) + 1, [len(keys)]])
    lengths = np.diff(starts)
    shared = np.flatnonzero((lengths > 1) & (lengths <= MOST_SHARING))
    return [tuple(ids[starts[each] : starts[each + 1]].tolist()) for each in shared]


def _facts_by_id(rows: Iterable[Any]) -> dict[int, Facts]:
    return {row.id: _facts_of(row) for row in rows}


def _facts_of(row: Any) -> Facts:
    is_firm = row.entity_type != "person"
    words = {
        word
        for name in row.names
        for reading in readings(name["text"], company=is_firm)[:1]
        for word in reading.words
    }
    return Facts(
        row.entity_type,
        frozenset(row.dates_of_birth),
        frozenset(row.details.get("genders", ())),
        frozenset(words) - LEGAL_FORMS,
    )
