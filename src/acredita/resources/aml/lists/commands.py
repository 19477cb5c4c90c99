"""The commands of `acredita aml`: import, refresh and show watchlists."""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
)

from acredita.kit.clock import timestamp
from acredita.kit.storage import StorageUnavailable
from acredita.models import Watchlist
from acredita.ports import IndexBuilding
from acredita.providers.watchlists.catalogue import BY_ID, KnownList, list_of
from acredita.providers.watchlists.download import DownloadFailed, OnProgress
from acredita.providers.watchlists.formats import BY_NAME, Format, detect
from acredita.providers.watchlists.protocol import ListFault, ListFile
from acredita.resources.aml.folder import folder_of
from acredita.resources.aml.index import building
from acredita.resources.aml.index.building import ListsChanged
from acredita.resources.aml.lists import parsing, refreshing
from acredita.resources.aml.lists import queries as lists
from acredita.resources.aml.lists.loading import Change
from acredita.resources.aml.monitors.jobs import queue_screening_of_changes
from acredita.services import open_services
from acredita.settings import Settings


async def import_files(
    settings: Settings,
    console: Console,
    paths: Sequence[Path],
    *,
    list_id: str | None,
    format_name: str | None,
    name: str | None,
    force: bool,
) -> None:
    """Load these files, grouped by list, and build the index.

    Raise ListFault: the list of the faulty file is unchanged.
    """
    with _reading(console, paths) as files:
        groups = await asyncio.to_thread(_groups, files, list_id, format_name, name)
        async with open_services(settings, purpose="command") as services:
            for known, form, group in groups:
                parsed = await parsing.parse(known, form, group, folder_of(settings))
                try:
                    change = await refreshing.replace_list(services, known, parsed, force=force)
                finally:
                    parsed.close()
                _say(console, change)
                for remark in parsed.facts.remarks:
                    console.print(f"  {escape(remark)}")
            await _index(services, console)


async def refresh(
    settings: Settings, console: Console, list_ids: Sequence[str], *, force: bool
) -> bool:
    """Download these lists, or all lists of the settings. Return whether all succeeded."""
    wanted = list(list_ids) or list(settings.aml_sources)
    if not wanted:
        console.print("ACREDITA_AML_REFRESH names no list.")
        return False
    failed = False
    async with open_services(settings, purpose="command") as services:
        for list_id in wanted:
            with _downloading(console, list_id) as on_progress:
                try:
                    known = refreshing.source_of(services.settings, list_id)
                    change = await refreshing.refresh(
                        services, known, force=force, on_progress=on_progress
                    )
                except (DownloadFailed, ListFault) as fault:
                    failed = True
                    console.print(
                        f"[bold]{list_id}[/]: {escape(str(fault))}: the former version stays in use"
                    )
                    continue
            if change is None:
                console.print(f"[bold]{list_id}[/]: unchanged")
            else:
                _say(console, change)
        await _index(services, console)
    return not failed


async def show(settings: Settings, console: Console) -> None:
    async with open_services(settings, purpose="command") as services:
        async with services.database.transaction() as session:
            rows = await lists.all_lists(session)
        async with services.database.reading() as connection:
            newest = (await connection.execute(building.select_newest())).one_or_none()
    for row in rows:
        console.print(_line(row), soft_wrap=True)
    console.print(f"{len(rows)} lists; index {newest.version if newest else 'not built yet'}")


def _line(row: Watchlist) -> str:
    loaded = timestamp(row.loaded_at) if row.loaded_at else "never loaded"
    published = f", published {row.as_of:%Y-%m-%d}" if row.as_of else ""
    problem = f"\n  stale: {escape(row.failure_message or '')}" if row.failure else ""
    sandbox = " (invented names)" if row.is_sandbox else ""
    return (
        f"[bold]{row.id}[/]  {row.entries} entries, version {row.version}, {loaded}{published}"
        f"{sandbox}{problem}"
    )


def _groups(
    files: Sequence[ListFile], list_id: str | None, format_name: str | None, name: str | None
) -> list[tuple[KnownList, Format, list[ListFile]]]:
    """Group the files by list and format. With `list_id`, all files belong to that list.

    Raise ListFault.
    """
    if list_id is not None:
        form = BY_NAME[format_name] if format_name else detect(files)
        known = BY_ID.get(list_id) or KnownList(list_id, list_id, "", (form.name,))
        if form.name not in known.formats:
            raise files[0].fault(f"has format {form.name}, which {known.id} is not published in")
        return [(replace(known, name=name) if name else known, form, list(files))]
    found: dict[tuple[str, Format], list[ListFile]] = defaultdict(list)
    for file in files:
        form = BY_NAME[format_name] if format_name else detect([file])
        found[list_of([file], form).id, form].append(file)
    return [(BY_ID[known], form, group) for (known, form), group in found.items()]


@contextmanager
def _reading(console: Console, paths: Sequence[Path]) -> Iterator[list[ListFile]]:
    """The files, each with a progress bar that follows its reader."""
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn())
    with Progress(*columns, TimeElapsedColumn(), console=console, transient=True) as bar:
        yield [_with_bar(bar, path) for path in paths]


def _with_bar(bar: Progress, path: Path) -> ListFile:
    task: TaskID = bar.add_task(path.name, total=path.stat().st_size)

    def on_read(count: int) -> None:
        bar.advance(task, count)

    return ListFile(path, path.name, on_read)


@contextmanager
def _downloading(console: Console, list_id: str) -> Iterator[OnProgress]:
    """A progress bar per downloaded file, and one that moves until the list is loaded."""
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn())
    with Progress(*columns, TimeElapsedColumn(), console=console, transient=True) as bar:
        bar.add_task(escape(list_id), total=None)
        tasks: dict[str, TaskID] = {}

        def show(url: str, count: int, size: int | None) -> None:
            if url not in tasks:
                name = urlsplit(url).path.rpartition("/")[2]
                tasks[url] = bar.add_task(escape(name), total=size)
            bar.update(tasks[url], completed=count, total=size)

        yield show


async def _index(services: IndexBuilding, console: Console) -> None:
    """Build the index in this process, because no worker may be running."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    async with services.database.transaction() as session:
        total = sum(row.entries for row in await lists.all_lists(session))
    with Progress(*columns, TimeElapsedColumn(), console=console, transient=True) as bar:
        task = bar.add_task("index", total=total)
        advance: Callable[[int], None] = lambda count: bar.update(task, completed=count)  # noqa: E731
        try:
            published = await building.build(
                services, on_publish=queue_screening_of_changes, progress=advance
            )
        except ListsChanged:
            console.print("The lists changed during the build: a worker will build the index.")
            return
        except StorageUnavailable as fault:
            console.print(f"Storage is unavailable ({fault}): a worker will build the index.")
            return
    if published:
        console.print(
            f"Index {published.version}: {published.names} names of {published.entries} entries."
        )


def _say(console: Console, change: Change) -> None:
    console.print(
        f"[bold]{change.list_id}[/] version {change.version}: {change.entries} entries"
        f" ({change.added} added, {change.changed} changed, {change.removed} removed)"
    )
