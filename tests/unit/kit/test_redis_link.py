"""The link over which every request asks Redis: nobody waits for a Redis that is slow or away."""

import asyncio
import signal
import time

import hiredis
import pytest
import redis.asyncio
import uvloop

from acredita.kit.redis_pipeline import RedisLink, RedisUnavailable
from acredita.kit.token_bucket import Bucket, SharedBuckets
from tests.reliability.fleet import KillableRedis


@pytest.fixture
def server():
    server = KillableRedis()
    server.start()
    yield server
    server._process and server._process.send_signal(signal.SIGCONT)
    server.kill()


@pytest.fixture
async def client(server):
    client = redis.asyncio.from_url(server.url, socket_timeout=0.5, socket_connect_timeout=0.5)
    yield client
    await client.aclose()


@pytest.fixture
async def link(client):
    async with RedisLink(client, patience=0.3, pause=0.2) as link:
        yield link


async def until_it_answers(link):
    async with asyncio.timeout(20):
        while True:
            try:
                return await link.call("PING")
            except RedisUnavailable:
                await asyncio.sleep(0.02)


async def until_the_connection_is_lost(link):
    async with asyncio.timeout(20):
        while True:
            if link._transport is None:
                return
            await asyncio.sleep(0.02)


async def refusal_takes(link):
    began = time.monotonic()
    with pytest.raises(RedisUnavailable):
        await link.call("PING")
    return time.monotonic() - began


async def test_answers_go_to_those_who_asked_however_many_ask_at_once(link):
    numbers = await asyncio.gather(*(link.call("ECHO", number) for number in range(2000)))
    assert [int(number) for number in numbers] == list(range(2000))


async def test_an_error_is_raised_where_it_was_asked_for_and_nowhere_else(link):
    answers = await asyncio.gather(
        link.call("ECHO", "a"),
        link.call("NONSENSE"),
        link.call("ECHO", "b"),
        return_exceptions=True,
    )
    assert (answers[0], answers[2]) == (b"a", b"b")
    assert isinstance(answers[1], hiredis.ReplyError)


async def test_an_answer_that_nobody_waits_for_any_more_is_dropped(link):
    left = asyncio.ensure_future(link.call("ECHO", "a"))
    left.cancel()
    assert await link.call("ECHO", "b") == b"b"


async def test_commands_that_need_no_reply_leave_the_replies_of_others_where_they_belong(link):
    before = link.call("ECHO", 1)
    link.send([("SET", "sent", 2), ("NONSENSE",), ("PUBLISH", "channel", "message")])
    assert await asyncio.gather(before, link.call("GET", "sent")) == [b"1", b"2"]


async def test_while_redis_hangs_one_wait_is_short_and_the_next_is_none(server, link):
    await until_it_answers(link)
    server._process.send_signal(signal.SIGSTOP)
    assert 0.25 < await refusal_takes(link) < 3
    assert await refusal_takes(link) < 0.1
    server._process.send_signal(signal.SIGCONT)
    assert await until_it_answers(link) == b"PONG"


async def test_a_hang_longer_than_the_pause_costs_the_connection_and_a_new_one_is_made(
    server, link
):
    await until_it_answers(link)
    server._process.send_signal(signal.SIGSTOP)
    await refusal_takes(link)
    await until_the_connection_is_lost(link)
    assert await refusal_takes(link) < 0.1
    server._process.send_signal(signal.SIGCONT)
    assert await until_it_answers(link) == b"PONG"


async def test_a_redis_that_died_is_missed_at_once_and_found_again(server, link):
    await until_it_answers(link)
    server.kill()
    await until_the_connection_is_lost(link)
    assert await refusal_takes(link) < 0.1
    server.start()
    assert await until_it_answers(link) == b"PONG"


async def test_without_a_redis_the_link_opens_all_the_same(server, client):
    server.kill()
    async with RedisLink(client, pause=0.1) as link:
        assert await refusal_takes(link) < 0.1
        server.start()
        assert await until_it_answers(link) == b"PONG"


@pytest.mark.parametrize("run", [asyncio.run, uvloop.run])
def test_a_process_that_was_held_up_itself_reads_its_answers_before_it_judges(server, run):
    async def ask_and_be_held_up():
        client = redis.asyncio.from_url(server.url)
        async with RedisLink(client, patience=0.05) as link:
            await until_it_answers(link)
            answer = link.call("PING")
            await asyncio.sleep(0)
            time.sleep(0.3)  # noqa: ASYNC251 (the loop is held up on purpose)
            assert await answer == b"PONG"
        await client.aclose()

    run(ask_and_be_held_up())


async def test_an_outage_gives_no_second_burst_and_is_logged_once(server, client, capfd):
    async with RedisLink(client, patience=10, pause=0.1) as link:
        buckets, bucket = SharedBuckets(link), Bucket.filling("b", rate=1, burst=20)
        began = time.monotonic()
        admitted = [(await buckets.take([bucket])).is_admitted for _ in range(15)]
        server.kill()
        admitted += [(await buckets.take([bucket])).is_admitted for _ in range(45)]
        assert 20 <= sum(admitted) <= 21 + (time.monotonic() - began)
        assert buckets._is_away
        server.start()
        await until_it_answers(link)
        # Redis knows nothing of what was counted meanwhile: it starts afresh.
        assert (await buckets.take([bucket])).remaining == 19
    logged = capfd.readouterr().err
    assert logged.count("this process's own") == 1
    assert logged.count("shared again") == 1
