"""The index that this process screens against: fetched, mapped, exchanged while requests run.

A request holds on to the index that it began with; the former one goes when the last of them lets
go of it. A new version is announced by PostgreSQL, and looked for every so often all the same.
"""

import asyncio
import contextlib
import hashlib
import os
import uuid
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Self

import asyncpg
import orjson
import structlog

from acredita.engines.screening import (
    DamagedIndex,
    Question,
    Screening,
    ScreeningIndex,
    normalised,
)
from acredita.kit.announcements import listening
from acredita.kit.crypto import KeyRing, decrypt_file
from acredita.kit.logging import describe
from acredita.kit.reads import Reads
from acredita.kit.storage import Storage
from acredita.resources.aml.sealing import index_context

log = structlog.get_logger()

# PostgreSQL's notification channel; the message is the new version.
CHANNEL = "acredita_aml_index"
# Seconds between two looks for a version whose announcement was lost.
POLL = 15.0
PAUSE_AFTER_FAULT = 1.0
# Names up to which a screening stays within 2 ms, and on the event loop; beyond, a thread does it.
SCREENED_ON_THE_LOOP = 60_000
# Nor are names of more words than people have: constructed of common ones, the worst of 500
# characters takes 35 ms at 28,571 names, during which nobody else would be answered.
MOST_WORDS_ON_THE_LOOP = 8
# Names of a batch that are screened without giving way.
PIECE = 20
_THREADS = ThreadPoolExecutor(2, thread_name_prefix="screening")
NEWEST = """
    SELECT version, lists, sha256, storage_key, data_key_sealed FROM aml_index
    WHERE version > $1 ORDER BY version DESC LIMIT 1
"""


class NotReady(Exception):
    """There is an index, and this process could not get hold of it yet."""


@dataclass(frozen=True, slots=True)
class Served:
    """An index, and the lists that it was built of."""

    version: int
    index: ScreeningIndex
    lists: Mapping[str, Mapping[str, Any]]
    # Batches take turns: one of them must not have all the threads.
    turn: asyncio.Semaphore

    @property
    def known_lists(self) -> list[str]:
        """Those that can be asked for: invented names are withdrawn once there are real ones."""
        return [
            list_id
            for list_id, each in self.lists.items()
            if each["entries"] or not each["sandbox"]
        ]

    async def screen(self, question: Question, **terms: Any) -> Screening:
        """Raise EmptyName."""
        if self.index.names <= SCREENED_ON_THE_LOOP and _is_short(question.name):
            return self.index.screen_many([question], **terms)[0]
        return (await _in_thread(self.index, [question], terms))[0]

    async def screen_many(self, questions: list[Question], **terms: Any) -> list[Screening]:
        """In a thread, one answer for each question. Raise EmptyName.

        Piece by piece, so that names that are asked for one by one come between.
        """
        found: list[Screening] = []
        async with self.turn:
            for start in range(0, len(questions), PIECE):
                found += await _in_thread(self.index, questions[start : start + PIECE], terms)
        return found


def _is_short(name: str) -> bool:
    """Counted as they are compared: hyphens divide words, too."""
    return len(normalised(name).split()) <= MOST_WORDS_ON_THE_LOOP


async def _in_thread(
    index: ScreeningIndex, questions: list[Question], terms: dict[str, Any]
) -> list[Screening]:
    work = partial(index.screen_many, questions, **terms)
    return await asyncio.get_running_loop().run_in_executor(_THREADS, work)


class Screener:
    """Made with the services; starts to look for indexes when it is first asked for one."""

    def __init__(
        self, database_url: str, reads: Reads, storage: Storage, keys: KeyRing, folder: Path
    ) -> None:
        self._database_url = database_url
        self._reads = reads
        self._storage = storage
        self._keys = keys
        self._folder = folder
        self._served: Served | None = None
        self._looking = asyncio.Lock()
        self._turn = asyncio.Semaphore(1)
        self._looked = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    def start(self) -> None:
        if self._task is None:
            self._task = asyncio.create_task(self._follow())

    async def current(self) -> Served | None:
        """The newest index that is here; None while no list was ever loaded. Raise NotReady."""
        if self._served is None:
            self.start()
            try:
                async with asyncio.timeout(PAUSE_AFTER_FAULT):
                    await self._looked.wait()
            except TimeoutError:
                raise NotReady from None
        return self._served

    async def look(self) -> None:
        """Exchange the index if there is a newer one. Raises what the ways there raise."""
        async with self._looking:
            await self._look()

    async def _look(self) -> None:
        have = self._served.version if self._served else 0
        row = await self._reads.row(NEWEST, have)
        if row is not None:
            path = await self._fetch(row)
            index = await asyncio.to_thread(ScreeningIndex.open, path)
            # The only moment of the exchange: whoever has the former one keeps it.
            self._served = Served(row["version"], index, orjson.loads(row["lists"]), self._turn)
            log.debug("aml.index_served", version=row["version"])
            await asyncio.to_thread(self._sweep, row["version"])
        self._looked.set()

    async def _fetch(self, row: asyncpg.Record) -> Path:
        """The file in this machine's folder, which its processes share."""
        path = self._folder / f"index-{row['version']}-{row['sha256'].hex()[:16]}"
        if await asyncio.to_thread(_is_whole, path, row["sha256"]):
            return path
        encrypted = await self._storage.get(row["storage_key"])
        key = self._keys.unseal(row["data_key_sealed"], context=index_context(row["version"]))
        await asyncio.to_thread(_unpack, path, key, encrypted, row["storage_key"], row["sha256"])
        return path

    def _sweep(self, current: int) -> None:
        """Files of former versions: who has one mapped keeps it, nameless."""
        for path in self._folder.glob("index-*-*"):
            version = path.name.split("-")[1]
            if version.isdecimal() and int(version) < current:
                path.unlink(missing_ok=True)

    async def _follow(self) -> None:
        while True:
            try:
                await self._look_and_listen()
            except Exception as fault:
                # Whatever it was (the database, the storage, a file): what is here goes on being
                # served, and the next look may find better.
                log.warning("aml.index_not_served", error=describe(fault))
            await asyncio.sleep(PAUSE_AFTER_FAULT)

    async def _look_and_listen(self) -> None:
        async with listening(self._database_url, CHANNEL, name="acredita index") as announcements:
            while True:
                await self.look()
                await announcements.wait(at_most=POLL)


def _is_whole(path: Path, digest: bytes) -> bool:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").digest() == digest
    except FileNotFoundError:
        return False


def _unpack(path: Path, key: bytes, encrypted: bytes, context: str, digest: bytes) -> None:
    content = decrypt_file(key, encrypted, context=context)
    if hashlib.sha256(content).digest() != digest:
        raise DamagedIndex("the file is not the one that was published")
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    part = path.with_name(f".{uuid.uuid4().hex}")
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(content)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
