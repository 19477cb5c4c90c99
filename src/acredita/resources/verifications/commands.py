"""The commands of `acredita verification`."""

from uuid import UUID

from acredita.kit.crypto import KeyRing

# The pipeline finds the jobs of the steps in a table, which this import fills.
from acredita.resources.verifications import jobs as _jobs  # noqa: F401
from acredita.resources.verifications.run_again import run_again_for_operator
from acredita.services import open_database
from acredita.settings import Settings


async def run_again(settings: Settings, verification_id: UUID) -> None:
    """Raise NotFound, NothingToRunAgain."""
    keys = KeyRing.from_text(settings.encryption_keys.get_secret_value())
    timeout = settings.database_statement_timeout
    async with (
        open_database(settings, statement_timeout=timeout) as database,
        database.transaction() as session,
    ):
        await run_again_for_operator(session, keys, verification_id)
