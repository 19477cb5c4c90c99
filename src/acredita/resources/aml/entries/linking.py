"""Entries of several lists about the same person or firm form a cluster.

Two entries are linked if they share an identifier, or if two persons share a strong name and a
full date of birth. Nothing else links: a cluster that is missing costs a reviewer a look, a wrong
one hides a person. Passports, national and tax numbers are unique only within a country, so the
entries must share a country, too. Entries with different dates of birth, genders or types, or
without a common word in their names, are never in one cluster.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import combinations
from typing import Any

from sqlalchemy import BigInteger, any_, bindparam, select, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.engines.screening import normalised
from acredita.models import WatchlistEntity

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
LOCK = "SELECT pg_advisory_xact_lock(7141, 2)"
# A list that loads at the same time updates the same rows in another order.
LOCK_LISTS = "SELECT id FROM aml_list WHERE NOT is_sandbox ORDER BY id FOR SHARE"
SHARED = text(
    """
    SELECT array_agg(entry.id ORDER BY entry.id)
    FROM aml_entity entry
    JOIN aml_list list ON list.id = entry.list_id AND NOT list.is_sandbox,
    unnest(entry.link_keys) AS key
    WHERE entry.removed_version IS NULL
    GROUP BY key HAVING count(*) BETWEEN 2 AND :most
    """
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
    AND aml_entity.cluster_id IS DISTINCT FROM linked.cluster_id
    """
).bindparams(
    bindparam("ids", type_=ARRAY(BigInteger)), bindparam("clusters", type_=ARRAY(BigInteger))
)
UNLINK = text(
    """
    UPDATE aml_entity SET cluster_id = NULL
    WHERE cluster_id IS NOT NULL
    AND NOT EXISTS (SELECT FROM unnest(:ids) AS linked (id) WHERE linked.id = aml_entity.id)
    """
).bindparams(bindparam("ids", type_=ARRAY(BigInteger)))


def link_keys_of(row: Mapping[str, Any]) -> list[int]:
    """The keys of an entry: signed 64-bit hashes. `row`: the columns that its list fills."""
    texts = [*_identifier_keys(row), *_name_keys(row)]
    return list(dict.fromkeys(_hashed(each) for each in texts))[:MOST_KEYS]


def _identifier_keys(row: Mapping[str, Any]) -> Iterable[str]:
    for each in row["identifiers"]:
        kind = each["kind"]
        value = "".join(char for char in each["value"].upper() if char.isalnum())
        if not any(char.isdigit() for char in value):
            continue
        if kind in WORLDWIDE and len(value) >= WORLDWIDE[kind]:
            yield f"{kind}:{value}"
        elif kind in NATIONAL and len(value) >= SHORTEST_NATIONAL:
            for country in row["countries"]:
                yield f"{kind}:{value}:{country}"


def _name_keys(row: Mapping[str, Any]) -> Iterable[str]:
    if row["entity_type"] != "person":
        return
    births = [day for day in row["dates_of_birth"] if len(day) == FULL_DATE]
    names = [name["text"] for name in row["names"] if name["kind"] in STRONG] if births else []
    for name in names:
        words = sorted(normalised(name).split())
        if len(words) > 1:
            yield from (f"name:{' '.join(words)}:{day}" for day in births)


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
    """Find the clusters of all listed entries again. Return the number of linked entries."""
    await session.execute(text(LOCK))
    await session.execute(text(LOCK_LISTS))
    groups = (await session.scalars(SHARED, {"most": MOST_SHARING})).all()
    wanted = sorted({entry_id for group in groups for entry_id in group})
    rows = await session.execute(FACTS, {"ids": wanted})
    facts = {row.id: _facts_of(row) for row in rows}
    linked = clusters(groups, facts)
    await session.execute(UNLINK, {"ids": list(linked)})
    await session.execute(LINK, {"ids": list(linked), "clusters": list(linked.values())})
    return len(linked)


def _facts_of(row: Any) -> Facts:
    return Facts(
        row.entity_type,
        frozenset(row.dates_of_birth),
        frozenset(row.details.get("genders", ())),
        frozenset(word for name in row.names for word in normalised(name["text"]).split()),
    )
