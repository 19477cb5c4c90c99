"""Sandbox list of invented names for a fresh installation. The first real list replaces it."""

from pathlib import Path

from sqlalchemy import select

import acredita.providers.watchlists
from acredita.models import Watchlist
from acredita.ports import ListLoading
from acredita.providers.watchlists.catalogue import SANDBOX
from acredita.providers.watchlists.formats import BY_NAME
from acredita.providers.watchlists.protocol import ListFile
from acredita.resources.aml.folder import folder_of
from acredita.resources.aml.lists import parsing, refreshing
from acredita.settings import Environment

SAMPLE = Path(acredita.providers.watchlists.__path__[0]) / "sample.csv"


async def install(services: ListLoading) -> bool:
    """Load the sandbox list if no list is loaded and sandboxes are allowed.

    Return whether it was loaded.
    """
    settings = services.settings
    if settings.env is Environment.PRODUCTION and not settings.allow_sandbox_providers:
        return False
    # A real list may be loaded at the same time. The next load of a real list removes the sandbox.
    async with services.database.reading() as connection:
        if await connection.scalar(select(Watchlist.id).where(Watchlist.version > 0).limit(1)):
            return False
    file = ListFile(SAMPLE, SAMPLE.name)
    parsed = await parsing.parse(SANDBOX, BY_NAME["csv"], [file], folder_of(settings))
    try:
        await refreshing.replace_list(services, SANDBOX, parsed)
    finally:
        parsed.close()
    return True
