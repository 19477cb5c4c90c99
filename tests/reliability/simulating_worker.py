"""A worker of the service that simulates in small batches, and dies in a call of a function.

python -m tests.reliability.simulating_worker [judge_all 2]
"""

import asyncio
import os
import signal
import sys

from acredita import worker
from acredita.jobs import Queue
from acredita.resources.policy_trials import jobs as simulations
from acredita.resources.policy_trials import past_verifications as past
from acredita.settings import Settings

BATCH = 10


def die_in(name: str, call: int) -> None:
    """Let this call of a function kill the process when it has done its work."""
    module = past if hasattr(past, name) else simulations
    function, calls = getattr(module, name), []

    def kill_at_last(*arguments):
        result = function(*arguments)
        calls.append(name)
        if len(calls) == call:
            os.kill(os.getpid(), signal.SIGKILL)
        return result

    setattr(module, name, kill_at_last)


if __name__ == "__main__":
    simulations.BATCH = BATCH
    if sys.argv[1:]:
        die_in(sys.argv[1], int(sys.argv[2]))
    asyncio.run(worker.run(Settings(_env_file=None), [Queue.LIGHT, Queue.REGISTRIES]))
