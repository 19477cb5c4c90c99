import time
from concurrent.futures import ThreadPoolExecutor

from acredita.kit import ids


def test_sortable_ids_grow_within_a_millisecond_and_across_them():
    made = [ids.sortable() for _ in range(20_000)] + ids.sortable_many(1_000) + [ids.sortable()]
    assert made == sorted(set(made))
    assert {each.version for each in made} == {7}
    assert {each.variant for each in made} == {"specified in RFC 4122"}


def test_sortable_ids_say_when_they_were_made():
    before = time.time_ns() // 1_000_000
    made = ids.sortable().int >> 80
    # A busy process may be a few milliseconds ahead, never behind.
    assert before <= made <= before + 1000


def test_a_clock_that_is_set_back_makes_no_smaller_ids(monkeypatch):
    first = ids.sortable()
    monkeypatch.setattr("acredita.kit.ids.time.time_ns", lambda: 1_000_000_000)
    assert ids.sortable() > first


def test_a_millisecond_that_is_used_up_lends_from_the_next(monkeypatch):
    sequence = ids._Sequence()
    monkeypatch.setattr("acredita.kit.ids.time.time_ns", lambda: 5_000_000)
    (first,) = sequence.take(1)
    sequence._tail = (1 << ids.RANDOM_BITS) - 1
    (second,) = sequence.take(1)
    assert (first >> 80, second >> 80) == (5, 6)
    assert second > first


def test_threads_share_no_id():
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: ids.sortable(), range(10_000)))
    assert len(set(made)) == len(made)
