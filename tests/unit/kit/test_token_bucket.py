"""Token buckets: in the process against a model of what they promise, in Redis against both."""

import asyncio
import time

import pytest
import redis.asyncio
from hypothesis import given
from hypothesis import strategies as st

from acredita.kit.redis_pipeline import RedisLink
from acredita.kit.token_bucket import MICROSECONDS, Bucket, LocalBuckets, SharedBuckets

SECOND = 1_000_000_000


class Clock:
    def __init__(self):
        self.now = 1_000 * SECOND

    def __call__(self):
        return self.now


@pytest.fixture
async def client(settings):
    client = redis.asyncio.from_url(settings.redis_url)
    await client.flushdb()
    yield client
    await client.aclose()


@pytest.fixture
async def shared(client):
    # Patient, for the sake of a loaded machine: what is tested here is the counting.
    async with RedisLink(client, patience=10) as link:
        yield SharedBuckets(link)


rates = st.integers(1, 1000)
bursts = st.integers(1, 50)
pauses = st.lists(st.integers(0, 2 * SECOND), min_size=1, max_size=100)


@given(rates, bursts, pauses)
def test_no_stretch_of_time_admits_more_than_the_burst_and_what_drips_in(rate, burst, pauses):
    clock = Clock()
    buckets, bucket = LocalBuckets(clock), Bucket.filling("b", rate=rate, burst=burst)
    admitted = []
    for pause in pauses:
        clock.now += pause
        verdict = buckets.take([bucket])
        if verdict.is_admitted:
            admitted.append(clock.now // 1000)
        assert 0 <= verdict.remaining < burst
        assert verdict.reset >= 0
        assert (verdict.wait > 0) is not verdict.is_admitted
    for first, start in enumerate(admitted):
        for last, end in enumerate(admitted[first:], first):
            assert last - first + 1 <= burst + (end - start) // bucket.interval


@given(rates, bursts, pauses)
def test_whoever_waits_as_long_as_told_is_admitted_and_a_moment_earlier_is_not(rate, burst, pauses):
    clock = Clock()
    buckets, bucket = LocalBuckets(clock), Bucket.filling("b", rate=rate, burst=burst)
    for pause in pauses:
        clock.now += pause
        verdict = buckets.take([bucket])
        if not verdict.is_admitted:
            clock.now += (verdict.wait - 1) * 1000
            assert not buckets.take([bucket]).is_admitted
            clock.now += 1000
            assert buckets.take([bucket]).is_admitted


@given(bursts, rates)
def test_a_full_bucket_takes_exactly_its_burst_at_once(burst, rate):
    buckets = LocalBuckets(Clock())
    bucket = Bucket.filling("b", rate=rate, burst=burst)
    remaining = [buckets.take([bucket]).remaining for _ in range(burst)]
    assert remaining == list(range(burst - 1, -1, -1))
    assert not buckets.take([bucket]).is_admitted


def test_a_refusal_takes_from_none_of_the_buckets():
    buckets = LocalBuckets(Clock())
    wide = Bucket.filling("wide", rate=1, burst=5)
    narrow = Bucket.filling("narrow", rate=1, burst=2)
    for _ in range(10):
        verdict = buckets.take([wide, narrow])
    assert (verdict.is_admitted, verdict.burst) == (False, 2)
    assert buckets.take([wide]).remaining == 5 - 2 - 1


def test_to_look_takes_nothing():
    buckets, bucket = LocalBuckets(Clock()), Bucket.filling("b", rate=1, burst=1)
    assert [buckets.peek(bucket).is_admitted for _ in range(3)] == [True] * 3
    buckets.take([bucket])
    assert not buckets.peek(bucket).is_admitted


def test_a_window_is_full_again_when_it_is_over_and_not_before():
    clock = Clock()
    buckets, bucket = LocalBuckets(clock), Bucket.windowed("w", most=60, seconds=60)
    for number in range(60):
        assert buckets.take([bucket]).remaining == 59 - number
        clock.now += SECOND // 2
    refused = buckets.take([bucket])
    assert (refused.is_admitted, refused.wait) == (False, 30 * MICROSECONDS)
    clock.now += 30 * SECOND
    assert buckets.take([bucket]).remaining == 59


def test_buckets_that_are_full_again_are_forgotten(monkeypatch):
    monkeypatch.setattr("acredita.kit.token_bucket.PRUNE_ABOVE", 10)
    clock = Clock()
    buckets = LocalBuckets(clock)
    buckets._many = 10
    for number in range(1000):
        buckets.take([Bucket.filling(str(number), rate=1, burst=1)])
        clock.now += SECOND
    assert len(buckets._states) <= 11


@pytest.mark.parametrize(("rate", "burst"), [(1, 20), (3, 7), (7, 1), (6, 40)])
async def test_redis_admits_a_burst_and_then_what_drips_in(shared, rate, burst):
    bucket = Bucket.filling("b", rate=rate, burst=burst)
    began = time.monotonic()
    verdicts = await asyncio.gather(*(shared.take([bucket]) for _ in range(burst + 30)))
    admitted = sum(verdict.is_admitted for verdict in verdicts)
    assert burst <= admitted <= burst + (time.monotonic() - began) * rate + 1


async def test_redis_refuses_both_buckets_or_none_and_names_the_tighter(shared):
    wide = Bucket.filling("{o}", rate=1, burst=50)
    narrow = Bucket.filling("{o}:k", rate=1, burst=5)
    began = time.monotonic()
    verdicts = [await shared.take([wide, narrow]) for _ in range(40)]
    seconds = time.monotonic() - began
    assert {verdict.burst for verdict in verdicts} == {5}
    assert not verdicts[-1].is_admitted
    assert 0 < verdicts[-1].wait <= MICROSECONDS
    admitted = sum(verdict.is_admitted for verdict in verdicts)
    alone = await shared.take([wide])
    assert 50 - admitted - 1 <= alone.remaining <= 50 - admitted - 1 + seconds + 1


async def test_a_window_in_redis_counts_to_its_end(shared, client):
    bucket = Bucket.windowed("w", most=6, seconds=60)
    verdicts = [await shared.take([bucket]) for _ in range(8)]
    assert [verdict.is_admitted for verdict in verdicts] == [True] * 6 + [False] * 2
    assert [verdict.remaining for verdict in verdicts] == [5, 4, 3, 2, 1, 0, 0, 0]
    assert 55 * MICROSECONDS < verdicts[-1].wait <= 60 * MICROSECONDS
    # Later ones do not push the end away.
    assert 55_000 < await client.pttl("w") <= 60_000
    await client.delete("w")  # as it expires
    assert (await shared.take([bucket])).remaining == 5


async def test_keys_expire_when_their_bucket_is_full_again(shared, client):
    await shared.take([Bucket.filling("b", rate=2, burst=20)])
    assert 0 < await client.pttl("b") <= 501
    stored = await client.get("b")
    assert stored is None or stored.isdigit()


async def test_after_a_wipe_buckets_start_afresh_without_an_error(shared, client):
    bucket = Bucket.filling("b", rate=1, burst=3)
    for _ in range(4):
        refused = await shared.take([bucket])
    assert not refused.is_admitted
    await client.flushall()
    await client.script_flush()
    assert (await shared.take([bucket])).remaining == 2
    assert not shared._is_away


async def test_two_processes_share_a_bucket(settings, client):
    bucket = Bucket.filling("b", rate=1, burst=20)
    began = time.monotonic()
    async with RedisLink(client, patience=10) as one, RedisLink(client, patience=10) as other:
        pair = SharedBuckets(one), SharedBuckets(other)
        verdicts = await asyncio.gather(*(pair[n % 2].take([bucket]) for n in range(60)))
    admitted = sum(verdict.is_admitted for verdict in verdicts)
    assert 20 <= admitted <= 21 + (time.monotonic() - began)
