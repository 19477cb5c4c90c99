"""Runs a recurring job before its next scheduled time."""

from sqlalchemy import func, update
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.jobs import ledger
from acredita.jobs.registry import JobDefinition
from acredita.models import Job, JobState


async def run_at_once(session: AsyncSession, definition: JobDefinition) -> None:
    """Make a recurring job due when this transaction commits. A running job is not affected."""
    await session.execute(
        update(Job)
        .where(
            Job.once_key == f"recurring:{definition.kind}",
            Job.state == JobState.PENDING.value,
        )
        .values(run_at=func.now(), published_at=None)
    )
    await ledger.ring(session, definition.queue)
