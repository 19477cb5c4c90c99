"""One job queue that runs jobs that do nothing. Prints the CPU microseconds of the process per job.

    python ledger_contender.py NAME DATABASE_URL JOBS

`acredita` is the package that PYTHONPATH names, of this commit or of another. The others are
packages of an environment of their own, so they are imported here only when asked for. Each runs
sixteen jobs at once, or in batches as it does by default, from an empty database.
"""

# ruff: noqa: PLC0415 (each environment has the packages of one contender)

import asyncio
import os
import sys
import time

AT_ONCE = 16
FILL = """
    INSERT INTO job (id, kind, payload, queue, run_at, max_attempts)
    SELECT gen_random_uuid(), 'bench.nothing', '{}', 'light', now() - interval '1 hour', 5
    FROM generate_series(1, CAST(:number AS int))
"""


async def acredita(url: str, number: int) -> float:
    from sqlalchemy import text

    from acredita.jobs import JobContext, Queue, job
    from acredita.jobs.runner import Runner
    from acredita.kit.migrations import upgrade
    from acredita.services import open_services
    from acredita.settings import Settings

    @job("bench.nothing", queue=Queue.LIGHT, timeout=5)
    async def nothing(_: JobContext) -> None:
        pass

    await asyncio.to_thread(upgrade, url)
    settings = Settings(
        _env_file=None, database_url=url, redis_url=os.environ["ACREDITA_REDIS_URL"]
    )
    async with open_services(settings) as services:
        async with services.database.transaction() as session:
            await session.execute(text(FILL), {"number": number})
        undone = text("SELECT id FROM job WHERE state <> 'done' LIMIT 1")
        began = time.process_time()
        pulling = asyncio.create_task(
            Runner(services, {Queue.LIGHT: AT_ONCE}).pull_for_ever(Queue.LIGHT)
        )
        async with services.database.reading() as connection:
            while (await connection.execute(undone)).first() is not None:  # noqa: ASYNC110
                await asyncio.sleep(0.1)
        spent = time.process_time() - began
        pulling.cancel()
        await asyncio.gather(pulling, return_exceptions=True)
    return spent


async def procrastinate(url: str, number: int) -> float:
    import procrastinate

    app = procrastinate.App(connector=procrastinate.PsycopgConnector(conninfo=url))

    @app.task(name="nothing")
    async def nothing() -> None:
        pass

    async with app.open_async():
        await app.schema_manager.apply_schema_async()
        await nothing.batch_defer_async(*[{}] * number)
        began = time.process_time()
        await app.run_worker_async(wait=False, concurrency=AT_ONCE, install_signal_handlers=False)
        return time.process_time() - began


async def pgqueuer(url: str, number: int) -> float:
    import asyncpg
    from pgqueuer import PgQueuer
    from pgqueuer.db import AsyncpgDriver
    from pgqueuer.queries import Queries
    from pgqueuer.types import QueueExecutionMode

    connection = await asyncpg.connect(url)
    queue = PgQueuer(AsyncpgDriver(connection))

    @queue.entrypoint("nothing")
    async def nothing(_: object) -> None:
        pass

    queries = Queries(queue.connection)
    await queries.install()
    await queries.enqueue(["nothing"] * number, [None] * number, [0] * number)
    began = time.process_time()
    await queue.run(mode=QueueExecutionMode.drain)
    spent = time.process_time() - began
    await connection.close()
    return spent


CONTENDERS = {each.__name__: each for each in (acredita, procrastinate, pgqueuer)}


def main(name: str, url: str, jobs: str) -> None:
    spent = asyncio.run(CONTENDERS[name](url, int(jobs)))
    print(f"{spent / int(jobs) * 1e6:.1f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
