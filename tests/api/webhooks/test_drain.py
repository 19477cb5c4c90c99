"""How the deliveries of one receiver are made: order, places, batches, crashes, rests."""

import asyncio
import json
import time
from collections import Counter, defaultdict
from itertools import pairwise

import pytest
from sqlalchemy import func, select, text, update

from acredita.jobs import JobContext, Queue, ledger
from acredita.jobs.reaper import reap
from acredita.jobs.runner import Interruption, Runner
from acredita.models import Delivery, DeliveryState, Job, JobState, WebhookReceiver
from acredita.resources.webhooks import breaker, delivery_rows
from acredita.resources.webhooks.breaker import Breaker
from acredita.resources.webhooks.drain import MOST_LOSSES
from tests.api.webhooks.conftest import add_verification, working
from tests.factories.receiver import answer, hang


async def many_verifications(tenant, count):
    return [await add_verification(tenant.services, tenant.id) for _ in range(count)]


async def job_of(services, receiver_id) -> Job:
    async with services.database.transaction() as session:
        query = select(Job).where(Job.once_key == f"webhooks.drain:{receiver_id}")
        return (await session.scalars(query)).one()


class TestOrder:
    async def test_the_events_of_a_verification_arrive_in_their_order(
        self, tenant, services, authority
    ):
        """Recorded all at once, so that every one of them is due when the drain begins."""
        each_has, verifications = 12, await many_verifications(tenant, 5)
        arrived, under_way, most = defaultdict(list), Counter(), 0

        async def take(receiver, request):
            nonlocal most
            data = json.loads(receiver.received[-1].body)["data"]
            name = data["verificationId"]
            under_way[name] += 1
            most = max(most, under_way.total())
            assert under_way[name] == 1
            await asyncio.sleep(0.002)
            arrived[name].append(data["number"])
            under_way[name] -= 1
            return await answer(200)(receiver, request)

        async with authority.receiver() as receiver:
            receiver.otherwise = take
            await tenant.register(receiver.url())
            for number in range(each_has):
                for verification in verifications:
                    await verification.record(number=number)
            async with working(services) as worker:
                await worker.until_idle()
        assert len(arrived) == len(verifications)
        for numbers in arrived.values():
            assert numbers == list(range(each_has))
        assert most > 1

    async def test_a_verification_whose_event_is_to_be_repeated_holds_nobody_up(
        self, tenant, worker, authority
    ):
        async with authority.receiver(answer(500)) as receiver:
            await tenant.register(receiver.url())
            await tenant.record(number=1)
            await receiver.wait_for(1)
            await tenant.record(number=2)
            await receiver.wait_for(3)
            await worker.until_idle()
        numbers = [json.loads(each.body)["data"]["number"] for each in receiver.received]
        assert sorted(numbers) == [1, 1, 2]


class TestPlaces:
    async def test_no_more_posts_are_under_way_to_an_endpoint_than_the_setting_says(
        self, tenant, services, authority
    ):
        most, at_once = services.settings.webhook_concurrency, 0
        open_posts: set[int] = set()

        async def hold(receiver, request):
            nonlocal at_once
            open_posts.add(id(request))
            at_once = max(at_once, len(open_posts))
            await asyncio.sleep(0.05)
            open_posts.discard(id(request))
            return await answer(200)(receiver, request)

        async with authority.receiver() as receiver:
            receiver.otherwise = hold
            await tenant.register(receiver.url())
            for verification in await many_verifications(tenant, 3 * most):
                await verification.record()
            # Several workers, as several processes: they share the endpoint's places.
            async with working(services) as worker, working(services), working(services):
                await worker.until_idle()
            assert len(receiver.received) == 3 * most
        assert at_once == most

    async def test_connections_are_kept_for_one_run_and_one_endpoint(
        self, tenant, services, authority
    ):
        async with authority.receiver() as receiver:
            await tenant.register(receiver.url("/one"))
            await tenant.register(receiver.url("/two"))
            for _ in range(10):
                await tenant.record()
            async with working(services) as worker:
                await worker.until_idle()
            peers = defaultdict(set)
            for request in receiver.received:
                peers[request.path].add(request.peer)
        # One verification: one at a time, over one connection.
        assert [len(each) for each in peers.values()] == [1, 1]
        assert peers["/one"].isdisjoint(peers["/two"])

    async def test_an_organization_has_a_quarter_of_a_workers_places(self, tenant, services):
        """More of its endpoints hang than a worker has places; another's is served at once."""
        for _ in range(8):
            await add_verification(services, tenant.id)
        async with services.database.transaction() as session:
            await session.execute(
                text(
                    "INSERT INTO job (id, kind, payload, queue, once_key, max_attempts,"
                    " organization_id) SELECT gen_random_uuid(), 'webhooks.drain',"
                    " jsonb_build_object('key', gen_random_uuid()), 'webhooks', 'k' || n, 5, :id"
                    " FROM generate_series(1, 12) n"
                ),
                {"id": tenant.id},
            )
        claimed = await ledger.claim_due(services.database, Queue.WEBHOOKS, limit=4, lease=30)
        assert len(claimed) == 4
        at_quota = [tenant.id]
        assert not await ledger.claim_due(
            services.database, Queue.WEBHOOKS, limit=4, lease=30, exclude=at_quota
        )


