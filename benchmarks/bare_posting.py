"""The baseline of benchmarks.deliveries: a loop that only posts the requests that it gets."""

import asyncio
import pickle
import ssl
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import aiohttp
import uvloop
from aiohttp.abc import AbstractResolver, ResolveResult
from yarl import URL

AT_A_TIME = 8


class Loopback(AbstractResolver):
    async def resolve(self, host: str, port: int = 0, family: int = 0) -> list[ResolveResult]:
        return [
            ResolveResult(
                hostname=host, host="127.0.0.1", port=port, family=family, proto=0, flags=0
            )
        ]

    async def close(self) -> None:
        pass


async def post_all(url: URL, requests: list[tuple[dict[str, str], bytes]], ca_file: Path) -> None:
    connector = aiohttp.TCPConnector(
        ssl=ssl.create_default_context(cafile=ca_file), resolver=Loopback()
    )
    async with aiohttp.ClientSession(connector=connector) as session:
        shared = iter(requests)
        await asyncio.gather(*(_post(session, url, shared) for _ in range(AT_A_TIME)))


async def _post(
    session: aiohttp.ClientSession, url: URL, requests: Iterator[tuple[dict[str, str], bytes]]
) -> None:
    for headers, body in requests:
        async with session.post(url, data=body, headers=headers) as response:
            await response.read()


def main() -> None:
    folder = Path(sys.argv[1])
    url, requests = pickle.loads((folder / "requests").read_bytes())  # noqa: S301 (our own)
    for headers, _ in requests:
        # The loop's own affair, as it is our client's.
        headers.pop("Host", None)
        headers.pop("Content-Length", None)
    began = time.process_time()
    uvloop.run(post_all(URL(url), requests, folder / "ca.pem"))
    print(time.process_time() - began)


if __name__ == "__main__":
    main()
