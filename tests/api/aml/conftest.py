"""Lists as an operator imports them, and an application that screens against them."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from acredita.providers.watchlists.catalogue import BY_ID, KnownList
from acredita.providers.watchlists.formats import detect
from acredita.providers.watchlists.protocol import ListFile
from acredita.resources.aml import indexing, loading
from acredita.resources.aml.loading import Change
from acredita.services import Services

PRIVATE = KnownList("private", "Our own list", "", ("csv",))
HEADER = "id,type,name,aliases,date_of_birth,countries,rfc\n"


@dataclass
class Lists:
    """Imports lists and lets the application have them."""

    services: Services
    folder: Path

    async def load(
        self, files: Sequence[Path], known: KnownList = PRIVATE, *, force: bool = False
    ) -> Change:
        opened = [ListFile(path, path.name) for path in files]
        parsed = await asyncio.to_thread(loading.parse, detect(opened), opened)
        try:
            async with self.services.database.transaction() as session:
                return await loading.load(
                    session, known, parsed, self.services.clock.now(), force=force
                )
        finally:
            parsed.close()

    async def write(self, *rows: str, known: KnownList = PRIVATE, force: bool = False) -> Change:
        """Make the list what these lines of our own format say."""
        path = self.folder / "own.csv"
        path.write_text("id,type,name,aliases,dates_of_birth,countries,rfc\n" + "\n".join(rows))
        return await self.load([path], known, force=force)

    async def serve(self, *services: Services) -> None:
        """Build the index, and let these processes' services have it at once."""
        await indexing.build(self.services)
        for each in services or (self.services,):
            await each.screener.look()


@pytest.fixture
def lists(app, services, tmp_path) -> Lists:
    """Over the database of the application that `banco` and `rival` ask."""
    return Lists(app.state.services, tmp_path)


@pytest.fixture
async def sandbox(lists) -> Lists:
    """The names that a fresh installation screens."""
    sample = Path(loading.__file__).parents[2] / "providers" / "watchlists" / "sample.csv"
    await lists.load([sample], BY_ID["sandbox"])
    await lists.serve()
    return lists
