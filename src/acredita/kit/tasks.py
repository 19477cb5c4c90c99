"""End background tasks."""

import asyncio

# Seconds after which tasks that go on are cancelled again.
PATIENCE = 0.5


async def end(*tasks: "asyncio.Task[None]") -> None:
    """Cancel the tasks and wait until they have ended, however they end.

    Repeat it: a library that turns a time-out into a result can lose a cancellation, and arq's
    worker ignores one at its start. The loop that called them would go on for ever.
    """
    pending = {task for task in tasks if not task.done()}
    while pending:
        for task in pending:
            task.cancel()
        _, pending = await asyncio.wait(pending, timeout=PATIENCE)
    for task in tasks:
        if not task.cancelled():
            task.exception()


def raise_if_cancelled() -> None:
    """Raise a cancellation of this task that a library lost.

    `asyncio.wait_for` of Python 3.11 loses one that arrives when its result is there, and redis-py
    sends each command with it.
    """
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError
