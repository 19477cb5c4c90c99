"""Files in a bucket of an S3-compatible service.

botocore finds the credentials and signs requests; this module sends them. Other clients failed our
tests (2026-11): obstore followed a redirect of a GET to another host, and aiobotocore's PUT to an
HTTP/1.0 server hung for over ten minutes in spite of its time-outs.
"""

import asyncio
import random
import re
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO, Self
from urllib.parse import quote, unquote, urlencode
from xml.etree import ElementTree as ET

import aiohttp
from botocore.auth import S3SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from botocore.session import Session
from yarl import URL

from acredita.kit.storage.protocol import (
    KEY,
    Listing,
    NoSuchFile,
    StorageUnavailable,
    StoredFile,
    check_key,
    check_page,
)
from acredita.kit.storage.s3_address import S3Address
from acredita.kit.unreachable import reason

# Seconds: to connect, between two reads, for an operation with its retries.
CONNECT_TIMEOUT = 3.0
SILENCE_TIMEOUT = 10.0
OPERATION_TIMEOUT = 30.0
# Of `put_file` and `get_file`: for a gigabyte at 14 Mbit/s. Silence ends them earlier.
FILE_TIMEOUT = 600.0
ATTEMPTS = 3
FIRST_PAUSE = 0.2
# Bytes that are kept in memory.
LARGEST_ANSWER = 64 * 1024 * 1024
LARGEST_FILE = 8 * 1024**3
SAVED_AT_ONCE = 1024 * 1024
SLOW_DOWN = 429
ERROR_CODE = re.compile(rb"<Code>([A-Za-z0-9]{1,64})</Code>")
XMLNS = "{http://s3.amazonaws.com/doc/2006-03-01/}"


@dataclass(frozen=True, slots=True)
class _Answer:
    status: int
    body: bytes

    @property
    def is_worth_repeating(self) -> bool:
        return self.status >= 500 or self.status == SLOW_DOWN

    @property
    def fault(self) -> str:
        """The service's error code, without its message, which contains the key."""
        code = ERROR_CODE.search(self.body)
        return code[1].decode() if code else f"HTTP {self.status}"


async def find_credentials(access_key_id: str, secret_access_key: str) -> Credentials:
    """Return the given credentials, else those of the AWS environment (AWS_*, profile, role).

    Raise ValueError if there are none.
    """
    if access_key_id:
        return Credentials(access_key_id, secret_access_key)
    found = await asyncio.to_thread(Session().get_credentials)
    if found is None:
        raise ValueError(
            "no credentials for the S3 storage, neither in ACREDITA_ nor in AWS_ variables"
        )
    return found


