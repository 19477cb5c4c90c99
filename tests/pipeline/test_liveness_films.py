"""Former films of an organization: entered, found, compared, forgotten."""

import asyncio

import numpy as np
import pytest
from sqlalchemy import select

from acredita.domain.liveness.challenge import PRINT_BYTES, Examination, Expression, Frame, Print
from acredita.models import LivenessChallenge, LivenessFilm
from acredita.resources.verifications import repeated_recordings
from tests.factories.challenges import start
from tests.factories.organizations import make_verification, make_workflow

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


def seen(challenge, seed):
    """Return three moving frames of each prompt, with random prints."""
    rng = np.random.default_rng(seed)
    frames, prints = [], []
    for prompt in challenge.prompts:
        for _ in range(3):
            moved = prompt["move"] != "look_straight"
            yaw = {"turn_left": 20.0, "turn_right": -20.0}.get(prompt["move"], 0.0)
            frames.append(
                Frame(
                    prompt["id"],
                    1,
                    Expression(
                        yaw, 15.0 * moved, 0, 0.3 - 0.2 * moved, 0.3 * moved, 0.5 + 0.2 * moved
                    ),
                )
            )
            levels = rng.integers(-90, 90, PRINT_BYTES).astype(np.int8).tobytes()
            codes = tuple((int(code), int(code) ^ 1) for code in rng.integers(0, 2**24, 5))
            prints.append(Print(levels, codes))
    return Examination(tuple(frames), None, None, prints=tuple(prints))


@pytest.fixture
def begun(client, services):
    """A challenge of an organization, as the database has it."""

    async def begin(organization):
        workflow_id = await make_workflow(organization, "LIVENESS")
        verification_id = await make_verification(organization, workflow_id)
        shown = await start(client, verification_id)
        async with services.database.transaction() as session:
            return await session.get_one(LivenessChallenge, shown["challengeId"])

    return begin


async def entered(services):
    async with services.database.transaction() as session:
        return (await session.scalars(select(LivenessFilm).order_by(LivenessFilm.number))).all()


def like(examined, challenge):
    """The frames of another challenge, under this one's prompts."""
    own = seen(challenge, 0)
    return Examination(own.frames, None, None, prints=examined.prints)


async def test_a_former_film_is_known_and_another_organizations_is_not(
    banco, rival, services, begun
):
    first, second, foreign = await begun(banco), await begun(banco), await begun(rival)
    film = seen(first, 1)
    assert not await repeated_recordings.is_repeated(services, first, film)
    # Judged again, after its job died: it is no repetition of itself.
    assert not await repeated_recordings.is_repeated(services, first, film)
    assert not await repeated_recordings.is_repeated(services, foreign, like(film, foreign))
    assert await repeated_recordings.is_repeated(services, second, like(film, second))
    assert not await repeated_recordings.is_repeated(services, await begun(banco), seen(first, 2))


async def test_a_clip_that_serves_two_prompts_is_known(banco, services, begun):
    challenge = await begun(banco)
    film = seen(challenge, 1)
    doubled = (*film.prints[:6], *film.prints[3:6], *film.prints[9:])
    assert await repeated_recordings.is_repeated(
        services, challenge, Examination(film.frames, None, None, prints=doubled)
    )


async def test_of_one_film_in_two_challenges_at_once_one_is_known(banco, services, begun):
    for seed in range(5):
        one, other = await begun(banco), await begun(banco)
        film = seen(one, 10 + seed)
        known = await asyncio.gather(
            repeated_recordings.is_repeated(services, one, film),
            repeated_recordings.is_repeated(services, other, like(film, other)),
        )
        assert sum(known) == 1


async def test_marks_and_prints_say_nothing_without_the_keys(banco, rival, services, begun):
    one, other = await begun(banco), await begun(rival)
    film = seen(one, 1)
    await repeated_recordings.is_repeated(services, one, film)
    await repeated_recordings.is_repeated(services, other, like(film, other))
    mine, foreign = await entered(services)
    assert len(mine.marks) == 12 * 5
    assert not set(mine.marks) & set(foreign.marks)
    assert film.prints[3].levels[:16] not in mine.prints_sealed


async def test_films_go_with_their_challenge(banco, services, begun):
    challenge = await begun(banco)
    await repeated_recordings.is_repeated(services, challenge, seen(challenge, 1))
    assert len(await entered(services)) == 1
    async with services.database.transaction() as session:
        await session.delete(await session.get_one(LivenessChallenge, challenge.id))
    assert await entered(services) == []
    # Nor is one entered whose challenge has gone meanwhile.
    await repeated_recordings.is_repeated(services, challenge, seen(challenge, 1))
    assert await entered(services) == []
