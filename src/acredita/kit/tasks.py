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
