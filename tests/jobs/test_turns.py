"""Engine jobs are claimed of the organizations in turn."""

import asyncio
from uuid import uuid4

import pytest
from sqlalchemy import text

from acredita.domain.errors import QueueFull
from acredita.jobs import Lane, Priority, Queue, ledger
from acredita.jobs.runner import Runner
from tests.factories.belongings import picture
from tests.factories.organizations import make_verification
from tests.jobs import kinds

FLOOD = text(
    "INSERT INTO job (id, kind, payload, queue, organization_id, lane, run_at, max_attempts)"
    " SELECT gen_random_uuid(), 'test.engine', '{}', 'engines', :organization, :lane,"
    " now() - interval '1 hour', 5 FROM generate_series(1, :number)"
)


@pytest.fixture
def turns():
    return ledger.Turns()


@pytest.fixture
def flood(desk):
    async def flood_with(organization, number, lane=Lane.SERVER):
        async with desk.database.transaction() as session:
            values = {"organization": organization, "number": number, "lane": lane.value}
            await session.execute(FLOOD, values)

    return flood_with


async def claim(desk, turns, limit=1, **terms):
    return await ledger.claim_in_turn(
        desk.database, Queue.ENGINES, turns, limit=limit, lease=30, **terms
    )


async def organizations(desk, turns, number, **terms):
    claims = [await claim(desk, turns, **terms) for _ in range(number)]
    return [job.organization_id for jobs in claims for job in jobs]


class TestOrganizations:
    async def test_one_document_waits_for_one_turn_of_a_thousand_of_another(
        self, desk, turns, flood
    ):
        many, one = uuid4(), uuid4()
        await flood(many, 1000)
        assert await organizations(desk, turns, 3) == [many] * 3
        await desk.add(kinds.engine, organization_id=one)
        assert one in await organizations(desk, turns, 2)

    async def test_each_gets_a_turn_also_jobs_of_none_and_weights_count(self, desk, turns, flood):
        first, second, third = sorted(uuid4() for _ in range(3))
        for each in (first, second, third, None):
            await flood(each, 30)
        turns.last = third
        round_of_all = [None, first, second, third]
        assert await organizations(desk, turns, 8) == round_of_all * 2
        served = await organizations(desk, turns, 2, limit=6, weights={second: 3})
        assert sorted(map(str, served)) == sorted(map(str, [None, first, *[second] * 3, third] * 2))

    async def test_urgent_jobs_go_before_the_turns_and_bulk_after(self, desk, turns):
        one, two = uuid4(), uuid4()
        bulk = await desk.add(kinds.engine, organization_id=one, priority=Priority.BULK)
        normal = await desk.add(kinds.engine, organization_id=two)
        urgent = await desk.add(kinds.engine, organization_id=two, priority=Priority.URGENT)
        await desk.add(kinds.engine, organization_id=one, delay=60)
        claimed = [await claim(desk, turns) for _ in range(4)]
        assert [job.id for jobs in claimed for job in jobs] == [urgent, normal, bulk]

    async def test_an_organization_at_its_limit_waits_and_the_others_do_not(
        self, desk, turns, flood
    ):
        many, other = uuid4(), uuid4()
        await flood(many, 9)
        assert await organizations(desk, turns, 5, most_of_organization=3) == [many] * 3
        await flood(other, 2)
        assert await organizations(desk, turns, 5, most_of_organization=3) == [other] * 2

    async def test_many_claims_at_once_take_each_job_once(self, desk, flood):
        for _ in range(5):
            await flood(uuid4(), 4)
        claims = []
        for _ in range(10):
            claims += await asyncio.gather(
                *(claim(desk, ledger.Turns(), limit=3) for _ in range(4))
            )
        claimed = [job.id for jobs in claims for job in jobs]
        assert len(claimed) == len(set(claimed)) == 20


class TestCallers:
    async def test_servers_go_before_browsers_which_still_get_a_fourth(self, desk, turns, flood):
        mine = uuid4()
        await flood(mine, 9, Lane.BROWSER)
        await flood(mine, 9)
        claimed = [await claim(desk, turns) for _ in range(8)]
        rows = [await desk.row(job.id) for jobs in claimed for job in jobs]
        assert [row.lane for row in rows] == [0, 0, 0, 1] * 2

    async def test_a_runner_fills_its_places_from_one_organization_if_there_is_no_other(
        self, desk, flood, handle
    ):
        gate = asyncio.Event()

        async def wait(context):
            await gate.wait()

        handle(wait)
        await flood(uuid4(), 9)
        runner = Runner(desk.services, {Queue.ENGINES: 3})
        await runner.pull(Queue.ENGINES)
        assert runner.in_flight == 3
        gate.set()
        await runner.stop(grace=5)


class TestFullQueues:
    async def test_browsers_fill_their_part_of_the_queue_and_not_that_of_the_servers(
        self, desk, flood
    ):
        mine = uuid4()
        await flood(mine, 5, Lane.BROWSER)
        require_room = ledger.require_room
        reads = desk.services.reads
        await require_room(reads, mine, lane=Lane.SERVER, most=6)
        with pytest.raises(QueueFull):
            await require_room(reads, mine, lane=Lane.BROWSER, most=5)
        with pytest.raises(QueueFull):
            await require_room(reads, mine, lane=Lane.SERVER, most=5)
        await require_room(reads, uuid4(), lane=Lane.SERVER, most=1)

    async def test_an_upload_to_a_full_queue_gets_429_and_others_go_on(
        self, desk, flood, banco, rival
    ):
        mine, theirs = [await make_verification(member) for member in (banco, rival)]
        await flood(banco.organization_id, desk.services.settings.engine_queue)
        files = {"front": ("a.png", picture())}
        refused = await banco.post(f"/v1/verifications/{mine}/inputs", files=files)
        assert (refused.status_code, refused.json()["error"]["code"]) == (429, "QUEUE_FULL")
        assert refused.headers["retry-after"] == "30"
        accepted = await rival.post(f"/v1/verifications/{theirs}/inputs", files=files)
        assert accepted.status_code == 202
