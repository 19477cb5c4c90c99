"""Making a recurring job's next run the present one."""

from sqlalchemy import func, update
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.jobs import ledger
from acredita.jobs.registry import JobDefinition
from acredita.models import Job, JobState


async def run_at_once(session: AsyncSession, definition: JobDefinition) -> None:
    """Let a recurring job run as soon as this transaction commits; one that runs now goes on."""
    await session.execute(
        update(Job)
        .where(
            Job.once_key == f"recurring:{definition.kind}",
            Job.state == JobState.PENDING.value,
        )
        .values(run_at=func.now(), published_at=None)
    )
    await ledger.ring(session, definition.queue)
