"""Jobs wherever they are: in `job`, or done and moved to `job_finished`."""

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.models import FinishedJob, Job, JobState


async def find_jobs(session: AsyncSession, **values) -> list[Job | FinishedJob]:
    """The jobs with these values, oldest first. A moved one has the state DONE."""
    found = {job.id: job for job in await session.scalars(select(Job).filter_by(**values))}
    for finished in await session.scalars(select(FinishedJob).filter_by(**values)):
        finished.state = JobState.DONE
        # Also one that has moved since the first statement.
        found[finished.id] = finished
    return sorted(found.values(), key=lambda job: job.created_at)
