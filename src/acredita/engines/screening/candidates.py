"""Select the names that share enough words with a query to be aligned with it."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from acredita.engines.screening.alignment import Query, is_initial
from acredita.engines.screening.coverage import coverage_score, least_other_share
from acredita.engines.screening.scoring import LONE_WORD
from acredita.engines.screening.similar_words import INITIAL, Neighbours
from acredita.engines.screening.tables import Array, Tables

_MOST = 4000
# The sums are at least what an alignment finds, except in a name with two spellings of one word, of
# which the more similar one counts.
_SLACK = 0.98
# Each shared word adds this constant to a name's sum of weights. The sum stays far below it, so
# one float holds both the sum and the count.
_COUNT = np.float32(64)
# Postings that are remembered: names of one query word, and of all of them (12 bytes each).
_SHORT, _REMEMBERED = 5_000, 1_000_000
# From this length on, the postings of the most similar word are not copied.
_LONG = 2_000
# Rounding of float32 must not exclude a name.
_ROUNDING = 1.0001


@dataclass(frozen=True, slots=True)
class Allowed:
    """Filter: bool per list number and bool per entry type number."""

    lists: Array
    types: Array

    def admits(self, tables: Tables, names: Array) -> Array:
        entries = tables.name_entry[names]
        return self.lists[tables.entry_list[entries]] & self.types[tables.entry_type[entries]]

    def admits_entry(self, tables: Tables, entry: int) -> bool:
        return bool(self.lists[tables.entry_list[entry]] & self.types[tables.entry_type[entry]])


@dataclass(frozen=True, slots=True)
class _Posting:
    """The names that contain a query word or words like it, in ascending order of similarity.

    `parts`: (names, intp[n]; the amount that each receives, float32[n] or float32[1]). `count`: the
    words of the query that it stands for, two if they are joined.
    """

    parts: tuple[tuple[Array, Array], ...]
    count: int = 1

    @property
    def size(self) -> int:
        return sum(len(names) for names, _ in self.parts)

    def repeated(self, times: int) -> "_Posting":
        """As for a word that the query has several times."""
        parts = tuple((names, amounts * np.float32(times)) for names, amounts in self.parts)
        return _Posting(parts, self.count * times)


class Candidates:
    """Selects names by their words. Thread-safe: each cache entry is written in one assignment."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._remembered: dict[Neighbours, tuple[_Posting, ...]] = {}
        self._size = 0

    def find(
        self, query: Query, threshold: float, scratch: Array, allowed: Allowed | None
    ) -> Array:
        """Indices of at most 4,000 names, int32. `scratch`: float32[N] zeros, zeros on return."""
        postings = sorted(self._postings(query), key=lambda posting: posting.size)
        touched: list[Array] = []
        try:
            kept = self._promising(query, threshold, scratch, postings, touched)
            if not any(map(len, kept)):
                return np.empty(0, np.int32)
            names = np.concatenate(kept)
            return _likely(self._tables, query, threshold, scratch, names, allowed)
        finally:
            if sum(map(len, touched)) > len(scratch) // 4:
                scratch.fill(0)
            else:
                for names in touched:
                    scratch[names] = 0

    def _promising(
        self,
        query: Query,
        threshold: float,
        scratch: Array,
        postings: list[_Posting],
        touched: list[Array],
    ) -> list[Array]:
        """Add the amounts to `scratch`; return the names that may reach the threshold.

        A single shared word scores at most `LONE_WORD`. This cut does not apply to a query with
        initials, because an initial may match a second word in the alignment. A name that only one
        posting contains must then be short enough, also if the query repeats or joins the words.
        """
        needs_two = threshold > LONE_WORD and len(query.words) > 1 and not query.initials
        kept: list[Array] = []
        for left, posting in enumerate(postings, 1 - len(postings)):
            if needs_two and not touched and posting.count == 1:
                # Of names that share one word so far, only the sums are needed.
                for names, amounts in posting.parts:
                    touched.append(names)
                    scratch[names] = amounts
                continue
            # A name that contains several similar words receives the last and highest amount:
            # all sums are read before the first one is written.
            sums = [scratch.take(names) + amounts for names, amounts in posting.parts]
            for (names, amounts), total in zip(posting.parts, sums, strict=True):
                alone = posting.count * _COUNT
                promising = total >= alone + _COUNT
                if posting.count > 1 or not needs_two:
                    most = _most_weight(query, threshold, float(amounts.max() - alone))
                    promising |= self._tables.name_weight.take(names) <= most
                chosen = promising.nonzero()[0]
                kept.append(names[chosen])
                if left:
                    touched.append(names)
                    scratch[names] = total
                else:
                    # Nothing reads the sums of the longest posting's other names.
                    touched.append(kept[-1])
                    scratch[kept[-1]] = total[chosen]
        return kept

    def _postings(self, query: Query) -> Iterator[_Posting]:
        words: dict[Neighbours, int] = {}
        for word, near in zip(query.words, query.near, strict=True):
            if len(near.sharers) and not is_initial(word):
                words[near] = words.get(near, 0) + 1
        for near, times in words.items():
            for posting in self._of(near):
                yield posting if times == 1 else posting.repeated(times)
        for i, near in query.joined:
            weight = np.float32(query.near[i].weight + query.near[i + 1].weight)
            heavier = np.maximum(weight, self._tables.word_weight[near.words])
            amounts = 2 * _COUNT + near.similarities * heavier
            yield _Posting(self._parts(near.words, amounts), count=2)

    def _of(self, near: Neighbours) -> tuple[_Posting, ...]:
        known = self._remembered.get(near)
        if known is not None:
            return known
        weight, listed = np.float32(near.weight), self._tables.word_weight
        shares = _COUNT + near.shares * np.maximum(weight, listed[near.sharers])
        found = [_Posting(self._parts(near.sharers, shares))]
        if near.splits:
            parts = np.array([right for _, right in near.splits], np.intp)
            amounts = _COUNT + np.maximum(weight / 2, listed[parts])
            found.append(_Posting(self._parts(parts, amounts)))
        postings = tuple(found)
        size = sum(posting.size for posting in postings)
        if size <= _SHORT:
            if self._size + size > _REMEMBERED:
                self._remembered.clear()
                self._size = 0
            self._remembered[near] = postings
            self._size += size
        return postings

    def _parts(self, words: Array, amounts: Array) -> tuple[tuple[Array, Array], ...]:
        """`words`: int32[n]. `amounts`: float32[n]."""
        ends = self._tables.posting_start
        found = [
            self._tables.posting_name[first:last]
            for first, last in zip(ends[words].tolist(), ends[words + 1].tolist(), strict=True)
        ]
        last = len(found) - 1
        if last == 0 or len(found[last]) < _LONG:
            return (_merged(found, amounts),)
        return _merged(found[:last], amounts[:last]), _merged(found[last:], amounts[last:])


