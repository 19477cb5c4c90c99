"""A kind of job that does what a test tells it to."""

from acredita.jobs import JobContext, Queue, job

behaviour: dict = {}


@job("test.counted", queue=Queue.LIGHT, timeout=5, max_attempts=3)
async def counted(context: JobContext) -> None:
    await behaviour["handler"](context)
