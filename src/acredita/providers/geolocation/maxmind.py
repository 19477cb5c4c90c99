"""IP geolocation from the operator's files: databases in MaxMind's format and lists of networks."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import structlog

from acredita.domain.location.ip_addresses import Address, AddressKind
from acredita.domain.location.network_lists import NotAList, Ranges, read_list
from acredita.domain.location.places import NOWHERE, Hidden, Place
from acredita.kit.logging import describe
from acredita.providers.geolocation.databases import (
    Database,
    Record,
    read_hidden,
    with_city,
    with_network,
)
from acredita.providers.geolocation.file_watch import InvalidFile, WatchedFile
from acredita.providers.geolocation.protocol import DatabaseRole, Source

log = structlog.get_logger()

FLAGS = ("vpn", "proxy", "tor", "hosting")


@dataclass(frozen=True, slots=True, kw_only=True)
class Files:
    """Paths from the settings. All are optional."""

    city: Path | None = None
    asn: Path | None = None
    anonymous_ip: Path | None = None
    vpn: tuple[Path, ...] = ()
    proxy: tuple[Path, ...] = ()
    tor: tuple[Path, ...] = ()
    hosting: tuple[Path, ...] = ()


class MaxMindGeolocation:
    """Reads its files on the first request and checks them again every `check_interval` seconds.

    A thread does this. Meanwhile requests use the current content.
    """

    name = "maxmind"
    is_sandbox = False

    def __init__(self, files: Files, *, check_interval: float) -> None:
        self._databases = {
            role: WatchedFile(path, partial(Database, role))
            for role, path in (
                (DatabaseRole.CITY, files.city),
                (DatabaseRole.ASN, files.asn),
                (DatabaseRole.ANONYMOUS_IP, files.anonymous_ip),
            )
            if path is not None
        }
        self._lists = [
            (role, WatchedFile(path, _read_list))
            for role in (
                DatabaseRole.VPN,
                DatabaseRole.PROXY,
                DatabaseRole.TOR,
                DatabaseRole.HOSTING,
            )
            for path in getattr(files, role.value)
        ]
        self._check_interval = check_interval
        self._last_check = 0.0
        self._refreshing: asyncio.Task[None] | None = None
        self._is_loaded = False

    def knows(self, kind: AddressKind) -> bool:
        return kind is AddressKind.PUBLIC

    async def look_up(self, address: Address) -> tuple[Place, Sequence[Source]]:
        await self._refresh_if_due()
        place = self._with(NOWHERE, DatabaseRole.CITY, address, with_city)
        place = self._with(place, DatabaseRole.ASN, address, with_network)
        hidden = self._hidden(address)
        return _with_hidden(place, hidden), self._sources()

    async def sources(self) -> Sequence[Source]:
        await self._refresh_if_due()
        return self._sources()

    async def close(self) -> None:
        if self._refreshing is not None:
            await asyncio.wait((self._refreshing,))

    async def _refresh_if_due(self) -> None:
        """Start a check of the files if it is due. Wait for it only the first time."""
        now = time.monotonic()
        is_idle = self._refreshing is None or self._refreshing.done()
        if is_idle and (not self._is_loaded or now - self._last_check >= self._check_interval):
            self._last_check = now
            self._refreshing = asyncio.create_task(asyncio.to_thread(self._refresh))
        if not self._is_loaded and self._refreshing is not None:
            await asyncio.shield(self._refreshing)
            self._is_loaded = True

    def _refresh(self) -> None:
        for database in self._databases.values():
            database.refresh()
        for _, ranges in self._lists:
            ranges.refresh()

    def _with(
        self,
        place: Place,
        role: DatabaseRole,
        address: Address,
        add: Callable[[Place, Record], Place],
    ) -> Place:
        database = self._database(role, address)
        if database is None:
            return place
        try:
            record = database.record(address)
            return place if record is None else add(place, record)
        except Exception as fault:  # partly damaged: only this address is unknown
            log.warning("a database is damaged", name=database.type, error=describe(fault))
            return place

    def _hidden(self, address: Address) -> list[Hidden]:
        found = [
            Hidden(**{role.value: address in watched.content})
            for role, watched in self._lists
            if watched.content is not None
        ]
        database = self._database(DatabaseRole.ANONYMOUS_IP, address)
        if database is not None:
            try:
                found.append(read_hidden(database.record(address)))
            except Exception as fault:  # as above
                log.warning("a database is damaged", name=database.type, error=describe(fault))
        return found

    def _database(self, role: DatabaseRole, address: Address) -> Database | None:
        watched = self._databases.get(role)
        if watched is None or watched.content is None or not watched.content.covers(address):
            return None
        return watched.content

    def _sources(self) -> list[Source]:
        databases = [
            Source(
                role,
                watched.content.type if watched.content else watched.path.name,
                watched.content.built_at if watched.content else None,
                watched.problem,
            )
            for role, watched in self._databases.items()
        ]
        lists = [
            Source(role, watched.path.name, watched.modified, watched.problem)
            for role, watched in self._lists
        ]
        return databases + lists


def _with_hidden(place: Place, found: Sequence[Hidden]) -> Place:
    """A flag is True if any source lists the address, False if a source exists, else None."""
    flags = {}
    for name in FLAGS:
        known = [flag for hidden in found if (flag := getattr(hidden, name)) is not None]
        flags[name] = any(known) if known else None
    return replace(place, hidden=Hidden(**flags))


def _read_list(content: bytes) -> Ranges:
    try:
        return read_list(content.decode())
    except (UnicodeDecodeError, NotAList) as fault:
        raise InvalidFile("not a list of networks") from fault
