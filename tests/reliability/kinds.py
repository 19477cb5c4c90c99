"""Jobs for workers that are killed: each has one effect, a row, in its finishing transaction."""

import asyncio
import os
import random
import signal

from sqlalchemy import text

from acredita import jobs
from acredita.jobs import JobContext, Queue, job

RUN = text("INSERT INTO run (number) VALUES (:number)")
EFFECT = text("INSERT INTO effect (number) VALUES (:number)")
LAST = 10_000


async def note_death(session, services, job):
    await session.execute(EFFECT, {"number": -job.payload["number"]})


async def note_run(context: JobContext, number: int) -> None:
    async with context.services.database.transaction() as session:
        await session.execute(RUN, {"number": number})


@job("test.work", queue=Queue.LIGHT, timeout=30, max_attempts=1000, on_dead=note_death)
async def work(context: JobContext, number: int) -> None:
    """Takes a while; the first half of a pair makes the second necessary."""
    await note_run(context, number)
    await asyncio.sleep(random.uniform(0.05, 0.5))
    async with context.finish() as session:
        await session.execute(EFFECT, {"number": number})
        if number < LAST:
            following = number + LAST
            await jobs.add(session, work, {"number": following}, once_key=f"work:{following}")


@job("test.poison", queue=Queue.LIGHT, timeout=30, max_attempts=2, on_dead=note_death)
async def poison(context: JobContext, number: int) -> None:
    await note_run(context, number)
    os.kill(os.getpid(), signal.SIGKILL)


@job("test.endless", queue=Queue.LIGHT, timeout=600)
async def endless(context: JobContext, number: int) -> None:
    await note_run(context, number)
    await asyncio.sleep(600)
