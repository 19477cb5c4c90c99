"""Builds an index in a process of its own, which ends with the build.

The tables of a million names take half a gigabyte. A worker that built them itself would keep most
of it.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from acredita.engines.screening import Entry, ListedName, build_index
from acredita.kit.processes import ProcessPool

# Seconds. A million names take 20.
TIMEOUT = 3_000.0


async def build_file(spool: Path, index: Path) -> tuple[int, int]:
    """Build the file `index` from the lines of `building.write_entries` in `spool`.

    Return the numbers of entries and names. Raise PoolError if the process dies or takes too long.
    """
    # The process reads what publishers wrote, and needs none of the service's secrets.
    pool = ProcessPool(1, name="screening_index", hidden_environment="ACREDITA_")
    try:
        return await pool.run(_build, spool, index, timeout=TIMEOUT)
    finally:
        await pool.close()


def _build(spool: Path, path: Path) -> tuple[int, int]:
    index = build_index(_entries(spool))
    index.save(path)
    return index.entries, index.names


def _entries(spool: Path) -> Iterator[Entry]:
    with spool.open("rb") as file:
        for line in file:
            known: dict[str, Any] = orjson.loads(line)
            yield Entry(
                id=known["id"],
                list_id=known["list_id"],
                entity_type=known["entity_type"],
                names=tuple(ListedName(**name) for name in known["names"]),
                dates_of_birth=tuple(known["dates_of_birth"]),
                countries=tuple(known["countries"]),
                identifiers=tuple((each["kind"], each["value"]) for each in known["identifiers"]),
                genders=tuple(known["genders"] or ()),
                nationalities=tuple(known["nationalities"] or ()),
            )
