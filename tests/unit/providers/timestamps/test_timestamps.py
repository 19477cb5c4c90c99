"""Time stamps over HTTP, against a server that speaks RFC 3161, well and badly."""

from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta
from hashlib import sha256

import pytest
from asn1crypto import cms

from acredita.providers.timestamps import (
    TimestampRefused,
    TimestampUnavailable,
    open_timestamps,
)
from tests.factories.timestamp_server import running_timestamps

DIGEST = sha256(b"una firma").digest()


@pytest.fixture(scope="module")
def keys(tmp_path_factory):
    return tmp_path_factory.mktemp("tsa") / "keys"


@pytest.fixture
async def opened():
    async with AsyncExitStack() as stack:
        yield stack


@pytest.fixture
async def server(opened, keys):
    return await opened.enter_async_context(running_timestamps(keys))


@pytest.fixture
async def timestamps(opened, server, tmp_path):
    return await opened.enter_async_context(
        open_timestamps(
            server.url, development_folder=tmp_path, timeout=2.0, trusted=server.trusted
        )
    )


async def test_a_stamp_is_of_the_digest_and_of_now(timestamps):
    stamp = await timestamps.stamp(DIGEST)
    assert not timestamps.is_sandbox
    assert "Time stamps" in stamp.authority
    assert abs(stamp.moment - datetime.now(UTC)) < timedelta(minutes=1)
    token = cms.ContentInfo.load(stamp.token)["content"]
    info = token["encap_content_info"]["content"].parsed
    assert info["message_imprint"]["hashed_message"].native == DIGEST


async def test_the_sandbox_stamps_without_any_server_and_says_what_it_is(opened, tmp_path):
    timestamps = await opened.enter_async_context(
        open_timestamps("", development_folder=tmp_path / "keys")
    )
    stamp = await timestamps.stamp(DIGEST)
    assert timestamps.is_sandbox
    assert "not trusted" in stamp.authority


@pytest.mark.parametrize(
    ("behaviour", "word"),
    [
        ("hang", "too long|timeout"),
        ("garbage", "unreadable_answer"),
        ("page", "not_a_timestamp_reply"),
        ("flood", "answer_too_large"),
        ("redirect", "status_302"),
        ("busy", "status_503"),
        ("other nonce", "wrong_nonce"),
        ("other imprint", "wrong_imprint"),
        ("changed", "wrong_signature"),
        ("overloaded", "not_granted"),
    ],
)
async def test_what_is_no_stamp_of_this_digest_is_none_for_now(timestamps, server, behaviour, word):
    server.behaviour = behaviour
    with pytest.raises(TimestampUnavailable, match=word):
        await timestamps.stamp(DIGEST)
    server.behaviour = "well"
    assert await timestamps.stamp(DIGEST)


@pytest.mark.parametrize("behaviour", ["forbid", "reject"])
async def test_a_refusal_is_told_from_an_outage(timestamps, server, behaviour):
    server.behaviour = behaviour
    with pytest.raises(TimestampRefused):
        await timestamps.stamp(DIGEST)


async def test_an_authority_that_is_not_trusted_does_not_count(opened, server, tmp_path):
    async with running_timestamps(tmp_path / "other") as other:
        timestamps = await opened.enter_async_context(
            open_timestamps(other.url, development_folder=tmp_path, trusted=server.trusted)
        )
        with pytest.raises(TimestampUnavailable, match="untrusted_authority"):
            await timestamps.stamp(DIGEST)


async def test_credentials_are_sent(opened, server, tmp_path):
    server.credentials = "banco:secreto"
    for password, outcome in (("secreto", None), ("otro", TimestampRefused)):
        timestamps = await opened.enter_async_context(
            open_timestamps(
                server.url, development_folder=tmp_path, username="banco", password=password
            )
        )
        if outcome is None:
            assert await timestamps.stamp(DIGEST)
        else:
            with pytest.raises(outcome):
                await timestamps.stamp(DIGEST)


async def test_a_server_that_is_not_there_is_unavailable(opened, tmp_path):
    timestamps = await opened.enter_async_context(
        open_timestamps("http://127.0.0.1:9/tsa", development_folder=tmp_path)
    )
    with pytest.raises(TimestampUnavailable):
        await timestamps.stamp(DIGEST)


async def test_an_address_that_is_none_is_refused_at_the_start(opened, tmp_path):
    with pytest.raises(ValueError, match="http"):
        await opened.enter_async_context(
            open_timestamps("ftp://tsa.example", development_folder=tmp_path)
        )
