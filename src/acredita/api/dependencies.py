"""The dependencies that endpoints declare by type."""

from collections.abc import AsyncIterator
from typing import Annotated, cast
from uuid import UUID

from fastapi import Depends
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession
from starlette.requests import Request

from acredita.api.credentials import Credentials
from acredita.domain.errors import Unauthorized
from acredita.services import Services


async def _services(request: Request) -> Services:
    return cast("Services", request.app.state.services)


async def _transaction(request: Request) -> AsyncIterator[AsyncSession]:
    async with request.app.state.services.database.transaction() as session:
        yield session


async def _reading(request: Request) -> AsyncIterator[AsyncConnection]:
    async with request.app.state.services.database.reading() as connection:
        yield connection


async def _known_organization(request: Request) -> UUID | None:
    """Return the organization of valid credentials. They are optional: ignores invalid ones."""
    credentials: Credentials = request.app.state.credentials
    if not credentials.are_sent(request):
        return None
    try:
        return (await credentials.identify(request)).organization_id
    except Unauthorized:
        return None


# The organization that calls a public endpoint, if it authenticates. It then gets 404 for another
# organization's ids, although an anonymous caller who knows them can use them.
AskedBy = Annotated[UUID | None, Depends(_known_organization)]
ServicesDep = Annotated[Services, Depends(_services)]
# `scope="function"`: the commit precedes the response, so that no caller gets a 201 for work that
# is rolled back.
Db = Annotated[AsyncSession, Depends(_transaction, scope="function")]
Reader = Annotated[AsyncConnection, Depends(_reading, scope="function")]
