"""Kinds of jobs for the tests: each leaves rows in the table `effect`."""

from uuid import UUID

from sqlalchemy import text

from acredita.jobs import JobContext, Queue, job, recurring

EFFECT = text("INSERT INTO effect (number) VALUES (:number)")
DIED = 1000
behaviour: dict = {}


async def note_death(session, services, job):
    await session.execute(EFFECT, {"number": DIED + job.payload["number"]})


async def fail_to_note_death(session, services, job):
    await session.execute(EFFECT, {"number": DIED})
    raise RuntimeError("the consequence cannot be drawn now")


@job("test.note", queue=Queue.LIGHT, timeout=5, max_attempts=2, on_dead=note_death)
async def note(context: JobContext, number: int) -> None:
    async with context.finish() as session:
        await session.execute(EFFECT, {"number": number})


@job("test.flexible", queue=Queue.LIGHT, timeout=0.5, max_attempts=3, on_dead=note_death)
async def flexible(context: JobContext, number: int) -> None:
    await behaviour["handler"](context)


@job("test.patient", queue=Queue.LIGHT, timeout=60)
async def patient(context: JobContext, number: int) -> None:
    await behaviour["handler"](context)


@job("test.unmournable", queue=Queue.LIGHT, timeout=5, max_attempts=1, on_dead=fail_to_note_death)
async def unmournable(context: JobContext, number: int) -> None:
    raise AssertionError("never run")


@job("test.ids", queue=Queue.WEBHOOKS, timeout=5)
async def ids(context: JobContext, thing: UUID, maybe: UUID | None = None) -> None:
    behaviour["ids"] = (thing, maybe)


@recurring("test.tick", every=60)
async def tick(context: JobContext) -> None:
    async with context.finish() as session:
        await session.execute(EFFECT, {"number": 7})


@job("test.engine", queue=Queue.ENGINES, timeout=60)
async def engine(context: JobContext, number: int = 1) -> None:
    await behaviour["handler"](context)
