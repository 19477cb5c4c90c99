"""Delete sessions that have ended."""

from datetime import timedelta

from acredita.jobs import JobContext, recurring
from acredita.resources.second_factors.passkeys import queries as passkeys
from acredita.resources.sessions import queries


@recurring("sessions.purge", every=3600)
async def purge(context: JobContext) -> None:
    now = context.services.clock.now()
    idle = timedelta(seconds=context.services.settings.session_idle_timeout)
    async with context.services.database.transaction() as session:
        await queries.delete_ended(session, seen_before=now - idle, now=now)
        await passkeys.delete_expired(session, now)
