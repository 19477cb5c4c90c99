"""Reading a stream of events as a browser does."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import httpx
import orjson

PATIENCE = 60.0


class Message(NamedTuple):
    id: str | None
    event: str
    view: dict[str, Any]


class Stream:
    def __init__(self, answer: httpx.Response) -> None:
        self.answer = answer
        self._lines = answer.aiter_lines()

    async def message(self) -> Message | None:
        """The next one, comments left out; None where the stream has ended."""
        fields: dict[str, str] = {}
        async with asyncio.timeout(PATIENCE):
            async for line in self._lines:
                if not line and "data" in fields:
                    view = orjson.loads(fields["data"])
                    return Message(fields.get("id"), fields["event"], view)
                name, _, value = line.partition(": ")
                fields[name] = value
        return None

    async def rest(self) -> list[Message]:
        """All that still comes, until the stream ends."""
        found = []
        while (message := await self.message()) is not None:
            found.append(message)
        return found


@asynccontextmanager
async def watching(
    url: str, verification_id: str, *, after: str | None = None
) -> AsyncIterator[Stream]:
    headers = {} if after is None else {"Last-Event-ID": after}
    async with (
        httpx.AsyncClient(base_url=url, trust_env=False, timeout=PATIENCE) as client,
        client.stream(
            "GET", f"/v1/sdk/verifications/{verification_id}/events", headers=headers
        ) as answer,
    ):
        # Held here: a reader that is forgotten hangs up.
        stream = Stream(answer)
        yield stream
