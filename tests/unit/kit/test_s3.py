"""The bucket's own: addresses, signatures, faults, and hosts that mislead or hang."""

import asyncio
import os
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from aiohttp import web

from acredita.kit.storage import S3Address, StorageUnavailable, open_storage, s3
from tests.factories.object_storage import ACCESS, object_storage


@pytest.mark.parametrize(
    ("url", "base"),
    [
        ("s3://files-1", "https://files-1.s3.us-east-1.amazonaws.com"),
        ("s3://files.1?region=mx-central-1", "https://s3.mx-central-1.amazonaws.com/files.1"),
        ("s3://files/a/b?endpoint=http://minio:9000/", "http://minio:9000/files"),
        ("s3://files?endpoint=http://[::1]:9000", "http://[::1]:9000/files"),
    ],
)
def test_a_bucket_is_addressed_by_host_at_amazon_and_by_path_elsewhere(monkeypatch, url, base):
    for name in ("AWS_REGION", "AWS_DEFAULT_REGION"):
        monkeypatch.delenv(name, raising=False)
    assert S3Address.from_url(url).base == base


@pytest.mark.parametrize(
    "url",
    [
        "s3://",
        "s3://UPPER",
        "s3://user:password@files",
        "s3://files/../up",
        "s3://files/.hidden",
        "s3://files?unknown=1",
        "s3://files?region=a b",
        "s3://files?endpoint=ftp://host",
        "s3://files?endpoint=http://user@host",
        "s3://files?endpoint=http://host/path",
        "s3://files?encryption=rot13",
        "s3://files?kms_key=one",
        "s3://files#fragment",
        "https://files",
    ],
)
def test_an_address_that_is_none_is_refused(url):
    with pytest.raises(ValueError, match=r"written|prefix|unknown|region|endpoint|encryption"):
        S3Address.from_url(url)


@asynccontextmanager
async def bucket_at(endpoint, options=""):
    address = S3Address.from_url(f"s3://files/here?endpoint={endpoint}&region=us-east-1{options}")
    async with open_storage(address, **ACCESS) as bucket:
        yield bucket


@asynccontextmanager
async def server(handle):
    """An HTTP server, with all requests that it heard."""
    heard = []

    async def remember(request):
        heard.append((request.method, request.path, dict(request.headers), await request.read()))
        return await handle(request)

    app = web.Application(client_max_size=2**26)
    app.router.add_route("*", "/{path:.*}", remember)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}", heard
    finally:
        await runner.cleanup()


def operations(bucket):
    return [
        bucket.put("org/one", b"content"),
        bucket.put_file("org/one", Path(__file__)),
        bucket.get("org/one"),
        bucket.get_file("org/one", Path(os.devnull)),
        bucket.delete("org/one"),
        bucket.exists("org/one"),
        bucket.list(),
    ]


async def every_operation_fails(bucket, match):
    for operation in operations(bucket):
        with pytest.raises(StorageUnavailable, match=match) as caught:
            await operation
        assert "org" not in str(caught.value)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_no_redirect_is_followed(status):
    async def elsewhere(_):
        return web.Response(body=b"content")

    async with server(elsewhere) as (other, heard_there):

        async def redirect(request):
            return web.Response(status=status, headers={"Location": other + request.path})

        async with server(redirect) as (endpoint, heard), bucket_at(endpoint) as bucket:
            await every_operation_fails(bucket, f"HTTP {status}")
    assert heard_there == []
    assert len(heard) == 7


async def test_a_server_that_fails_is_asked_three_times(monkeypatch):
    monkeypatch.setattr(s3, "FIRST_PAUSE", 0.001)
    answers = iter([500, 503, 200])

    async def recovers(_):
        return web.Response(status=next(answers))

    async with server(recovers) as (endpoint, heard), bucket_at(endpoint) as bucket:
        await bucket.put("org/one", b"content")
    assert [body for *_, body in heard] == [b"content"] * 3

    async def fails(_):
        return web.Response(status=503, text="<Error><Code>SlowDown</Code></Error>")

    async with server(fails) as (endpoint, heard), bucket_at(endpoint) as bucket:
        with pytest.raises(StorageUnavailable, match="SlowDown"):
            await bucket.get("org/one")
    assert len(heard) == 3


async def test_a_server_that_hangs_or_is_away_is_unavailable(monkeypatch):
    monkeypatch.setattr(s3, "FIRST_PAUSE", 0.001)
    monkeypatch.setattr(s3, "OPERATION_TIMEOUT", 0.2)
    monkeypatch.setattr(s3, "FILE_TIMEOUT", 0.2)

    async def hang(_):
        await asyncio.sleep(60)

    async with server(hang) as (endpoint, _), bucket_at(endpoint) as bucket:
        await every_operation_fails(bucket, "TimedOut")
    async with bucket_at(endpoint) as bucket:
        await every_operation_fails(bucket, "nothing listens at its address|TimedOut")


