"""The reader of multipart bodies alone, behind a real server: limits, pace, nothing left behind."""

import asyncio
import contextlib
import hashlib
import itertools
import json
import os
import random
import tempfile
import time
from pathlib import Path

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.requests import Request
from starlette.responses import JSONResponse

from acredita.api.middleware import REQUEST_ID, render
from acredita.api.uploads import (
    LARGEST_PART_HEADER,
    PIECE,
    Pace,
    received,
)
from acredita.domain.errors import DomainError
from acredita.kit.upload_limits import LARGEST_FILE, LIMITS
from tests.api.documents.live import BOUNDARY, CONTENT_TYPE, body, chunk, part, sender, served

ROLES = ("front", "back", "selfie")


def application(pace=None):
    """Answers with what it received; counts the blocks that ended well."""

    async def app(scope, receive, send):
        request = Request(scope, receive, send)
        try:
            async with received(request, roles=ROLES, pace=pace or Pace()) as form:
                answer = JSONResponse(
                    [
                        {
                            "role": file.role,
                            "size": file.size,
                            "sha256": file.sha256.hex(),
                            "read": hashlib.sha256(file.read()).hexdigest(),
                        }
                        for file in form.files
                    ]
                )
        except DomainError as fault:
            answer = render(fault, {**scope, REQUEST_ID: "r"})
        await answer(scope, receive, send)

    return app


@contextlib.asynccontextmanager
async def client_of(app):
    transport = httpx.ASGITransport(app=app)
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
        yield client


async def post(content, content_type=CONTENT_TYPE):
    async with client_of(application()) as client:
        headers = {"Content-Type": content_type} if content_type else {}
        return await client.post("/", content=content, headers=headers)


def code_of(answer):
    return answer.status_code, answer.json()["error"]["code"]


def nameless_files():
    """Open files of this process that lie, nameless, in the folder for temporary files."""
    links = set()
    for descriptor in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(OSError):  # closed since it was listed
            links.add(str(descriptor.readlink()))
    folder = tempfile.gettempdir()
    return {link for link in links if link.startswith(folder) and link.endswith("(deleted)")}


@pytest.fixture
def spooled_files():
    """The spooled files that are open now; pytest has nameless files of its own."""
    before = nameless_files()
    return lambda: nameless_files() - before


async def test_files_arrive_whole_with_their_roles_and_digests():
    contents = [b"", b"\r\n", b"--" + BOUNDARY, random.Random(1).randbytes(3_000_000)]
    answer = await post(body(*(part("front", content) for content in contents)))
    assert answer.status_code == 200
    for file, content in zip(answer.json(), contents, strict=True):
        digest = hashlib.sha256(content).hexdigest()
        assert file == {"role": "front", "size": len(content), "sha256": digest, "read": digest}


async def test_a_field_may_repeat_and_keeps_its_place():
    answer = await post(body(part("back", b"1"), part("front", b"2"), part("back", b"3")))
    assert [file["role"] for file in answer.json()] == ["back", "front", "back"]


@settings(max_examples=60)
@given(
    contents=st.lists(
        st.lists(
            st.sampled_from([b"\r", b"\n", b"-", b"--", b"\r\n--", BOUNDARY, b"x", b"\x00"]),
            max_size=12,
        ).map(b"".join),
        min_size=1,
        max_size=4,
    ),
    cuts=st.lists(st.integers(0, 400), max_size=8),
)
def test_wherever_the_body_is_cut_into_pieces_the_contents_are_the_same(contents, cuts):
    if any(b"\r\n--" + BOUNDARY in b"\r\n" + content + b"\r\n" for content in contents):
        return  # the content would end its own part
    whole = body(*(part("front", content) for content in contents))
    edges = sorted({0, len(whole), *(cut for cut in cuts if cut < len(whole))})
    pieces = [whole[start:end] for start, end in itertools.pairwise(edges)]

    async def stream():
        for piece in pieces:
            yield piece

    answer = asyncio.run(post(stream()))
    sizes = [file["size"] for file in answer.json()]
    assert sizes == [len(content) for content in contents]
    assert all(file["sha256"] == file["read"] for file in answer.json())


