"""Places that organizations share, and the addresses of an organization."""

import asyncio

import pytest

from acredita.kit.fair_places import FairPlaces, QueueFull


async def served(places, asked):
    """Return the order in which waiting requests, each (group, member), get the only place."""
    order, tasks = [], []

    async def request(group, member):
        async with places.place(group, member):
            order.append((group, member))

    async with places.place("first"):
        for group, member in asked:
            tasks.append(asyncio.create_task(request(group, member)))
            await asyncio.sleep(0)
    await asyncio.gather(*tasks)
    return order


def one_place(**limits):
    return FairPlaces(1, **({"longest_queue": 50, "longest_group_queue": 100} | limits))


async def test_a_group_with_one_request_waits_for_one_request_of_each_other_group():
    order = await served(one_place(), [("greedy", None)] * 40 + [("quiet", None)])
    assert order.index(("quiet", None)) == 1


async def test_many_members_of_a_group_get_no_more_turns_than_another_group():
    crowd = [("greedy", str(number)) for number in range(40)]
    order = await served(one_place(), [*crowd, ("quiet", None), ("quiet", None)])
    assert [group for group, _ in order[:4]] == ["greedy", "quiet", "greedy", "quiet"]


async def test_members_of_a_group_take_turns():
    order = await served(one_place(), [("bank", "attacker")] * 40 + [("bank", "person")])
    assert order.index(("bank", "person")) == 1


async def test_a_member_whose_queue_is_full_is_refused_and_another_member_is_not():
    places = one_place(longest_queue=2)
    async with places.place("bank"):
        waiting = [asyncio.create_task(served_once(places, "bank", "a")) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(QueueFull):
            await served_once(places, "bank", "a")
        waiting.append(asyncio.create_task(served_once(places, "bank", "b")))
        await asyncio.sleep(0)
    await asyncio.gather(*waiting)


async def test_a_group_whose_members_fill_its_queue_is_refused_and_another_group_is_not():
    places = one_place(longest_group_queue=3)
    async with places.place("bank"):
        waiting = [asyncio.create_task(served_once(places, "bank", name)) for name in "abc"]
        await asyncio.sleep(0)
        with pytest.raises(QueueFull):
            await served_once(places, "bank", "d")
        waiting.append(asyncio.create_task(served_once(places, "rival", "d")))
        await asyncio.sleep(0)
    await asyncio.gather(*waiting)


async def served_once(places, group, member):
    async with places.place(group, member):
        pass


async def test_a_request_that_is_cancelled_leaves_its_turn_to_the_next():
    places = one_place()
    async with places.place("bank"):
        waiting = [asyncio.create_task(served_once(places, "bank", None)) for _ in range(3)]
        await asyncio.sleep(0)
        waiting[0].cancel()
        await asyncio.sleep(0)
    # The second has its turn, and is cancelled before it could use it.
    waiting[1].cancel()
    results = await asyncio.gather(*waiting, return_exceptions=True)
    assert [type(each) for each in results[:2]] == [asyncio.CancelledError] * 2
    assert results[2] is None
    async with asyncio.timeout(1), places.place("rival"):
        pass


async def test_a_place_that_becomes_free_just_after_a_cancellation_is_not_lost():
    places = one_place()
    async with places.place("bank"):
        waiting = [asyncio.create_task(served_once(places, "bank", None)) for _ in range(2)]
        await asyncio.sleep(0)
        # It has not run again when the place is released.
        waiting[0].cancel()
    results = await asyncio.gather(*waiting, return_exceptions=True)
    assert [type(each) for each in results] == [asyncio.CancelledError, type(None)]
    async with asyncio.timeout(1), places.place("rival"):
        pass


async def test_a_group_leaves_the_places_to_others_that_it_may_not_hold():
    places = FairPlaces(
        2,
        longest_queue=9,
        longest_group_queue=9,
        most_of_group=lambda group: 1 if group == "costly" else 2,
    )
    entered = []

    async def hold(group, ended):
        async with places.place(group):
            entered.append(group)
            await ended.wait()

    ended = asyncio.Event()
    tasks = [asyncio.create_task(hold("costly", ended)) for _ in range(3)]
    await asyncio.sleep(0)
    assert entered == ["costly"]
    async with places.place("other"):
        pass
    quick = asyncio.Event()
    tasks += [asyncio.create_task(hold("other", quick)) for _ in range(2)]
    await asyncio.sleep(0)
    assert entered == ["costly", "other"]
    quick.set()
    await asyncio.sleep(0.01)
    assert entered == ["costly", "other", "other"]
    ended.set()
    await asyncio.gather(*tasks)
    async with places.place("first"), places.place("first"):
        pass


async def test_a_newcomer_does_not_overtake_requests_that_wait_for_a_limit_that_rose():
    limit = 1
    places = FairPlaces(
        2, longest_queue=50, longest_group_queue=100, most_of_group=lambda _group: limit
    )
    entered = []

    async def hold(name):
        async with places.place("bank"):
            entered.append(name)

    async with places.place("bank"):
        tasks = [asyncio.create_task(hold("waiting"))]
        await asyncio.sleep(0)
        limit = 2
        tasks.append(asyncio.create_task(hold("newcomer")))
        await asyncio.sleep(0.01)
        assert entered == ["waiting", "newcomer"]
    await asyncio.gather(*tasks)
