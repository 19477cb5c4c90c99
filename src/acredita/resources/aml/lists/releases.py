"""Fetch a list that is published in versions: the changes since the loaded one, or the whole."""

from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

from acredita.providers.watchlists import opensanctions
from acredita.providers.watchlists.catalogue import KnownList
from acredita.providers.watchlists.download import Downloads, Validators
from acredita.providers.watchlists.formats import BY_NAME
from acredita.providers.watchlists.opensanctions import Release
from acredita.providers.watchlists.protocol import ListFault, ListFile
from acredita.resources.aml.lists import parsing
from acredita.resources.aml.lists.parsing import Parsed

# OpenSanctions publishes four versions a day. The whole file is faster than more changes than this.
MOST_CHANGES = 40


def is_versioned(known: KnownList) -> bool:
    """Whether the list's only URL is the index of a dataset of OpenSanctions."""
    return len(known.addresses) == 1 and urlsplit(known.addresses[0]).path.endswith(
        opensanctions.INDEX
    )


async def fetch(
    downloads: Downloads, known: KnownList, folder: Path, loaded: Validators | None
) -> tuple[Parsed, Validators] | None:
    """Download and parse what is new since `loaded`; everything if that is None.

    Return None if nothing is. Raise DownloadFailed, ListFault.
    """
    (address,) = known.addresses
    index = folder / "index.json"
    found = await downloads.fetch(address, index, known=loaded)
    if found is None:
        return None
    release = opensanctions.release(index, address)
    if loaded and loaded.version == release.version:
        return None
    changes = await _changes(downloads, address, release, folder, loaded.version if loaded else "")
    if changes is None:
        (file,) = await _download(downloads, address, [release.entities], folder)
        parsed = await parsing.parse(known, BY_NAME["ftm"], [file], folder)
    else:
        files = await _download(downloads, address, changes, folder)
        parsed = await parsing.parse_changes(known, files, folder)
    parsed.facts.as_of = release.as_of
    return parsed, replace(found, version=release.version)


async def _changes(
    downloads: Downloads, address: str, release: Release, folder: Path, loaded: str
) -> list[str] | None:
    """The URLs of the changes since the version `loaded`; None if the whole file is needed."""
    if not loaded or not release.changes:
        return None
    (index,) = await _download(downloads, address, [release.changes], folder)
    found = opensanctions.changes_since(index.path, release.changes, loaded, release.version)
    return found if found is not None and len(found) <= MOST_CHANGES else None


async def _download(
    downloads: Downloads, index: str, addresses: list[str], folder: Path
) -> list[ListFile]:
    """`index`: the URL that the operator chose. Files of other hosts are refused."""
    files = []
    for place, address in enumerate(addresses):
        if urlsplit(address)[:2] != urlsplit(index)[:2]:
            raise ListFault("index.json: names a file of another host")
        name = urlsplit(address).path.rpartition("/")[2]
        file = ListFile(folder / f"{place}-{name}", name)
        await downloads.fetch(address, file.path)
        files.append(file)
    return files
