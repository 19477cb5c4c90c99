"""A worker for the jobs of `kinds` alone: its process may have imported all of the service's."""

import asyncio

from acredita import worker
from acredita.jobs import Queue, registry
from acredita.settings import Settings

if __name__ == "__main__":
    registry._definitions.clear()
    asyncio.run(
        worker.run(Settings(_env_file=None), [Queue.LIGHT], job_modules=["tests.reliability.kinds"])
    )
