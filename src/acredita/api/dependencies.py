"""The dependencies that endpoints declare by type."""

from collections.abc import AsyncIterator
from typing import Annotated, cast
from uuid import UUID

from fastapi import Depends
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession
from starlette.requests import Request

from acredita.api.credentials import Credentials
from acredita.domain.errors import Unauthorized
from acredita.kit.statement_pool import Reads
from acredita.services import Services


class _OpenServices:
    """Provides the services of the process."""

    @staticmethod
    def of_request(request: Request) -> Services:
        return cast("Services", request.app.state.services)

    async def __call__(self, request: Request) -> Services:
        return self.of_request(request)


services_of = _OpenServices.of_request


async def _transaction(request: Request) -> AsyncIterator[AsyncSession]:
    async with request.app.state.services.database.transaction() as session:
        yield session


async def _reading(request: Request) -> AsyncIterator[AsyncConnection]:
    async with request.app.state.services.database.reading() as connection:
        yield connection


def is_fresh_wanted(request: Request) -> bool:
    """Whether the caller wants to read its own writes at once, and not from a replica."""
    return request.headers.get("cache-control", "").lower() == "no-cache"


def lists_of(request: Request) -> Reads:
    """Return where lists are read by single statements."""
    services = services_of(request)
    return services.reads if is_fresh_wanted(request) else services.lists


async def _list_reading(request: Request) -> AsyncIterator[AsyncConnection]:
    services = services_of(request)
    source = services.database if is_fresh_wanted(request) else services.replica.database
    async with source.reading() as connection:
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
ServicesDep = Annotated[Services, Depends(_OpenServices())]
# `scope="function"`: the commit precedes the response, so that no caller gets a 201 for work that
# is rolled back.
Db = Annotated[AsyncSession, Depends(_transaction, scope="function")]
Reader = Annotated[AsyncConnection, Depends(_reading, scope="function")]
# For lists and counts: a replica that may lag, unless the caller sends `Cache-Control: no-cache`.
ListReader = Annotated[AsyncConnection, Depends(_list_reading, scope="function")]
