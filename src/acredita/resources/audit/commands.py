"""The commands of `acredita audit`. They also work on a copy of the database."""

from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from uuid import UUID

from acredita.kit.crypto import Signer
from acredita.kit.db import Database
from acredita.resources.audit import heads as signed_heads
from acredita.resources.audit.chain_check import ChainResult
from acredita.resources.audit.chain_check import verify as verify_chains
from acredita.resources.audit.chaining import chain_all, waiting
from acredita.resources.audit.heads import Head
from acredita.settings import Settings

Say = Callable[[str], None]


@asynccontextmanager
async def _database(settings: Settings) -> AsyncIterator[Database]:
    database = Database(
        settings.database_url,
        pool_size=1,
        statement_timeout=settings.database_statement_timeout,
        application_name="acredita audit",
    )
    try:
        yield database
    finally:
        await database.dispose()


async def verify(
    settings: Settings, organization_id: UUID | None, kept: Iterable[Head], say: Say
) -> bool:
    """Verify all chains, or that of one organization. Return whether all are sound."""
    signer = Signer(settings.secret_key.get_secret_value())
    entries = chains = unchained = 0
    sound = True
    async with _database(settings) as database, database.engine.connect() as connection:
        await connection.execution_options(isolation_level="REPEATABLE READ")
        async for result in verify_chains(
            connection, signer, organization_id=organization_id, kept=kept
        ):
            entries, chains = entries + result.entries, chains + 1
            unchained += result.unchained
            if result.bad_position is not None:
                sound = False
                say(_complaint(result))
        gap = await waiting(connection)
    if unchained:
        say(f"{unchained} entries are not chained yet (the oldest for {gap.oldest_age:.0f} s)")
    say(f"{chains} chains, {entries} entries: {'sound' if sound else 'NOT SOUND'}")
    return sound


def _complaint(result: ChainResult) -> str:
    return (
        f"organization {result.organization_id}: first bad row {result.bad_position}:"
        f" {result.fault}"
    )


async def show_heads(settings: Settings, say: Say) -> None:
    signer = Signer(settings.secret_key.get_secret_value())
    async with _database(settings) as database:
        await chain_all(database, signer)
        async with database.transaction() as session:
            await signed_heads.sign_grown_chains(session, signer)
        async with database.reading() as connection:
            for head in await signed_heads.newest(connection):
                say(head.line())
