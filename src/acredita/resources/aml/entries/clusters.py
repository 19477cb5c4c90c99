"""The clusters of entries that share keys, found in a process of its own if they are many.

What is known of a million entries takes half a gigabyte. A worker that compared them itself would
keep most of it, and its other jobs would wait.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from acredita.domain.screening.names import readings
from acredita.kit.processes import ProcessPool

# Two firms have more in common than "stock company"; the readings leave the short forms out.
LEGAL_FORMS = {
    *("joint", "stock", "ao", "aktsionernoe", "aktsionernoye", "obshchestvo", "publichnoe"),
    *("s", "ogranichennoi", "ogranichennoy", "otvetstvennostyu"),
}
# Seconds. A million entries that share keys take 60.
TIMEOUT = 3_000.0


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


async def cluster_file(groups: Path, entries: Path, found: Path) -> None:
    """Find the clusters in a process of its own. Otherwise as `write_clusters`.

    Raise PoolError if the process dies or takes too long.
    """
    # The process reads what publishers wrote, and needs none of the service's secrets.
    pool = ProcessPool(1, name="screening_index", hidden_environment="ACREDITA_")
    try:
        await pool.run(write_clusters, groups, entries, found, timeout=TIMEOUT)
    finally:
        await pool.close()


def write_clusters(groups: Path, entries: Path, found: Path) -> None:
    """Write entry ids, ascending, and their cluster ids to `found`, as int64[2, n].

    `groups`: a file of int64[2, m], the ids of entries that share a key, and the number of the key,
    ascending. `entries`: a file with a line of `linking.FACTS` per entry.
    """
    with entries.open("rb") as lines:
        facts = {row["id"]: facts_of(row) for row in map(orjson.loads, lines)}
    linked = clusters(_shared(np.load(groups)), facts)
    np.save(found, np.array(sorted(linked.items()), np.int64).reshape(-1, 2).T)


def _shared(groups: Any) -> Iterator[tuple[int, ...]]:
    ids, keys = groups
    for part in np.split(ids, np.flatnonzero(np.diff(keys)) + 1):
        if len(part):
            yield tuple(part.tolist())


def facts_of(row: Mapping[str, Any]) -> Facts:
    """`row`: a line of `linking.FACTS`."""
    is_firm = row["entity_type"] != "person"
    words = {
        word
        for name in row["names"]
        for reading in readings(name["text"], company=is_firm)[:1]
        for word in reading.words
    }
    return Facts(
        row["entity_type"],
        frozenset(row["dates_of_birth"]),
        frozenset(row["genders"] or ()),
        frozenset(words) - LEGAL_FORMS,
    )