def _merged(found: list[Array], amounts: Array) -> tuple[Array, Array]:
    if len(found) == 1:
        return found[0].astype(np.intp), amounts
    names = np.concatenate(found, dtype=np.intp)
    return names, np.repeat(amounts, [len(each) for each in found])


def _most_weight(query: Query, threshold: float, share: float) -> float:
    """The highest weight of a name that may reach the threshold with this shared weight alone."""
    shared = share + INITIAL * query.initials
    needed = least_other_share(shared / float(query.weights.sum()), threshold * _SLACK)
    if needed <= 0:
        return float("inf")
    return shared / needed * _ROUNDING if needed <= 1 else 0.0


def _likely(
    tables: Tables,
    query: Query,
    threshold: float,
    scratch: Array,
    names: Array,
    allowed: Allowed | None,
) -> Array:
    """The names whose score, estimated from the sums, may reach the threshold."""
    total, initials = query.weights.sum(), np.float32(INITIAL * query.initials)

    def estimates(names: Array) -> Array:
        shared = scratch[names] % _COUNT + initials
        return coverage_score(shared / total, shared / tables.name_weight[names])

    names = names[estimates(names) >= threshold * _SLACK]
    if allowed is not None:
        names = names[allowed.admits(tables, names)]
    if len(names) == 0:
        return names.astype(np.int32)
    found = np.unique(names).astype(np.int32)
    if len(found) > _MOST:
        found = found[np.argpartition(-estimates(found), _MOST)[:_MOST]]
    return found
