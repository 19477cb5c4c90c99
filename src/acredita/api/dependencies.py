"""What endpoints ask for by type."""

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
    """Of whom valid credentials were sent; nobody needs any here, so others are ignored."""
    credentials: Credentials = request.app.state.credentials
    if not credentials.are_sent(request):
        return None
    try:
        return (await credentials.identify(request)).organization_id
    except Unauthorized:
        return None


# The organization that asks a public endpoint, where it says who it is: to it, another's things do
# not exist, though whoever knows their ids may use them.
AskedBy = Annotated[UUID | None, Depends(_known_organization)]
ServicesDep = Annotated[Services, Depends(_services)]
# `scope="function"`: the commit happens before the answer leaves, so that nobody is told 201 for
# work that rolled back.
Db = Annotated[AsyncSession, Depends(_transaction, scope="function")]
Reader = Annotated[AsyncConnection, Depends(_reading, scope="function")]
