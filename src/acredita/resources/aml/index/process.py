"""Builds an index in a process of its own, which ends with the build.

The tables of a million names take half a gigabyte. A worker that built them itself would keep most
of it.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import orjson

from acredita.engines.screening import Entry, ListedName, build_index
from acredita.kit.processes import ProcessPool

# Seconds. A million names take 20.
TIMEOUT = 3_000.0


async def build_file(spool: Path, index: Path) -> tuple[int, int]:
    """Build the file `index` from the entries in `spool`: (entries, names).

    Raise PoolError if the process dies or takes too long.
    """
    # The process reads what publishers wrote, and needs none of the service's secrets.
    pool = ProcessPool(1, name="screening_index", hidden_environment="ACREDITA_")
    try:
        return await pool.run(_build, spool, index, timeout=TIMEOUT)
    finally:
        await pool.close()


def lines(entries: Iterable[Entry]) -> bytes:
    """The entries as lines of a spool."""
    return b"".join(orjson.dumps(entry) + b"\n" for entry in entries)


def _build(spool: Path, path: Path) -> tuple[int, int]:
    index = build_index(_entries(spool))
    index.save(path)
    return index.entries, index.names


def _entries(spool: Path) -> Iterator[Entry]:
    with spool.open("rb") as file:
        for line in file:
            known: dict[str, Any] = orjson.loads(line)
            names = tuple(ListedName(**name) for name in known.pop("names"))
            lists = {name: tuple(value) for name, value in known.items() if type(value) is list}
            yield Entry(**{**known, **lists}, names=names)
