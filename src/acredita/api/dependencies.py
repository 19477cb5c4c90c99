"""What endpoints ask for by type."""

from collections.abc import AsyncIterator
from typing import Annotated, cast

from fastapi import Depends
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession
from starlette.requests import Request

from acredita.services import Services


async def _services(request: Request) -> Services:
    return cast("Services", request.app.state.services)


async def _transaction(request: Request) -> AsyncIterator[AsyncSession]:
    async with request.app.state.services.database.transaction() as session:
        yield session


async def _reading(request: Request) -> AsyncIterator[AsyncConnection]:
    async with request.app.state.services.database.reading() as connection:
        yield connection


ServicesDep = Annotated[Services, Depends(_services)]
# `scope="function"`: the commit happens before the answer leaves, so that nobody is told 201 for
# work that rolled back.
Db = Annotated[AsyncSession, Depends(_transaction, scope="function")]
Reader = Annotated[AsyncConnection, Depends(_reading, scope="function")]
