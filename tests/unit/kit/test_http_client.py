"""The client against real receivers over TLS, honest and hostile."""

import asyncio
import os
import ssl
import threading
import time
import warnings
from datetime import UTC, datetime

import aiohttp
import pytest
import trustme

from acredita.kit.http import (
    ConnectionFailed,
    ForbiddenAddress,
    HttpClient,
    InvalidTarget,
    TimedOut,
)
from acredita.kit.http.client import LONGEST_BODY, VettingConnector
from acredita.kit.http.resolver import VettingResolver
from tests.factories.receiver import (
    HOST,
    Receiver,
    answer,
    endless_body,
    gzip_bomb,
    hang,
    huge_header,
    many_headers,
    reset,
    serve,
    slow_body,
)


@pytest.fixture
async def client(authority):
    """May dial loopback."""
    async with HttpClient(
        timeout=5, allow_private=True, ca_file=authority.ca_file, overrides=authority.names
    ) as client:
        yield client


@pytest.fixture
async def guarded(authority):
    """May not."""
    async with HttpClient(
        timeout=5, ca_file=authority.ca_file, overrides=authority.names
    ) as client:
        yield client


async def test_an_exchange_carries_body_and_headers_both_ways(authority, client):
    async with authority.receiver(answer(201, b"made", X_Answer="yes")) as receiver:
        response = await client.request(
            "POST", receiver.url("/a?b=c"), headers={"X-Question": "why"}, body=b"{}"
        )
        assert (response.status, response.body, response.truncated) == (201, b"made", False)
        assert response.is_success
        assert response.headers["x-answer"] == "yes"
        (request,) = receiver.received
        assert (request.path, request.body) == ("/a", b"{}")
        assert request.headers["x-question"] == "why"
        assert request.headers["accept-encoding"] == "identity"


async def test_a_conversation_reuses_its_connection(authority, client):
    async with authority.receiver() as receiver, client.conversation() as conversation:
        for _ in range(3):
            await conversation.request("POST", receiver.url(), body=b"{}")
        assert len({request.peer for request in receiver.received}) == 1


async def test_connections_are_shared_with_nobody_else(authority, client):
    async with (
        authority.receiver() as receiver,
        client.conversation() as one,
        client.conversation() as other,
    ):
        for each in (one, other, client, client):
            await each.request("POST", receiver.url(), body=b"{}")
        assert len({request.peer for request in receiver.received}) == 4


async def test_cookies_are_not_kept(authority, client):
    async with authority.receiver(answer(200, Set_Cookie="session=1; Path=/")) as receiver:
        await client.request("GET", receiver.url())
        await client.request("GET", receiver.url())
        assert "cookie" not in receiver.received[1].headers


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_redirects_are_not_followed(authority, client, status):
    async with authority.receiver(answer(status, Location="/elsewhere")) as receiver:
        response = await client.request("POST", receiver.url(), body=b"{}")
        assert response.status == status
        assert not response.is_success
        assert [request.path for request in receiver.received] == ["/hook"]


@pytest.mark.parametrize("behaviour", [hang, slow_body])
async def test_the_whole_exchange_is_bounded_in_time(authority, client, behaviour):
    async with authority.receiver(behaviour) as receiver:
        start = time.monotonic()
        with pytest.raises(TimedOut):
            await client.request("POST", receiver.url(), body=b"{}", timeout=0.4)
        assert 0.35 < time.monotonic() - start < 2