class S3Bucket:
    """A Storage in an S3 bucket. Open it as an async context manager."""

    def __init__(self, address: S3Address, credentials: Credentials, tls: ssl.SSLContext) -> None:
        self._address = address
        self._tls = tls
        self._credentials = credentials
        self._folder = f"{address.prefix}/" if address.prefix else ""
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        self._session = aiohttp.ClientSession(
            timeout=aiohttp.ClientTimeout(
                total=None, sock_connect=CONNECT_TIMEOUT, sock_read=SILENCE_TIMEOUT
            ),
            connector=aiohttp.TCPConnector(limit=32, ssl=self._tls),
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            trust_env=False,
            skip_auto_headers=("Content-Type", "User-Agent", "Accept-Encoding"),
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._session is not None:
            await self._session.close()

    async def put(self, key: str, content: bytes) -> None:
        await self._put(key, content)

    async def put_file(self, key: str, path: Path) -> None:
        await self._put(key, path)

    async def _put(self, key: str, content: bytes | Path) -> None:
        headers = {}
        if self._address.encryption:
            headers["x-amz-server-side-encryption"] = self._address.encryption
        if self._address.kms_key:
            headers["x-amz-server-side-encryption-aws-kms-key-id"] = self._address.kms_key
        url = self._url(key)
        # On cancellation, wait for the end of the PUT, so that the caller knows what to undo.
        work = asyncio.ensure_future(self._ask("PUT", url, content, headers))
        try:
            answer = await asyncio.shield(work)
        except asyncio.CancelledError:
            await asyncio.wait([work])
            # Retrieved: nobody else asks for it.
            work.exception()
            raise
        if answer.status != 200:
            raise StorageUnavailable(answer.fault)

    async def get(self, key: str) -> bytes:
        return _found(await self._ask("GET", self._url(key)))

    async def get_file(self, key: str, path: Path) -> None:
        _found(await self._ask("GET", self._url(key), to=path))

    async def delete(self, key: str) -> None:
        answer = await self._ask("DELETE", self._url(key))
        gone = answer.status == 404 and answer.fault == "NoSuchKey"
        if answer.status not in {200, 204} and not gone:
            raise StorageUnavailable(answer.fault)

    async def exists(self, key: str) -> bool:
        answer = await self._ask("HEAD", self._url(key))
        if answer.status not in {200, 404}:
            raise StorageUnavailable(answer.fault)
        return answer.status == 200

    async def list(self, prefix: str = "", *, after: str = "", limit: int = 1000) -> Listing:
        check_page(prefix, limit)
        query = {
            "encoding-type": "url",
            "list-type": "2",
            "max-keys": str(limit),
            "prefix": self._folder + (f"{prefix}/" if prefix else ""),
        }
        if after:
            query["start-after"] = self._folder + after
        url = f"{self._address.base}?{urlencode(query, quote_via=quote, safe='')}"
        answer = await self._ask("GET", url)
        if answer.status != 200:
            raise StorageUnavailable(answer.fault)
        try:
            return self._listing(answer.body)
        except (ET.ParseError, ValueError):
            raise StorageUnavailable("UnreadableListing") from None

    def _listing(self, body: bytes) -> Listing:
        page = ET.fromstring(body)  # noqa: S314 (expat limits entity expansion)
        keys = [unquote(item.findtext(f"{XMLNS}Key", "")) for item in page.iter(f"{XMLNS}Contents")]
        names = [key.removeprefix(self._folder) for key in keys]
        files = [
            StoredFile(
                name,
                int(item.findtext(f"{XMLNS}Size", "")),
                datetime.fromisoformat(item.findtext(f"{XMLNS}LastModified", "")),
            )
            for name, item in zip(names, page.iter(f"{XMLNS}Contents"), strict=True)
            if KEY.fullmatch(name)
        ]
        more = page.findtext(f"{XMLNS}IsTruncated") == "true"
        return Listing(files, names[-1] if more and names else None)

    def _url(self, key: str) -> str:
        return f"{self._address.base}/{self._folder}{check_key(key)}"

    async def _ask(
        self,
        method: str,
        url: str,
        body: bytes | Path = b"",
        headers: Mapping[str, str] | None = None,
        *,
        to: Path | None = None,
    ) -> _Answer:
        """Send a request, with retries. Operations are idempotent: a key's content never changes.

        `to`: the file for the content of a successful answer, whose body is then empty. Raise
        StorageUnavailable.
        """
        try:
            is_file = to is not None or isinstance(body, Path)
            async with asyncio.timeout(FILE_TIMEOUT if is_file else OPERATION_TIMEOUT):
                for attempt in range(1, ATTEMPTS):
                    try:
                        answer = await self._exchange(method, url, body, headers or {}, to)
                    except aiohttp.ClientError:
                        pass
                    else:
                        if not answer.is_worth_repeating:
                            return answer
                    await asyncio.sleep(FIRST_PAUSE * 2**attempt * random.uniform(0.5, 1))
                return await self._exchange(method, url, body, headers or {}, to)
        except aiohttp.ClientError as fault:
            raise StorageUnavailable(f"the bucket cannot be reached: {reason(fault)}") from None
        except TimeoutError:
            raise StorageUnavailable("TimedOut") from None

    async def _exchange(
        self,
        method: str,
        url: str,
        body: bytes | Path,
        headers: Mapping[str, str],
        to: Path | None,
    ) -> _Answer:
        if self._session is None:
            raise RuntimeError("the bucket is not open")
        with body.open("rb") if isinstance(body, Path) else BytesIO(body) as content:
            # In a thread: signing hashes the body and may refresh the machine's credentials.
            signed = await asyncio.to_thread(self._signed, method, url, content, headers)
            async with self._session.request(
                method,
                URL(url, encoded=True),
                data=content if body else None,
                headers=signed,
                # A file's content must not go to another host.
                allow_redirects=False,
            ) as response:
                if to is None or response.status != 200:
                    return _Answer(response.status, await _read(response))
                await _save(response, to)
                return _Answer(response.status, b"")

    def _signed(
        self, method: str, url: str, body: BinaryIO, headers: Mapping[str, str]
    ) -> dict[str, str]:
        request: Any = AWSRequest(method=method, url=url, data=body, headers=dict(headers))
        frozen = self._credentials.get_frozen_credentials()
        S3SigV4Auth(frozen, "s3", self._address.region).add_auth(request)
        return dict(request.headers.items())


def _found(answer: _Answer) -> bytes:
    """The content of the file. Raise NoSuchFile, StorageUnavailable."""
    if answer.status == 404 and answer.fault == "NoSuchKey":
        raise NoSuchFile
    if answer.status != 200:
        raise StorageUnavailable(answer.fault)
    return answer.body


async def _save(response: aiohttp.ClientResponse, path: Path) -> None:
    with path.open("wb") as file:
        async for chunk in response.content.iter_chunked(SAVED_AT_ONCE):
            await asyncio.to_thread(file.write, chunk)
            if file.tell() > LARGEST_FILE:
                raise StorageUnavailable("AnswerTooLarge")


async def _read(response: aiohttp.ClientResponse) -> bytes:
    content = bytearray()
    async for chunk in response.content.iter_any():
        content += chunk
        if len(content) > LARGEST_ANSWER:
            raise StorageUnavailable("AnswerTooLarge")
    return bytes(content)
