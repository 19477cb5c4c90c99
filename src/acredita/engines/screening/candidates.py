"""Select the names that share enough words with a query to be aligned with it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import attrgetter

import numpy as np

from acredita.engines.screening.alignment import Query, is_initial
from acredita.engines.screening.coverage import coverage_score, least_other_share
from acredita.engines.screening.scoring import LONE_WORD
from acredita.engines.screening.similar_words import INITIAL, Neighbours
from acredita.engines.screening.tables import Array, Tables, ranges

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
_NO_NAMES = np.empty(0, np.intp), np.empty(0, np.float32)


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
    size: int  # names
    count: int = 1

    @classmethod
    def from_parts(cls, parts: tuple[tuple[Array, Array], ...], count: int = 1) -> "_Posting":
        return cls(parts, sum(len(names) for names, _ in parts), count)

    def repeated(self, times: int) -> "_Posting":
        """As for a word that the query has several times."""
        parts = tuple((names, amounts * np.float32(times)) for names, amounts in self.parts)
        return _Posting(parts, self.size, self.count * times)


_size = attrgetter("size")


class Candidates:
    """Selects names by their words. Thread-safe: each cache entry is written in one assignment."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._remembered: dict[Neighbours, tuple[_Posting, ...]] = {}
        self._size = 0

    def find(
        self,
        queries: Sequence[Query],
        floors: Sequence[float],
        allowed: Sequence[Allowed | None],
        scratch: Array,
    ) -> list[Array]:
        """Of each query, indices of at most 4,000 names that may reach its floor: int32, ascending
        unless they are more.

        `scratch`: float32[N] zeros, zeros on return.
        """
        shared = [self._shared(*each, scratch) for each in zip(queries, floors, strict=True)]
        likely = _likely(self._tables, queries, floors, shared)
        return [_most_likely(self._tables, *each) for each in zip(likely, allowed, strict=True)]

    def _shared(self, query: Query, floor: float, scratch: Array) -> tuple[Array, Array]:
        """Names that share words with the query: (names, intp[n]; their sums, float32[n]).

        A name may occur several times.
        """
        postings = sorted(self._postings(query), key=_size)
        touched: list[Array] = []
        try:
            kept = self._promising(query, floor, scratch, postings, touched)
            if not kept:
                return _NO_NAMES
            names = np.concatenate(kept) if len(kept) > 1 else kept[0]
            return names, scratch.take(names)
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
            yield _Posting.from_parts(self._parts(near.words, amounts), count=2)

    def _of(self, near: Neighbours) -> tuple[_Posting, ...]:
        known = self._remembered.get(near)
        if known is not None:
            return known
        weight, listed = np.float32(near.weight), self._tables.word_weight
        shares = _COUNT + near.shares * np.maximum(weight, listed[near.sharers])
        found = [_Posting.from_parts(self._parts(near.sharers, shares))]
        if near.splits:
            parts = np.array([right for _, right in near.splits], np.intp)
            amounts = _COUNT + np.maximum(weight / 2, listed[parts])
            found.append(_Posting.from_parts(self._parts(parts, amounts)))
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
        starts = self._tables.posting_start.take(words)
        counts = self._tables.posting_start.take(words + 1) - starts
        last = len(words) - 1
        if last == 0 or counts[last] < _LONG:
            return (self._merged(starts, counts, amounts),)
        return (
            self._merged(starts[:last], counts[:last], amounts[:last]),
            self._merged(starts[last:], counts[last:], amounts[last:]),
        )

    def _merged(self, starts: Array, counts: Array, amounts: Array) -> tuple[Array, Array]:
        """`starts`, `counts`: int64[n], of the words' postings."""
        listed = self._tables.posting_name
        if len(starts) == 1:
            return listed[starts[0] : starts[0] + counts[0]].astype(np.intp), amounts
        return listed.take(ranges(starts, counts)).astype(np.intp), amounts.repeat(counts)


def _most_weight(query: Query, threshold: float, share: float) -> float:
    """The highest weight of a name that may reach the threshold with this shared weight alone."""
    shared = share + INITIAL * query.initials
    needed = least_other_share(shared / float(query.total), threshold * _SLACK)
    if needed <= 0:
        return float("inf")
    return shared / needed * _ROUNDING if needed <= 1 else 0.0


def _likely(
    tables: Tables,
    queries: Sequence[Query],
    floors: Sequence[float],
    shared: Sequence[tuple[Array, Array]],
) -> list[tuple[Array, Array]]:
    """Of each query, the names whose score, estimated from the sums, may reach its floor: (names,
    intp[n]; estimates, float32[n]). A name may occur several times.

    `shared`: names and their sums. All queries at once, because the calls of NumPy cost more than
    the few names of one query.
    """
    counts = [len(names) for names, _ in shared]
    names = np.concatenate([names for names, _ in shared])
    sums = np.concatenate([sums for _, sums in shared])
    terms = np.array(
        [
            (INITIAL * query.initials, query.total, floor * _SLACK)
            for query, floor in zip(queries, floors, strict=True)
        ],
        np.float32,
    )
    initials, totals, least = (terms if len(counts) == 1 else terms.repeat(counts, 0)).T
    weights = sums - np.floor(sums / _COUNT) * _COUNT + initials
    estimates = coverage_score(weights / totals, weights / tables.name_weight.take(names))
    chosen = (estimates >= least).nonzero()[0]
    if len(chosen) == 0:
        return [_NO_NAMES] * len(counts)
    names, estimates = names[chosen], estimates[chosen]
    ends = [0, *chosen.searchsorted(np.cumsum(counts)).tolist()]
    return [(names[start:end], estimates[start:end]) for start, end in pairwise(ends)]


def _most_likely(tables: Tables, likely: tuple[Array, Array], allowed: Allowed | None) -> Array:
    """At most 4,000 of the names, each once: int32[n]."""
    names, estimates = likely
    if len(names) and allowed is not None:
        admitted = allowed.admits(tables, names)
        names, estimates = names[admitted], estimates[admitted]
    if len(names) > _MOST:
        names, first = np.unique(names, return_index=True)
        if len(names) > _MOST:
            names = names[np.argpartition(-estimates[first], _MOST)[:_MOST]]
        return names.astype(np.int32)
    names = names.astype(np.int32)
    if len(names) > 1:
        # For few names, np.unique takes longer.
        names.sort()
        first = np.ones(len(names), bool)
        np.not_equal(names[1:], names[:-1], out=first[1:])
        names = names[first]
    return names
