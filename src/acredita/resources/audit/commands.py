"""What `acredita audit` does, over a database that may be anybody's copy."""

from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from uuid import UUID

from acredita.kit.crypto import Signer
from acredita.kit.db import Database
from acredita.resources.audit import heads as signed_heads
from acredita.resources.audit.heads import Head
from acredita.resources.audit.verification import Verdict
from acredita.resources.audit.verification import verify as verify_chains
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
    """Whether all chains, or the one that is named, are sound."""
    signer = Signer(settings.secret_key.get_secret_value())
    entries = chains = 0
    sound = True
    async with _database(settings) as database, database.engine.connect() as connection:
        await connection.execution_options(isolation_level="REPEATABLE READ")
        async for verdict in verify_chains(
            connection, signer, organization_id=organization_id, kept=kept
        ):
            entries, chains = entries + verdict.entries, chains + 1
            if verdict.bad_position is not None:
                sound = False
                say(_complaint(verdict))
    say(f"{chains} chains, {entries} entries: {'sound' if sound else 'NOT SOUND'}")
    return sound


def _complaint(verdict: Verdict) -> str:
    return (
        f"organization {verdict.organization_id}: first bad row {verdict.bad_position}:"
        f" {verdict.fault}"
    )


async def show_heads(settings: Settings, say: Say) -> None:
    signer = Signer(settings.secret_key.get_secret_value())
    async with _database(settings) as database:
        async with database.transaction() as session:
            await signed_heads.sign_grown_chains(session, signer)
        async with database.reading() as connection:
            for head in await signed_heads.newest(connection):
                say(head.line())
