"""The development mailbox: a folder with one JSON file per message, instead of e-mail and SMS."""

import asyncio
import os
import re
from pathlib import Path

import orjson

from acredita.kit.clock import Clock, timestamp


class Mailbox:
    def __init__(self, folder: Path, clock: Clock) -> None:
        self._folder, self._clock = folder, clock

    async def put(
        self, *, channel: str, destination: str, subject: str | None, body: str, key: str
    ) -> None:
        """Write a message atomically; only the owner can read it. The same key replaces it."""
        message = orjson.dumps(
            {
                "channel": channel,
                "destination": destination,
                "subject": subject,
                "body": body,
                "createdAt": timestamp(self._clock.now()),
            },
            option=orjson.OPT_INDENT_2,
        )
        name = re.sub(r"[^A-Za-z0-9_-]", "-", key)
        await asyncio.to_thread(self._write, name, message)

    def _write(self, name: str, message: bytes) -> None:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        unfinished = self._folder / f".{name}.{os.urandom(4).hex()}"
        try:
            with os.fdopen(
                os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb"
            ) as file:
                file.write(message)
            unfinished.rename(self._folder / f"{name}.json")
        finally:
            unfinished.unlink(missing_ok=True)
