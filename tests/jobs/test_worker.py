"""The worker's loops: what one queue needs to start is no matter of the others."""

import asyncio
import os
from uuid import uuid4

import pytest

from acredita import worker
from acredita.engines.face.models import ModelsMissing
from acredita.jobs import Queue
from acredita.models import JobState
from acredita.services import open_services
from tests.jobs import kinds
from tests.jobs.test_wake_ups_and_reaping import until


async def test_a_queue_that_cannot_start_keeps_its_jobs_and_holds_up_no_other(desk):
    is_repaired = asyncio.Event()
    tries = 0

    async def start():
        nonlocal tries
        tries += 1
        if not is_repaired.is_set():
            raise FileNotFoundError

    stop = asyncio.Event()
    serving = asyncio.create_task(
        worker.serve(
            desk.services, (Queue.LIGHT, Queue.WEBHOOKS), stop, first={Queue.WEBHOOKS: start}
        )
    )
    try:
        waiting = await desk.add(kinds.ids, {"thing": str(uuid4())})
        other = await desk.add()

        async def is_done(job_id):
            return (await desk.row(job_id)).state == JobState.DONE

        await until(lambda: is_done(other))

        async def was_tried_again():
            return tries > 1

        await until(was_tried_again)
        row = await desk.row(waiting)
        assert (row.state, row.attempts) == (JobState.PENDING, 0)
        is_repaired.set()
        await until(lambda: is_done(waiting))
    finally:
        stop.set()
        await serving
        kinds.behaviour.clear()


async def test_it_leaves_no_task_and_no_connection_behind_however_often_it_cancels(
    desk, redis, monkeypatch
):
    monkeypatch.setattr(worker, "SHORTEST_PAUSE", 0)
    index = redis.connection_pool.connection_kwargs["db"]

    async def connections():
        return sum(client["db"] == str(index) for client in await redis.client_list())

    before, tasks = await connections(), asyncio.all_tasks()
    stop = asyncio.Event()
    serving = asyncio.create_task(worker.serve(desk.services, tuple(Queue), stop))

    async def it_is_connected():
        return await connections() > before

    await until(it_is_connected)
    stop.set()
    await serving
    assert not asyncio.all_tasks() - tasks

    async def none_is_left():
        return await connections() == before

    await until(none_is_left)


@pytest.mark.slow
async def test_documents_are_read_where_the_models_of_faces_are_missing(settings, tmp_path):
    without = settings.model_copy(update={"face_models": tmp_path})
    async with open_services(without) as services:
        await worker._start_engines(services)
        assert await services.readers.run(os.getpid, timeout=10) != os.getpid()
        with pytest.raises(ModelsMissing):
            await services.faces.start()
