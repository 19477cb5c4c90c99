"""Download a list from its publisher and load it.

If that fails, the former version stays in use and the failure is recorded.
"""

import asyncio
import tempfile
from dataclasses import asdict, replace
from enum import StrEnum
from pathlib import Path

from sqlalchemy import update
from sqlalchemy.dialects.postgresql import insert

from acredita.kit.db import Database
from acredita.models import Watchlist
from acredita.ports import ListLoading
from acredita.providers.watchlists.catalogue import BY_ID, KnownList
from acredita.providers.watchlists.download import (
    DownloadFailed,
    Downloads,
    OnProgress,
    Validators,
)
from acredita.providers.watchlists.formats import BY_NAME, detect
from acredita.providers.watchlists.protocol import ListFault, ListFile
from acredita.resources.aml.folder import WORK, folder_of
from acredita.resources.aml.jobs import queue_build
from acredita.resources.aml.lists import loading, parsing, releases
from acredita.resources.aml.lists.loading import Change, ListShrank
from acredita.settings import Settings


class Failure(StrEnum):
    UNREACHABLE = "UNREACHABLE"
    DAMAGED = "DAMAGED"
    SHRANK = "SHRANK"


class UnknownSource(ListFault):
    """No download address is known for the list."""


def source_of(settings: Settings, list_id: str) -> KnownList:
    """The list with its download addresses: those of the settings, else the publisher's.

    Raise UnknownSource.
    """
    known = BY_ID.get(list_id) or KnownList(list_id, list_id, "", tuple(BY_NAME))
    addresses = settings.aml_sources.get(list_id, ())
    if addresses:
        known = replace(known, addresses=addresses)
    if not known.addresses:
        raise UnknownSource(f"{list_id}: ACREDITA_AML_REFRESH has no address for this list")
    return known


async def refresh(
    services: ListLoading,
    known: KnownList,
    *,
    force: bool = False,
    on_progress: OnProgress = lambda _url, _bytes, _size: None,
) -> Change | None:
    """Download and load the list. Return None if nothing changed.

    Raise DownloadFailed or ListFault after recording the failure. The former version stays in use.
    """
    try:
        with tempfile.TemporaryDirectory(prefix=WORK, dir=folder_of(services.settings)) as folder:
            return await _refresh(
                services, known, Path(folder), force=force, on_progress=on_progress
            )
    except DownloadFailed as fault:
        await _record_failure(services, known, Failure.UNREACHABLE, str(fault))
        raise
    except ListShrank as fault:
        await _record_failure(services, known, Failure.SHRANK, str(fault))
        raise
    except ListFault as fault:
        await _record_failure(services, known, Failure.DAMAGED, str(fault))
        raise


async def _refresh(
    services: ListLoading, known: KnownList, folder: Path, *, force: bool, on_progress: OnProgress
) -> Change | None:
    validators = {} if force else await _validators(services.database, known)
    async with _downloads(services.settings, on_progress) as downloads:
        fetched = await _parsed(downloads, known, folder, validators)
    if fetched is None:
        await _record_unchanged(services, known)
        return None
    parsed, found = fetched
    try:
        change = await replace_list(services, known, parsed, force=force, validators=found)
    finally:
        parsed.close()
    return change if change.is_any else None


async def _parsed(
    downloads: Downloads, known: KnownList, folder: Path, validators: dict[str, Validators]
) -> tuple[parsing.Parsed, dict[str, Validators]] | None:
    """Download and parse the list, with its new HTTP validators; None if it has not changed."""
    if releases.is_versioned(known):
        (address,) = known.addresses
        fetched = await releases.fetch(downloads, known, folder, validators.get(address))
        return None if fetched is None else (fetched[0], {address: fetched[1]})
    files, found = await _fetch(downloads, known, folder, validators)
    if not files:
        return None
    form = await asyncio.to_thread(detect, files)
    if form.name not in known.formats:
        raise files[0].fault(f"has format {form.name}, which {known.id} is not published in")
    return await parsing.parse(known, form, files, folder), found


def _downloads(settings: Settings, on_progress: OnProgress) -> Downloads:
    return Downloads(
        timeout=settings.aml_refresh_timeout,
        limit=settings.aml_refresh_limit << 20,
        ca_file=settings.aml_ca_file,
        on_progress=on_progress,
    )


async def replace_list(
    services: ListLoading,
    known: KnownList,
    parsed: parsing.Parsed,
    *,
    force: bool = False,
    validators: dict[str, Validators] | None = None,
) -> Change:
    """Load the parsed list and queue a build of the index, in one transaction.

    Raise ListShrank, unless `force`.
    """
    async with services.database.transaction() as session:
        change = await loading.load(session, known, parsed, services.clock.now(), force=force)
        kept = {address: asdict(each) for address, each in (validators or {}).items()}
        await session.execute(
            update(Watchlist).where(Watchlist.id == known.id).values(validators=kept)
        )
        await queue_build(session)
    return change


async def _validators(database: Database, known: KnownList) -> dict[str, Validators]:
    async with database.transaction() as session:
        row = await session.get(Watchlist, known.id)
        # An empty list needs the file even if the publisher has not changed it.
        kept = row.validators if row is not None and row.entries else {}
    return {address: Validators(**each) for address, each in kept.items()}


async def _fetch(
    downloads: Downloads, known: KnownList, folder: Path, validators: dict[str, Validators]
) -> tuple[list[ListFile], dict[str, Validators]]:
    """Download the files into `folder`. Return them with their new HTTP validators.

    Return no files if none has changed.
    """
    found: dict[str, Validators] = {}
    files = [
        ListFile(folder / str(place), address.partition("?")[0].rpartition("/")[2] or known.id)
        for place, address in enumerate(known.addresses)
    ]
    pairs = list(zip(known.addresses, files, strict=True))
    for address, file in pairs:
        fresh = await downloads.fetch(
            address, file.path, known=validators.get(address), redirects_to=known.redirects_to
        )
        if fresh is not None:
            found[address] = fresh
    if not found:
        return [], {}
    for address, file in pairs:
        if address not in found:
            # A list needs all its files, so download the unchanged ones too.
            again = await downloads.fetch(address, file.path, redirects_to=known.redirects_to)
            found[address] = again or Validators()
    return files, found


async def _record_unchanged(services: ListLoading, known: KnownList) -> None:
    async with services.database.transaction() as session:
        await session.execute(
            update(Watchlist)
            .where(Watchlist.id == known.id)
            .values(
                confirmed_at=services.clock.now(),
                failed_at=None,
                failure=None,
                failure_message=None,
            )
        )


async def _record_failure(
    services: ListLoading, known: KnownList, failure: Failure, message: str
) -> None:
    values = {
        "failed_at": services.clock.now(),
        "failure": failure.value,
        "failure_message": message[:1000],
    }
    adding = insert(Watchlist).values(
        id=known.id, name=known.name, publisher=known.publisher, format="", **values
    )
    async with services.database.transaction() as session:
        await session.execute(
            adding.on_conflict_do_update(index_elements=[Watchlist.id], set_=values)
        )