class TestFairness:
    async def test_an_endpoint_that_hangs_with_500_events_delays_another_by_less_than_two_seconds(
        self, tenant, neighbour, services, authority
    ):
        async with (
            authority.receiver(host="stuck.test") as stuck,
            authority.receiver() as well,
        ):
            authority.name("stuck.test", "127.0.0.1")
            stuck.otherwise = hang
            await tenant.register(stuck.url(host="stuck.test"))
            await neighbour.register(well.url())
            for verification in await many_verifications(tenant, 10):
                for _ in range(50):
                    await verification.record()
            async with working(services):
                await stuck.wait_for(services.settings.webhook_concurrency)
                began = time.monotonic()
                await neighbour.record()
                await well.wait_for(1)
                assert time.monotonic() - began < 2

    async def test_so_does_an_organization_with_many_endpoints_that_hang(
        self, tenant, neighbour, services, authority
    ):
        async with authority.receiver(host="stuck.test") as stuck, authority.receiver() as well:
            authority.name("stuck.test", "127.0.0.1")
            stuck.otherwise = hang
            for number in range(12):
                await tenant.register(stuck.url(f"/{number}", host="stuck.test"))
            await neighbour.register(well.url())
            await tenant.record()
            async with working(services, places=8):
                await stuck.wait_for(2)
                began = time.monotonic()
                await neighbour.record()
                await well.wait_for(1)
                assert time.monotonic() - began < 2
                assert len({each.path for each in stuck.received}) == 2


LOSE = "UPDATE job SET lease_expires_at = now() - interval '1 s' WHERE state = 'running'"


class Doomed:
    """A worker that is lost in the middle of everything."""

    def __init__(self, services) -> None:
        self.services = services
        self.runner = Runner(services, {Queue.WEBHOOKS: 4})

    async def begin(self) -> None:
        await ledger.rouse(self.services.database, Queue.WEBHOOKS)
        await self.runner.pull(Queue.WEBHOOKS)

    async def die(self) -> None:
        """As by kill -9: nothing is recorded any more."""
        for run in self.runner._runs:
            run.interrupt(Interruption.LEASE_LOST)
        await self.runner.stop(grace=0)
        await self.lose_leases()

    async def lose_leases(self) -> None:
        """As time goes by for a process that is paused."""
        for run in self.runner._runs:
            run.context.lease_ends = 0.0
        async with self.services.database.transaction() as session:
            await session.execute(text(LOSE))
        assert await reap(self.services) == 1


