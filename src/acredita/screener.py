"""Keep the newest screening index mapped in this process and replace it while requests run.

A request uses one index from start to end. The old index is unmapped after its last request.
PostgreSQL notifies processes of a new version; polling finds a version whose notification was lost.
"""

import asyncio
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
from acredita.kit import tasks
from acredita.kit.crypto import KeyRing, decrypt_stream
from acredita.kit.logging import describe
from acredita.kit.notifications import listening
from acredita.kit.statement_pool import Reads
from acredita.kit.storage import Storage
from acredita.models import ScreeningIndexFile

log = structlog.get_logger()

# PostgreSQL's notification channel; the message is the new version.
CHANNEL = "acredita:aml-index"
# Seconds.
POLL_INTERVAL = 15.0
PAUSE_AFTER_ERROR = 1.0
# Up to this number of names a screening takes at most 2 ms. Larger indexes use a thread.
MOST_NAMES_ON_EVENT_LOOP = 60_000
# Longer names use a thread too: measured, the worst name of 500 characters takes 35 ms on an index
# of 28,571 names, and that would block all other requests of the process.
MOST_WORDS_ON_EVENT_LOOP = 8
# Names of a batch per thread call: single screenings run between the calls.
PIECE = 20
_THREADS = ThreadPoolExecutor(2, thread_name_prefix="screening")
NEWEST = """
    SELECT version, lists, sha256, storage_key, data_key_sealed FROM aml_index
    WHERE version > $1 ORDER BY version DESC LIMIT 1
"""


class IndexNotReady(Exception):
    """This process has not yet found out whether there is an index, or has not loaded it."""


@dataclass(frozen=True, slots=True)
class ServedIndex:
    """An index and the lists it contains."""

    version: int
    # SHA-256 of its file.
    sha256: bytes
    index: ScreeningIndex
    lists: Mapping[str, Mapping[str, Any]]
    # Batches run one at a time, so that one of them cannot use all threads.
    batch_slot: asyncio.Semaphore

    @property
    def known_lists(self) -> list[str]:
        """Ids of the lists that a request may name. An emptied sandbox list is left out."""
        return [
            list_id
            for list_id, each in self.lists.items()
            if each["entries"] or not each["sandbox"]
        ]

    async def screen(self, question: Question, **terms: Any) -> Screening:
        """Raise EmptyName."""
        if self.index.names <= MOST_NAMES_ON_EVENT_LOOP and _is_short(question):
            return self.index.screen_many([question], **terms)[0]
        return (await _in_thread(self.index, [question], terms))[0]

    async def screen_many(self, questions: list[Question], **terms: Any) -> list[Screening]:
        """Screen in a thread; one result per question, in order. Raise EmptyName.

        The batch is split into pieces, so that single screenings run in between.
        """
        found: list[Screening] = []
        async with self.batch_slot:
            for start in range(0, len(questions), PIECE):
                found += await _in_thread(self.index, questions[start : start + PIECE], terms)
        return found


def _is_short(question: Question) -> bool:
    """Count the words of all names as the engine does: a hyphen also separates words."""
    names = " ".join((question.name, *question.aliases))
    return len(normalised(names).split()) <= MOST_WORDS_ON_EVENT_LOOP


async def _in_thread(
    index: ScreeningIndex, questions: list[Question], terms: dict[str, Any]
) -> list[Screening]:
    work = partial(index.screen_many, questions, **terms)
    return await asyncio.get_running_loop().run_in_executor(_THREADS, work)


class Screener:
    """Holds the current index of a process. Starts to follow new versions at its first use."""

    def __init__(
        self, redis_url: str, reads: Reads, storage: Storage, keys: KeyRing, folder: Path
    ) -> None:
        self._redis_url = redis_url
        self._reads = reads
        self._storage = storage
        self._keys = keys
        self._folder = folder
        self._served: ServedIndex | None = None
        self._refreshing = asyncio.Lock()
        self._batch_slot = asyncio.Semaphore(1)
        self._refreshed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._task is not None:
            await tasks.end(self._task)

    def start(self) -> None:
        if self._task is None:
            self._task = asyncio.create_task(self._follow())

    async def current(self) -> ServedIndex | None:
        """The index in memory; None if no list was ever loaded. Raise IndexNotReady."""
        if self._served is None:
            self.start()
            try:
                async with asyncio.timeout(PAUSE_AFTER_ERROR):
                    await self._refreshed.wait()
            except TimeoutError:
                raise IndexNotReady from None
        return self._served

    async def refresh(self) -> None:
        """Load the newest index if it is newer. Raise database, storage and file errors."""
        async with self._refreshing:
            await self._refresh()

    async def _refresh(self) -> None:
        have = self._served.version if self._served else 0
        row = await self._reads.row(NEWEST, have)
        if row is not None:
            path = await self._fetch(row)
            index = await asyncio.to_thread(ScreeningIndex.open, path)
            # Running requests keep their reference to the old index.
            self._served = ServedIndex(
                row["version"],
                row["sha256"],
                index,
                orjson.loads(row["lists"]),
                self._batch_slot,
            )
            log.debug("aml.index_served", version=row["version"])
            await asyncio.to_thread(self._delete_old_files, row["version"])
        self._refreshed.set()

    async def _fetch(self, row: asyncpg.Record) -> Path:
        """Download the index into the folder that all processes of this machine share."""
        path = self._folder / f"index-{row['version']}-{row['sha256'].hex()[:16]}"
        if await asyncio.to_thread(_is_whole, path, row["sha256"]):
            return path
        key = ScreeningIndexFile.data_key.open(self._keys, row["version"], row["data_key_sealed"])
        await asyncio.to_thread(path.parent.mkdir, mode=0o700, parents=True, exist_ok=True)
        encrypted = path.with_name(f".{uuid.uuid4().hex}")
        try:
            await self._storage.get_file(row["storage_key"], encrypted)
            await asyncio.to_thread(
                _unpack, path, key, encrypted, row["storage_key"], row["sha256"]
            )
        finally:
            encrypted.unlink(missing_ok=True)
        return path

    def _delete_old_files(self, current: int) -> None:
        """Delete the files of older versions. A process that maps one keeps its pages."""
        for path in self._folder.glob("index-*-*"):
            version = path.name.split("-")[1]
            if version.isdecimal() and int(version) < current:
                path.unlink(missing_ok=True)

    async def _follow(self) -> None:
        while True:
            try:
                await self._refresh_and_listen()
            except Exception as fault:
                # After any failure, keep serving the index in memory and try again.
                log.warning("aml.index_not_served", error=describe(fault))
            await asyncio.sleep(PAUSE_AFTER_ERROR)

    async def _refresh_and_listen(self) -> None:
        # Before it listens, because Redis may be away.
        await self.refresh()
        async with listening(self._redis_url, CHANNEL) as announcements:
            while True:
                await self.refresh()
                await announcements.wait(at_most=POLL_INTERVAL)


def _is_whole(path: Path, digest: bytes) -> bool:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").digest() == digest
    except FileNotFoundError:
        return False


def _unpack(path: Path, key: bytes, encrypted: Path, context: str, digest: bytes) -> None:
    part = path.with_name(f".{uuid.uuid4().hex}")
    try:
        with (
            encrypted.open("rb") as source,
            os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file,
        ):
            decrypt_stream(key, source, file, context=context)
        if not _is_whole(part, digest):
            raise DamagedIndex("the checksum of the file differs from the published one")
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
