"""The commands of `acredita verification`."""

from collections.abc import Callable
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.kit.crypto import KeyRing, Signer
from acredita.models import Verification
from acredita.resources.otp import confirmations

# The pipeline finds the jobs of the steps in a table, which this import fills.
from acredita.resources.verifications import jobs as _jobs  # noqa: F401
from acredita.resources.verifications import queries, search
from acredita.resources.verifications.run_again import run_again_for_operator
from acredita.services import open_database, open_transaction
from acredita.settings import Settings

INDEX_BATCH = 100


async def run_again(settings: Settings, verification_id: UUID) -> None:
    """Raise NotFound, NothingToRunAgain."""
    keys = KeyRing.from_text(settings.encryption_keys.get_secret_value())
    async with open_transaction(settings) as session:
        await run_again_for_operator(session, keys, verification_id)


async def index_identifiers(settings: Settings, tell: Callable[[int], None]) -> int:
    """Add the names and identifiers of all verifications to the search index; return how many
    were indexed.

    Safe at any time and more than once. `tell` is called with the number so far.
    """
    keys = KeyRing.from_text(settings.encryption_keys.get_secret_value())
    signer = Signer(settings.secret_key.get_secret_value())
    done, last = 0, UUID(int=0)
    async with open_database(settings) as database:
        while True:
            async with database.transaction() as session:
                # The lock makes a purge wait, or the purge has left a tombstone.
                query = (
                    select(Verification)
                    .where(Verification.id > last, Verification.purged_at.is_(None))
                    .order_by(Verification.id)
                    .limit(INDEX_BATCH)
                    .with_for_update(read=True)
                )
                batch = (await session.scalars(query)).all()
                for verification in batch:
                    await _index(session, keys, signer, verification)
            if not batch:
                return done
            done, last = done + len(batch), batch[-1].id
            tell(done)


async def _index(
    session: AsyncSession, keys: KeyRing, signer: Signer, verification: Verification
) -> None:
    evidence = [
        item
        for step in await queries.list_steps(session, verification.id)
        for item in step.evidence.open(keys) or []
    ]
    mine = verification.organization_id
    confirmed, _ = await confirmations.find(session, mine, verification.id)
    hashes = [search.hash_destination(each.destination) for each in confirmed[-1:]]
    stated = search.hash_metadata(signer, mine, verification.verification_metadata)
    await search.add_keys(session, signer, verification, evidence, hashes, more=stated, is_all=True)
