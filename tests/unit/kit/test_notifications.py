import asyncio

from acredita.kit.notifications import listening

# More than a loop turns between the first line of `listening` and the last.
TURNS = 40


async def listen(url: str) -> None:
    async with listening(url, "acredita:test"):
        await asyncio.Event().wait()


async def test_who_listens_ends_at_the_first_cancellation_however_far_it_came(settings_of_worker):
    for turns in range(TURNS):
        task = asyncio.create_task(listen(settings_of_worker.redis_url))
        for _ in range(turns):
            await asyncio.sleep(0)
        task.cancel()
        ended, _ = await asyncio.wait([task], timeout=10)
        assert ended, f"turn {turns}"
        assert task.cancelled()