async def test_a_file_may_have_exactly_ten_megabytes_and_not_a_byte_more():
    largest = bytes(LARGEST_FILE)
    assert (await post(body(part("front", largest)))).json()[0]["size"] == 10_485_760
    answer = await post(body(part("front", largest + b"x")))
    assert code_of(answer) == (413, "FILE_TOO_LARGE")


async def test_ten_files_pass_and_eleven_do_not():
    assert len((await post(body(*[part()] * 10))).json()) == 10
    assert code_of(await post(body(*[part()] * 11))) == (422, "VALIDATION_ERROR")


@pytest.mark.parametrize(
    "content",
    [
        body(),
        b"",
        b"\r\n",
        body(part("unknown", b"x")),
        body(part("", b"x")),
        body(part("Front", b"x")),
        body(part("front", b"x", filename=None).replace(b"image/jpeg", b"text/plain")),
        body(part("front", b"x", filename=None).replace(b"Content-Type: image/jpeg\r\n", b"")),
        body(part("front", b"x"), part("comment", b"hello", filename=None)),
        body(part("front", b"x"))[:-6],
        body(part("front", b"x"))[: -len(BOUNDARY) - 8],
        part("front", b"x"),
        b"--" + BOUNDARY + b"\r\n\r\nno headers\r\n--" + BOUNDARY + b"--\r\n",
        b'--%s\r\nContent-Disposition: attachment; name="front"; filename="a"\r\n\r\nx\r\n--%s--'
        % (BOUNDARY, BOUNDARY),
        b"--%s\r\nContent-Disposition: form-data\r\n\r\nx\r\n--%s--" % (BOUNDARY, BOUNDARY),
        b"--another\r\n" + body(part("front", b"x")),
        b'{"front": "x"}',
        b"\x00" * 1000,
        part("front", filename="x" * LARGEST_PART_HEADER),
        part("front", b"x").replace(b"\r\n\r\n", b"\r\nX: y" * 9 + b"\r\n\r\n"),
        part("f" * LARGEST_PART_HEADER, b"x"),
        part("front", b"x").replace(
            b"\r\n\r\n", b'\r\nContent-Disposition: form-data; name="back"; filename="b"\r\n\r\n'
        )
        + body(),
    ],
)  # fmt: skip
async def test_what_is_not_a_form_of_files_is_not_valid(content, spooled_files):
    assert code_of(await post(content)) == (422, "VALIDATION_ERROR")
    assert spooled_files() == set()


@pytest.mark.parametrize(
    ("content_type", "status"),
    [
        (None, 415),
        ("application/json", 415),
        ("application/x-www-form-urlencoded", 415),
        ("multipart/mixed; boundary=x", 415),
        ("multipart/form-data", 422),
        ("multipart/form-data; boundary=", 422),
        ('multipart/form-data; boundary=""', 422),
        ("multipart/form-data; boundary=" + "x" * 71, 422),
        ("multipart/form-data; boundary=other", 422),
    ],
)
async def test_the_content_type_must_be_a_form_with_a_boundary(content_type, status):
    answer = await post(body(part("front", b"x")), content_type)
    assert answer.status_code == status


@pytest.mark.parametrize(
    "filename",
    ["../../etc/x", "/etc/passwd", "C:\\\\x", "a\x00b", "é" * 2048, "\u202egpj.exe", "", "a;b=c"],
)
async def test_the_file_name_is_of_no_account(filename):
    answer = await post(body(part("front", b"x", filename=filename)))
    assert answer.status_code == 200, answer.text


async def test_a_name_given_only_in_extended_form_is_a_file_too():
    content = (
        b"--%s\r\nContent-Disposition: form-data; name=\"front\"; filename*=utf-8''a%%C3%%B1o.jpg"
        b"\r\n\r\nx\r\n--%s--\r\n" % (BOUNDARY, BOUNDARY)
    )
    assert (await post(content)).json()[0]["size"] == 1


async def test_a_file_without_a_name_is_told_by_its_type():
    answer = await post(body(part("front", b"x", filename=None)))
    assert answer.json()[0]["size"] == 1


async def test_a_body_declared_too_large_is_refused_unread():
    async with served(application()) as port:
        headers = {"Content-Length": str(LIMITS.body_bytes + 1), "Expect": "100-continue"}
        async with sender(port, headers=headers) as sending:
            status, headers, content = await sending.answer()
            assert (status, json.loads(content)["error"]["code"]) == (413, "PAYLOAD_TOO_LARGE")
            assert headers["connection"] == "close"
            await sending.closed_by_server()