async def test_a_body_without_end_is_cut_off(monkeypatch):
    monkeypatch.setattr(s3, "LARGEST_ANSWER", 100_000)

    async def flood(request):
        response = web.StreamResponse()
        await response.prepare(request)
        try:
            while True:
                await response.write(bytes(65536))
        except ConnectionError:
            return response

    async with server(flood) as (endpoint, _), bucket_at(endpoint) as bucket:
        with pytest.raises(StorageUnavailable, match="AnswerTooLarge"):
            await bucket.get("org/one")


async def test_a_file_may_exceed_what_is_kept_in_memory_but_not_the_disk(monkeypatch, tmp_path):
    monkeypatch.setattr(s3, "LARGEST_ANSWER", 100_000)
    content = bytes(range(256)) * 4_000
    sent, kept = tmp_path / "sent", tmp_path / "kept"
    sent.write_bytes(content)
    with object_storage() as s3_server:
        address = S3Address.from_url(s3_server.url(s3_server.new_bucket()))
        async with open_storage(address, **ACCESS) as bucket:
            await bucket.put_file("org/one", sent)
            await bucket.get_file("org/one", kept)
            assert kept.read_bytes() == content
            monkeypatch.setattr(s3, "LARGEST_FILE", 1_000_000)
            with pytest.raises(StorageUnavailable, match="AnswerTooLarge"):
                await bucket.get_file("org/one", kept)


async def test_each_attempt_sends_and_saves_a_file_from_its_beginning(monkeypatch, tmp_path):
    monkeypatch.setattr(s3, "FIRST_PAUSE", 0.001)
    sent, kept = tmp_path / "sent", tmp_path / "kept"
    sent.write_bytes(b"content")

    async def recovers(request):
        if len(heard) < 3:
            return web.Response(status=503, text="no content")
        return web.Response(body=b"" if request.method == "PUT" else b"content")

    async with server(recovers) as (endpoint, heard), bucket_at(endpoint) as bucket:
        await bucket.put_file("org/one", sent)
        assert [body for *_, body in heard] == [b"content"] * 3
        heard.clear()
        await bucket.get_file("org/one", kept)
        assert kept.read_bytes() == b"content"


async def test_a_bucket_that_is_not_there_is_unavailable_and_not_empty():
    with object_storage() as s3_server:
        async with bucket_at(s3_server.endpoint) as bucket:
            for operation in (
                bucket.put("org/one", b"content"),
                bucket.get("org/one"),
                bucket.list(),
            ):
                with pytest.raises(StorageUnavailable, match="NoSuchBucket"):
                    await operation


async def test_the_server_is_asked_to_encrypt_when_the_address_says_so():
    async def take(_):
        return web.Response()

    options = "&encryption=aws:kms&kms_key=key-1"
    async with server(take) as (endpoint, heard), bucket_at(endpoint, options) as bucket:
        await bucket.put("org/one", b"content")
    ((method, path, headers, body),) = heard
    assert (method, path, body) == ("PUT", "/files/here/org/one", b"content")
    assert headers["x-amz-server-side-encryption"] == "aws:kms"
    assert headers["x-amz-server-side-encryption-aws-kms-key-id"] == "key-1"
    signed = headers["Authorization"].partition("SignedHeaders=")[2].partition(",")[0].split(";")
    assert {"host", "x-amz-content-sha256", "x-amz-server-side-encryption"} <= set(signed)


async def test_objects_of_others_in_the_bucket_are_not_listed():
    with object_storage() as s3_server:
        name = s3_server.new_bucket()
        for key in ("here/Report 1.pdf", "here/a/b.txt", "here/a/ours", "here2/a", "other"):
            s3_server.client.put_object(Bucket=name, Key=key, Body=b"x")
        address = S3Address.from_url(s3_server.url(name, "here"))
        async with open_storage(address, **ACCESS) as bucket:
            keys, after = [], ""
            while after is not None:
                page = await bucket.list(after=after, limit=1)
                keys += [file.key for file in page.files]
                after = page.after
    assert keys == ["a/ours"]


async def test_without_keys_of_ours_those_of_the_environment_sign(monkeypatch):
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "from-the-environment")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    monkeypatch.setenv("AWS_SESSION_TOKEN", "session")

    async def take(_):
        return web.Response()

    async with (
        server(take) as (endpoint, heard),
        open_storage(S3Address.from_url(f"s3://files?endpoint={endpoint}")) as bucket,
    ):
        await bucket.put("org/one", b"content")
    headers = heard[0][2]
    assert "Credential=from-the-environment/" in headers["Authorization"]
    assert headers["X-Amz-Security-Token"] == "session"


async def test_without_any_keys_the_storage_does_not_open(monkeypatch, tmp_path):
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "none"))
    with pytest.raises(ValueError, match="no credentials"):
        async with open_storage(S3Address.from_url("s3://files")):
            pass
