import asyncio
import itertools
from threading import Event
from types import SimpleNamespace

import pytest

from acredita.providers.watchlists.catalogue import KnownList
from acredita.providers.watchlists.protocol import ListedEntity, ListFile, Name
from acredita.resources.aml.lists import parsing


async def test_a_worker_that_stops_does_not_wait_for_the_rest_of_a_list(tmp_path):
    is_reading, is_over = Event(), Event()

    def read_without_end(*_):
        try:
            for number in itertools.count():
                yield ListedEntity(f"{number}", "person", (Name("Ana Ruiz"),))
                is_reading.set()
        finally:
            is_over.set()

    path = tmp_path / "list.csv"
    path.write_text("id")
    form = SimpleNamespace(name="csv", read=read_without_end)
    own = KnownList("private", "Our own list", "", ("csv",))
    job = asyncio.create_task(parsing.parse(own, form, [ListFile(path, path.name)], tmp_path))
    assert await asyncio.to_thread(is_reading.wait, 30)
    job.cancel()
    with pytest.raises(asyncio.CancelledError):
        await job
    assert await asyncio.to_thread(is_over.wait, 30)