async def test_a_body_of_small_files_and_endless_epilogue_is_too_large():
    async def endless():
        yield body(part("front", b"x"))
        for _ in range(LIMITS.body_bytes // PIECE + 1):
            yield bytes(PIECE)

    assert code_of(await post(endless())) == (413, "PAYLOAD_TOO_LARGE")


async def test_a_client_that_reads_only_once_all_is_sent_learns_why_it_was_refused():
    """The rest of a slightly too large file is read, so the connection is not reset."""
    async with served(application()) as port:
        content = body(part("front", bytes(LARGEST_FILE + 2_000_000)))
        async with sender(port, headers={"Content-Length": str(len(content))}) as sending:
            await sending.send(content)
            status, headers, _ = await sending.answer()
            assert status == 413
            assert "connection" not in headers
            await sending.send(b"GET / HTTP/1.1\r\nHost: test\r\n\r\n")
            assert (await sending.answer())[0] == 415


async def test_a_length_that_promises_more_than_is_sent_times_out():
    async with served(application(Pace(idle=0.3))) as port:
        content = body(part("front", b"x"))
        async with sender(port, headers={"Content-Length": str(len(content) + 9)}) as sending:
            await sending.send(content)
            status, headers, _ = await sending.answer()
            assert (status, headers["connection"]) == (408, "close")
            await sending.closed_by_server()


async def test_a_length_that_promises_less_than_is_sent_cuts_the_body_off():
    async with served(application()) as port:
        content = body(part("front", b"x"))
        async with sender(port, headers={"Content-Length": str(len(content) - 9)}) as sending:
            await sending.send(content)
            status, _, _ = await sending.answer()
            # 422 by us, or 400 by the server where the rest had arrived: it is no HTTP request.
            assert status in (400, 422)


async def test_a_crawl_is_ended_although_it_never_pauses():
    pace = Pace(idle=5, window=0.5, window_bytes=1000)
    async with (
        served(application(pace)) as port,
        sender(port, headers={"Transfer-Encoding": "chunked"}) as sending,
    ):
        await sending.send(chunk(part("front", bytes(5000))[:-2]))
        answered = asyncio.create_task(sending.answer())
        started = time.monotonic()
        while not answered.done():
            await sending.send(chunk(b"x"))
            await asyncio.sleep(0.02)
        status, headers, _ = await answered
        assert (status, headers["connection"]) == (408, "close")
        assert time.monotonic() - started < 3
        await sending.closed_by_server()


async def test_a_body_that_takes_too_long_altogether_is_ended():
    pace = Pace(longest=0.5)
    async with (
        served(application(pace)) as port,
        sender(port, headers={"Transfer-Encoding": "chunked"}) as sending,
    ):
        await sending.send(chunk(part("front", b"")[:-2]))
        answered = asyncio.create_task(sending.answer())
        while not answered.done():
            await sending.send(chunk(bytes(1000)))
            await asyncio.sleep(0.01)
        assert (await answered)[0] == 408


async def test_a_client_that_hangs_up_leaves_nothing(spooled_files):
    async with served(application()) as port:
        async with sender(port, headers={"Content-Length": "20000000"}) as sending:
            await sending.send(part("front", bytes(5_000_000)))
            while not spooled_files():  # noqa: ASYNC110 (another server's state has no event)
                await asyncio.sleep(0.01)
        while spooled_files():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def test_spooled_files_have_no_name(spooled_files):
    before = set(os.listdir(tempfile.gettempdir()))  # noqa: PTH208
    async with (
        served(application()) as port,
        sender(port, headers={"Content-Length": "20000000"}) as sending,
    ):
        await sending.send(part("front", bytes(5_000_000)))
        while not spooled_files():  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        new = set(os.listdir(tempfile.gettempdir())) - before  # noqa: PTH208
        folder = Path(tempfile.gettempdir())
        assert [name for name in new if (folder / name).is_file()] == []


async def test_a_full_disk_for_spooling_is_unavailable(spooled_files):
    import resource
    import signal

    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (65536, limits[1]))
    try:
        answer = await post(body(part("front", bytes(1_000_000))))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)
    assert code_of(answer) == (503, "SERVICE_UNAVAILABLE")
    assert spooled_files() == set()
