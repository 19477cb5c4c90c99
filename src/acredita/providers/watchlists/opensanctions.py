"""OpenSanctions' datasets: the whole file, or the changes since a version.

The index of a dataset (`index.json`) names the version, the file of all entities and the index of
changes. https://www.opensanctions.org/docs/bulk/delta/
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from acredita.providers.watchlists import ftm
from acredita.providers.watchlists.protocol import ListedEntity, ListFault, ListFile

INDEX = "/index.json"
ENTITIES = "entities.ftm.json"
_LONGEST_INDEX = 32 << 20


@dataclass(frozen=True, slots=True)
class Release:
    """A version of a dataset. `changes`: the URL of the index of changes, or empty."""

    version: str
    entities: str
    changes: str

    @property
    def as_of(self) -> datetime | None:
        """When the version was made: it begins with the time in UTC, `20260131180509-abc`."""
        try:
            return datetime.strptime(self.version[:14], "%Y%m%d%H%M%S").replace(tzinfo=UTC)
        except ValueError:
            return None


def release(path: Path, address: str) -> Release:
    """Read the index of a dataset that was downloaded from `address`. Raise ListFault."""
    index = _read(path, address)
    resources = index.get("resources")
    found = [
        each["url"]
        for each in (resources if isinstance(resources, list) else [])
        if isinstance(each, dict)
        and each.get("name") == ENTITIES
        and isinstance(each.get("url"), str)
    ]
    version, changes = index.get("version"), index.get("delta_url")
    if not found or not isinstance(version, str) or not version:
        raise ListFault(f"{_name(address)}: has no version or names no {ENTITIES}")
    return Release(
        version,
        urljoin(address, found[0]),
        urljoin(address, changes) if isinstance(changes, str) and changes else "",
    )


def changes_since(path: Path, address: str, known: str, newest: str) -> list[str] | None:
    """The URLs of the changes from the version `known` to `newest`, in order.

    `path`: the index of changes from `address`. None if it does not reach back to `known`; then the
    whole file has to be loaded. Versions order by their text. Raise ListFault.
    """
    versions = _read(path, address).get("versions")
    if not isinstance(versions, dict) or not all(isinstance(at, str) for at in versions.values()):
        raise ListFault(f"{_name(address)}: has no versions")
    if not versions or known < min(versions) or newest not in versions:
        return None
    wanted = sorted(version for version in versions if known < version <= newest)
    return [urljoin(address, versions[version]) for version in wanted]


def read_changes(
    files: Sequence[ListFile], is_wanted: Callable[[ListedEntity], bool]
) -> Iterator[tuple[str, ListedEntity | None]]:
    """(id, the entity as it is now, or None if it is no longer listed), in the order of the files.

    An entity that changed so that it is not wanted is no longer listed. Raise ListFault.
    """
    for file in files:
        for line, value in ftm.lines(file):
            entity = value.get("entity")
            operation = value.get("op")
            if not isinstance(entity, dict) or operation not in {"ADD", "MOD", "DEL"}:
                raise file.fault("is no change of an entity", line)
            identifier = entity.get("id")
            if not isinstance(identifier, str):
                raise file.fault("has no id", line)
            found = None if operation == "DEL" else ftm.entity_of(entity, file, line)
            yield identifier, found if found is not None and is_wanted(found) else None


def _read(path: Path, address: str) -> dict[str, Any]:
    if path.stat().st_size > _LONGEST_INDEX:
        raise ListFault(f"{_name(address)}: is too large")
    try:
        value = json.loads(path.read_bytes())
    except ValueError:
        raise ListFault(f"{_name(address)}: is not JSON, or truncated") from None
    if not isinstance(value, dict):
        raise ListFault(f"{_name(address)}: is not a JSON object")
    return value


def _name(address: str) -> str:
    return address.partition("?")[0].rpartition("/")[2]