async def test_a_tls_handshake_that_never_ends_is_bounded_in_time(authority, client):
    async def say_nothing(reader, writer):
        await reader.read()
        writer.close()

    server = await asyncio.start_server(say_nothing, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(TimedOut):
            await client.request("POST", f"https://{HOST}:{port}/", body=b"{}", timeout=0.4)


async def test_a_resolver_that_never_answers_is_bounded_in_time(authority, tmp_path):
    stuck = tmp_path / "stuck"
    os.mkfifo(stuck)  # reading it blocks until someone writes
    async with HttpClient(timeout=0.3, allow_private=True, overrides=stuck) as client:
        with pytest.raises(TimedOut):
            await client.request("GET", "https://slow.test/")
        await asyncio.to_thread(stuck.write_text, "")


async def test_a_name_that_is_not_answered_holds_one_thread_and_no_other_name(authority, tmp_path):
    stuck = tmp_path / "stuck"
    os.mkfifo(stuck)
    resolver = VettingResolver(allow_private=True, overrides=stuck)
    asked = [asyncio.create_task(resolver.addresses("slow.test")) for _ in range(200)]
    await asyncio.sleep(0.05)
    assert sum(thread.name.startswith("resolve") for thread in threading.enumerate()) == 1
    asked.pop().cancel()  # who goes away does not take the question along
    await asyncio.to_thread(stuck.write_text, "slow.test 8.8.8.8\n")
    answers = await asyncio.gather(*asked)
    assert {str(address) for (address,) in answers} == {"8.8.8.8"}
    # The next request resolves the name again.
    again = asyncio.create_task(resolver.addresses("slow.test"))
    await asyncio.to_thread(stuck.write_text, "slow.test 9.9.9.9\n")
    assert [str(address) for address in await again] == ["9.9.9.9"]
    await resolver.close()


async def test_a_huge_body_is_cut(authority, client):
    async with authority.receiver(endless_body) as receiver:
        response = await client.request("POST", receiver.url(), body=b"{}")
        assert (response.status, response.truncated) == (200, True)
        assert len(response.body) == LONGEST_BODY
        # Beside what was read, only the buffers of both kernels were filled.
        assert receiver.bytes_sent < 16 << 20


async def test_a_gzip_bomb_is_not_inflated(authority, client):
    async with authority.receiver(gzip_bomb) as receiver:
        response = await client.request("POST", receiver.url(), body=b"{}")
        assert response.status == 200
        assert response.body[:2] == b"\x1f\x8b"
        assert len(response.body) < LONGEST_BODY


@pytest.mark.parametrize(
    ("behaviour", "word"), [(huge_header, "too_large"), (many_headers, "invalid_response")]
)
async def test_oversized_headers_are_refused(authority, client, behaviour, word):
    async with authority.receiver(behaviour) as receiver:
        with pytest.raises(ConnectionFailed) as caught:
            await client.request("POST", receiver.url(), body=b"{}")
        assert caught.value.word == word


async def test_a_reset_is_a_failure_and_is_not_sent_again(authority, client):
    async with authority.receiver(answer(200), reset) as receiver:
        await client.request("POST", receiver.url(), body=b"{}")
        with pytest.raises(ConnectionFailed) as caught:
            await client.request("POST", receiver.url(), body=b"{}")
        assert caught.value.word == "disconnected"
        assert len(receiver.received) == 2


async def test_nobody_listening_is_a_failure(authority, client):
    async with authority.receiver() as receiver:
        url = receiver.url()
    with pytest.raises(ConnectionFailed) as caught:
        await client.request("POST", url, body=b"{}")
    assert caught.value.word == "refused"


async def test_an_unknown_name_is_a_failure(authority, client):
    authority.name("nowhere.test")
    with pytest.raises(ConnectionFailed) as caught:
        await client.request("GET", "https://nowhere.test/")
    assert caught.value.word == "dns"


class TestCertificates:
    async def test_of_another_host_are_refused(self, authority, client):
        authority.name("other.test", "127.0.0.1")
        async with authority.receiver(host="wrong.test") as receiver:
            await self._refused(client, receiver, "other.test")

    async def test_of_an_unknown_authority_are_refused(self, authority, client, tmp_path):
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        trustme.CA().issue_cert(HOST).configure_cert(context)
        async with serve(Receiver(), context) as receiver:
            await self._refused(client, receiver, HOST)

    async def test_that_have_expired_are_refused(self, authority, client):
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        past = datetime(2020, 1, 1, tzinfo=UTC)
        authority.ca.issue_cert(HOST, not_after=past).configure_cert(context)
        async with serve(Receiver(), context) as receiver:
            await self._refused(client, receiver, HOST)

    async def test_with_a_protocol_of_old_are_refused(self, authority, client):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.set_ciphers("ALL:@SECLEVEL=0")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            context.minimum_version = ssl.TLSVersion.TLSv1
            context.maximum_version = ssl.TLSVersion.TLSv1_1
        authority.ca.issue_cert(HOST).configure_cert(context)
        async with serve(Receiver(), context) as receiver:
            # Which side hangs up first decides the word.
            await self._refused(client, receiver, HOST, words={"tls", "refused"})

    async def test_plain_http_on_a_tls_port_gets_nothing(self, authority, client):
        async with serve(Receiver(), None) as receiver:
            receiver.scheme = "https"
            await self._refused(client, receiver, HOST)

    async def _refused(self, client, receiver, host, words=frozenset({"tls"})):
        with pytest.raises(ConnectionFailed) as caught:
            await client.request("POST", receiver.url(host=host), body=b"secret")
        assert caught.value.word in words
        assert receiver.received == []


class TestForbiddenAddresses:
    async def test_a_name_that_leads_inside_is_not_dialled(self, authority, guarded):
        async with authority.receiver() as receiver:
            with pytest.raises(ForbiddenAddress):
                await guarded.request("POST", receiver.url(), body=b"{}")
            assert receiver.received == []

    @pytest.mark.parametrize("host", ["127.0.0.1", "[::ffff:127.0.0.1]"])
    async def test_a_literal_is_not_dialled(self, authority, guarded, host):
        async with authority.receiver() as receiver:
            with pytest.raises(ForbiddenAddress):
                await guarded.request("POST", receiver.url(host=host), body=b"{}")
            assert receiver.received == []

    async def test_the_systems_own_names_are_not_dialled(self, guarded):
        with pytest.raises(ForbiddenAddress):
            await guarded.check_target("https://localhost/")

    async def test_one_bad_answer_condemns_the_name(self, authority, guarded):
        authority.name("mixed.test", "8.8.8.8", "127.0.0.1")
        async with authority.receiver() as receiver:
            url = receiver.url(host="mixed.test")
            with pytest.raises(ForbiddenAddress):
                await guarded.check_target(url)
            with pytest.raises(ForbiddenAddress):
                await guarded.request("POST", url, body=b"{}")
            assert receiver.received == []

    async def test_a_name_that_is_rebound_after_its_check_is_not_dialled(self, authority, guarded):
        async with authority.receiver() as receiver:
            authority.names.write_text(f"{HOST} 8.8.8.8\n")
            await guarded.check_target(receiver.url())
            authority.names.write_text(f"{HOST} 127.0.0.1\n")
            with pytest.raises(ForbiddenAddress):
                await guarded.request("POST", receiver.url(), body=b"{}")
            assert receiver.received == []

    async def test_the_peer_is_checked_although_the_resolver_lied(self, authority):
        """The last wall alone: nothing of the request reaches a peer that is not public."""
        trust = ssl.create_default_context(cafile=authority.ca_file)
        lying = VettingResolver(allow_private=True, overrides=authority.names)
        connector = VettingConnector(
            allow_private=False, resolver=lying, trust=trust, keep_alive=False
        )
        async with (
            authority.receiver() as receiver,
            aiohttp.ClientSession(connector=connector) as s,
        ):
            with pytest.raises(ForbiddenAddress):
                await s.post(receiver.url(), data=b"secret")
            assert receiver.received == []
        await lying.close()


async def test_a_name_without_an_answer_may_be_registered(authority, guarded):
    authority.name("later.test")
    await guarded.check_target("https://later.test/hook")


async def test_plain_http_may_not_be_registered(guarded):
    with pytest.raises(InvalidTarget):
        await guarded.check_target("http://example.com/")


async def test_proxies_of_the_environment_are_ignored(authority, client, monkeypatch):
    async with serve(Receiver(), None) as canary, authority.receiver() as receiver:
        for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{canary.port}")
        response = await client.request("POST", receiver.url(), body=b"{}")
        assert response.is_success
        assert canary.received == []


async def test_closing_leaves_no_resolver_thread_behind(authority):
    async with HttpClient(timeout=1, allow_private=True, overrides=authority.names) as client:
        with pytest.raises(ConnectionFailed):
            await client.request("GET", f"https://{HOST}:1/")
    for thread in threading.enumerate():
        if thread.name.startswith("resolve"):
            await asyncio.to_thread(thread.join, 5)
            assert not thread.is_alive()
