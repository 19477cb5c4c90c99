"""Downloads a list's files from the configured URLs.

The operator chooses the URL, so any host is allowed, but its answer is untrusted: time and size are
limited, compressed answers are refused and proxies of the environment are ignored. At most two
redirects are followed, to the same host, or by HTTPS to a host that the catalogue allows for the
publisher (OFAC redirects each request to a signed URL of its storage).
"""

import asyncio
import hashlib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import aiohttp

from acredita.kit.trust import trusting
from acredita.providers.watchlists.text import CHUNK

MOST_REDIRECTS = 2
# Seconds: to connect, and between two chunks of a body.
CONNECT_TIMEOUT = 20.0
SILENCE = 60.0
# Identifies this client to publishers.
USER_AGENT = "Service-Watchlists/1.0"


# Receives the URL, the bytes so far, and the size if the server states it.
OnProgress = Callable[[str, int, int | None], object]


class DownloadFailed(Exception):
    """A download failed. The message says why and quotes nothing from the answer."""


@dataclass(frozen=True, slots=True)
class Validators:
    """The HTTP validators and SHA-256 (hex) of the last download.

    `version`: the publisher's, of a list that is published in versions.
    """

    etag: str = ""
    last_modified: str = ""
    sha256: str = ""
    version: str = ""

    @property
    def headers(self) -> dict[str, str]:
        headers = {"If-None-Match": self.etag, "If-Modified-Since": self.last_modified}
        return {name: value for name, value in headers.items() if value}


class Downloads:
    """An async context manager. `limit`: bytes per file. `timeout`: seconds per file."""

    def __init__(
        self,
        *,
        timeout: float,
        limit: int,
        ca_file: Path | None = None,
        on_progress: OnProgress = lambda _url, _bytes, _size: None,
    ) -> None:
        self._timeout = timeout
        self._limit = limit
        self._on_progress = on_progress
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(ssl=trusting(ca_file)),
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            trust_env=False,
            timeout=aiohttp.ClientTimeout(
                total=None, sock_connect=CONNECT_TIMEOUT, sock_read=SILENCE
            ),
        )

    async def __aenter__(self) -> "Downloads":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._session.close()

    async def fetch(
        self,
        address: str,
        path: Path,
        *,
        known: Validators | None = None,
        redirects_to: Collection[str] = (),
    ) -> Validators | None:
        """Download to `path`. Return None if the file has not changed since `known`.

        Raise DownloadFailed.
        """
        try:
            async with asyncio.timeout(self._timeout):
                return await self._follow(address, path, known or Validators(), redirects_to)
        except TimeoutError:
            raise DownloadFailed(
                f"the download took over {self._timeout:g} s (ACREDITA_AML_REFRESH_TIMEOUT)"
            ) from None
        except (aiohttp.ClientError, OSError) as fault:
            raise DownloadFailed(f"the connection failed ({type(fault).__name__})") from None

    async def _follow(
        self, address: str, path: Path, known: Validators, redirects_to: Collection[str]
    ) -> Validators | None:
        for _ in range(MOST_REDIRECTS + 1):
            async with self._session.get(
                address,
                headers={"User-Agent": USER_AGENT, "Accept-Encoding": "identity", **known.headers},
                allow_redirects=False,
            ) as response:
                if response.status == HTTPStatus.NOT_MODIFIED:
                    return None
                if response.status in {301, 302, 303, 307, 308}:
                    address = _redirect_target(address, response.headers, redirects_to)
                    continue
                if response.status != HTTPStatus.OK:
                    raise DownloadFailed(f"the server answers {response.status}")
                digest = await self._write(response, path)
                etag = response.headers.get("ETag", "")
                modified = response.headers.get("Last-Modified", "")
                return None if digest == known.sha256 else Validators(etag, modified, digest)
        raise DownloadFailed("the server redirects too often")

    def _too_large(self) -> DownloadFailed:
        return DownloadFailed(
            f"the file is larger than {self._limit >> 20} MiB (ACREDITA_AML_REFRESH_LIMIT)"
        )

    async def _write(self, response: aiohttp.ClientResponse, path: Path) -> str:
        if response.headers.get("Content-Encoding", "identity") != "identity":
            raise DownloadFailed("the answer is compressed although the request forbids it")
        if (response.content_length or 0) > self._limit:
            raise self._too_large()
        digest, size = hashlib.sha256(), 0
        with path.open("wb") as file:
            async for piece in response.content.iter_chunked(CHUNK):
                size += len(piece)
                if size > self._limit:
                    raise self._too_large()
                digest.update(piece)
                await asyncio.to_thread(file.write, piece)
                self._on_progress(str(response.url), size, response.content_length)
        return digest.hexdigest()


def _redirect_target(
    address: str, headers: Mapping[str, str], redirects_to: Collection[str]
) -> str:
    target = urljoin(address, headers.get("Location", ""))
    here, there = urlsplit(address), urlsplit(target)
    host = there.hostname or ""
    is_same = (there.scheme, there.netloc) == (here.scheme, here.netloc)
    is_known = there.scheme == "https" and any(host.endswith(end) for end in redirects_to)
    if not (is_same or is_known):
        raise DownloadFailed("the server redirects to another host")
    return target