class TestCrashes:
    async def test_an_attempt_lost_to_a_crash_does_not_use_up_one_of_the_five(
        self, tenant, services, authority
    ):
        async with authority.receiver(hang) as receiver:
            receiver.otherwise = answer(500)
            await tenant.register(receiver.url())
            await tenant.record()
            doomed = Doomed(services)
            await doomed.begin()
            await receiver.wait_for(1)
            await doomed.die()
            async with working(services) as worker:
                await receiver.wait_for(6)
                await worker.until_idle()
            assert len(receiver.received) == 6
            assert len({request.body for request in receiver.received}) == 1
        (delivery,) = await tenant.deliveries()
        assert (delivery.state, delivery.attempts) == (DeliveryState.FAILED, 5)
        assert [attempt.number for attempt in await tenant.attempts()] == [1, 2, 3, 4, 5]

    async def test_one_that_kills_every_worker_uses_up_its_attempts_in_the_end(
        self, tenant, services, authority
    ):
        async with authority.receiver() as receiver:
            receiver.otherwise = hang
            await tenant.register(receiver.url())
            await tenant.record()
            for crash in range(1, MOST_LOSSES + 2):
                doomed = Doomed(services)
                await doomed.begin()
                await receiver.wait_for(crash)
                await doomed.die()
            receiver.otherwise = answer(200)
            async with working(services) as worker:
                await worker.until_idle()
        assert [attempt.error for attempt in await tenant.attempts()] == ["interrupted", None]

    async def test_the_others_of_its_receiver_are_delivered(self, tenant, services, authority):
        """After a crash a worker notes what it is about to send; progress lets it forget."""
        async with authority.receiver(hang, hang, hang) as receiver:
            endpoint = await tenant.register(receiver.url())
            for verification in await many_verifications(tenant, 30):
                await verification.record()
            doomed = Doomed(services)
            await doomed.begin()
            await receiver.wait_for(3)
            await doomed.die()
            async with working(services) as worker:
                await worker.until_idle()
        states = Counter(each.state for each in await tenant.deliveries())
        assert states == {DeliveryState.DELIVERED: 30}
        assert {each.losses for each in await tenant.deliveries()} == {0}
        assert (await job_of(services, endpoint.id)).state == JobState.DONE

    async def test_a_worker_that_lost_its_lease_posts_and_records_nothing_more(
        self, tenant, services, authority
    ):
        gate = asyncio.Event()

        async def wait(receiver, request):
            await gate.wait()
            return await answer(500)(receiver, request)

        async with authority.receiver(wait) as receiver:
            endpoint = await tenant.register(receiver.url())
            for _ in range(3):
                await tenant.record()
            frozen = Doomed(services)
            await frozen.begin()
            await receiver.wait_for(1)
            await frozen.lose_leases()
            async with working(services) as worker:
                await worker.until_idle()
            assert len(receiver.received) == 4
            gate.set()
            await frozen.runner.stop(grace=3)
            assert len(receiver.received) == 4
        assert [each.error for each in await tenant.attempts()] == [None] * 3
        states = {each.state for each in await tenant.deliveries()}
        assert states == {DeliveryState.DELIVERED}
        assert (await job_of(services, endpoint.id)).state == JobState.DONE

    async def test_an_attempt_has_one_end_only(self, tenant, services, authority):
        async with authority.receiver() as receiver:
            endpoint = await tenant.register(receiver.url())
            await tenant.record()
            await ledger.rouse(services.database, Queue.WEBHOOKS)
            (job,) = await ledger.claim_due(services.database, Queue.WEBHOOKS, limit=1, lease=30)
            (delivery,) = await delivery_rows.read_due(
                services.reads, endpoint.id, besides=(), limit=5
            )
            outcome = delivery_rows.AttemptOutcome(
                delivery, interrupted(services), DeliveryState.PENDING, next_in=1000
            )
            for _ in range(2):
                await delivery_rows.record_outcomes(services.writes, job, [outcome])
        (delivery,) = await tenant.deliveries()
        assert (delivery.attempts, len(await tenant.attempts())) == (1, 1)

    async def test_a_worker_that_is_told_to_stop_loses_nothing_and_sends_nothing_twice(
        self, tenant, services, authority
    ):
        async with authority.receiver() as receiver:
            await tenant.register(receiver.url())
            for verification in await many_verifications(tenant, 20):
                for _ in range(10):
                    await verification.record()
            stopped = Runner(services, {Queue.WEBHOOKS: 4})
            await stopped.pull(Queue.WEBHOOKS)
            await receiver.wait_for(20)
            await stopped.stop(grace=5)
            assert len(receiver.received) < 200
            async with working(services) as worker:
                await worker.until_idle()
            assert len(receiver.received) == 200
            assert len({each.headers["webhook-id"] for each in receiver.received}) == 200


def interrupted(services):
    from acredita.resources.webhooks.posting import interrupted

    return interrupted(services.clock)


class TestBreaker:
    async def test_opens_delays_and_uses_nothing_up(self, tenant, services, authority):
        """Sixteen failures in a row: then one attempt at a time, until one arrives."""
        count = 24
        async with authority.receiver() as receiver:
            receiver.otherwise = answer(503)
            endpoint = await tenant.register(receiver.url())
            for verification in await many_verifications(tenant, count):
                await verification.record()
            async with working(services) as worker:
                await receiver.wait_for(breaker.THRESHOLD)
                async with asyncio.timeout(10):
                    while not await resting(services, endpoint.id):  # noqa: ASYNC110
                        await asyncio.sleep(0.01)
                assert len(receiver.received) < breaker.THRESHOLD + 8
                receiver.otherwise = answer(200)
                await worker.until_idle()
        found = await tenant.deliveries()
        assert {each.state for each in found} == {DeliveryState.DELIVERED}
        # Each attempt of the log was a POST: the breaker used up none.
        assert sum(each.attempts for each in found) == len(receiver.received)
        assert await resting(services, endpoint.id) is None

    async def test_an_endpoint_that_stays_dead_still_gets_all_its_attempts(
        self, tenant, services, authority
    ):
        async with authority.receiver() as receiver:
            receiver.otherwise = answer(500)
            await tenant.register(receiver.url())
            for verification in await many_verifications(tenant, 6):
                await verification.record()
            async with working(services) as worker:
                await worker.until_idle(within=60)
            assert len(receiver.received) == 30
        ended = {(each.state, each.attempts) for each in await tenant.deliveries()}
        assert ended == {(DeliveryState.FAILED, 5)}

    def test_rests_twice_as_long_each_time_up_to_a_limit(self):
        dead = Breaker()
        assert dead.allowed(8) == 8
        for _ in range(breaker.THRESHOLD):
            assert dead.next_pause(first=10, longest=60) is None
            dead.record(delivered=False)
        rests = []
        for _ in range(5):
            assert dead.allowed(8) == 0
            rests.append(dead.next_pause(first=10, longest=60))
            dead = Breaker(dead.failures, dead.rests)  # as the next run finds it
            assert dead.allowed(8) == 1
            dead.record(delivered=False)
        assert rests == [10, 20, 40, 60, 60]
        dead.record(delivered=True)
        assert (dead.allowed(8), dead.next_pause(first=10, longest=60)) == (8, None)
        assert (dead.failures, dead.rests) == (0, 0)


async def resting(services, receiver_id):
    async with services.database.reading() as connection:
        return await connection.scalar(
            select(WebhookReceiver.resting_until).where(
                WebhookReceiver.id == receiver_id, WebhookReceiver.failures > 0
            )
        )


class TestWaking:
    async def test_a_delivery_that_commits_while_its_receiver_is_just_left_is_not_forgotten(
        self, tenant, services, authority
    ):
        """The drain looks its last, an event commits, the drain ends: the ledger asks again."""
        async with authority.receiver() as receiver:
            endpoint = await tenant.register(receiver.url())
            await tenant.record()
            await ledger.rouse(services.database, Queue.WEBHOOKS)
            (job,) = await ledger.claim_due(services.database, Queue.WEBHOOKS, limit=1, lease=30)
            async with services.database.transaction() as session:
                await session.execute(
                    update(Delivery).values(state=DeliveryState.DELIVERED, finished_at=func.now())
                )
            context = JobContext(services, job)
            async with context.finish() as session:
                assert await delivery_rows.seconds_until_due(session, endpoint.id) is None
                # In a task of its own, as the request that tells of it has one.
                await asyncio.create_task(tenant.record())
            await ledger.rouse(services.database, Queue.WEBHOOKS)
            assert (await job_of(services, endpoint.id)).state == JobState.PENDING
            async with working(services) as worker:
                await receiver.wait_for(1)
                await worker.until_idle()

    async def test_a_worker_finds_what_is_due_without_any_message(
        self, tenant, services, authority
    ):
        async with authority.receiver() as receiver:
            await tenant.register(receiver.url())
            runner = Runner(services, {Queue.WEBHOOKS: 4})
            pulling = asyncio.create_task(runner.pull_for_ever(Queue.WEBHOOKS))
            await asyncio.sleep(0.1)
            began = time.monotonic()
            await tenant.record()
            await receiver.wait_for(1)
            assert time.monotonic() - began < 3
            pulling.cancel()
            await asyncio.gather(pulling, return_exceptions=True)
            await runner.stop(grace=3)

    async def test_rousing_leaves_alone_what_runs_rests_or_failed(
        self, tenant, services, authority
    ):
        async with authority.receiver() as receiver:
            endpoint = await tenant.register(receiver.url())
            await tenant.record()
            await ledger.rouse(services.database, Queue.WEBHOOKS)
            (job,) = await ledger.claim_due(services.database, Queue.WEBHOOKS, limit=1, lease=30)
            await ledger.rouse(services.database, Queue.WEBHOOKS)
            assert (await job_of(services, endpoint.id)).lease_token == job.lease_token
            await ledger.fail(services, job, "no", delay=1000)
            await ledger.rouse(services.database, Queue.WEBHOOKS)
            failed = await job_of(services, endpoint.id)
            assert (failed.run_at - failed.created_at).total_seconds() > 900

    async def test_what_waits_is_found_through_the_index(self, tenant, services, authority):
        """Twenty thousand deliveries of three receivers, some due: a step for each receiver."""
        async with authority.receiver() as receiver:
            await tenant.register(receiver.url())
            event_id = await tenant.record()
        async with services.database.transaction() as session:
            await session.execute(
                text(
                    "INSERT INTO event (id, organization_id, verification_id, kind, data)"
                    " SELECT gen_random_uuid(), organization_id, verification_id, kind, data"
                    " FROM event, generate_series(1, 20000) WHERE id = :id"
                ),
                {"id": event_id},
            )
            await session.execute(
                text(
                    "INSERT INTO delivery (id, organization_id, event_id, receiver_id, next_at)"
                    " SELECT gen_random_uuid(), organization_id, id,"
                    " md5((row_number() OVER () % 3)::text)::uuid,"
                    " now() + (row_number() OVER () - 10000) * interval '1 s' FROM event"
                )
            )
        async with services.database.reading() as connection:
            await connection.execute(text("ANALYZE delivery"))
            plan = "\n".join(
                await connection.scalars(
                    text(f"EXPLAIN (ANALYZE, TIMING OFF, COSTS OFF) {delivery_rows.WAITING}")
                )
            )
            found = (await connection.execute(text(delivery_rows.WAITING))).all()
        assert len(found) == 4
        # The random ids of these events are of no month, so they are in two partitions.
        for partition in ("delivery_before", "delivery_rest"):
            assert f"Seq Scan on {partition}" not in plan
            assert f"using {partition}_receiver_id" in plan or "using ix_delivery_pending" in plan


@pytest.mark.parametrize("attempts", [1, 3])
async def test_gaps_are_never_shorter_than_the_schedule(tenant, services, authority, attempts):
    failures = [answer(500)] * attempts
    async with authority.receiver(*failures) as receiver:
        await tenant.register(receiver.url())
        await tenant.record()
        async with working(services) as worker:
            await worker.until_idle()
    delays = services.settings.webhook_retry_delays
    gaps = [later.at - earlier.at for earlier, later in pairwise(receiver.received)]
    assert len(gaps) == attempts
    assert all(gap >= delay for gap, delay in zip(gaps, delays, strict=False))
