"""Liveness challenges answered over HTTP and judged by the real engine."""

import asyncio
from datetime import timedelta

import pytest

from acredita.domain.liveness import Move
from acredita.engines.synthetic.faces.people import face_of, people
from acredita.engines.synthetic.people import make_person
from tests.factories.challenges import making, moves_of, named, selfie, send, start
from tests.factories.clocks import StoppedClock
from tests.factories.organizations import make_verification, make_workflow
from tests.pipeline.conftest import decided, upload

SEED = 20
FACE = face_of(make_person(SEED))
STRANGER = next(face for face in people() if face.woman != FACE.woman)
pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("worker")]


@pytest.fixture
def after(app, services):
    """Sets the clock, which stands still, to so many seconds after the test began."""
    began = services.clock.now()

    def move(seconds):
        for each in (services, app.state.services):
            clock = StoppedClock(began + timedelta(seconds=seconds))
            object.__setattr__(each, "clock", clock)

    return move


@pytest.fixture
async def judged(banco, client, after):
    """Answers a challenge with what `answer` makes of its moves; the verification and its step."""

    async def judge(answer, *, seconds=10, opposite=None):
        verification_id = await make_verification(banco, await make_workflow(banco, "LIVENESS"))
        if opposite is not None:
            await upload(banco, verification_id, selfie=opposite)
        after(0)
        challenge = await start(client, verification_id)
        after(seconds)
        frames = named(challenge, await asyncio.to_thread(answer, moves_of(challenge)))
        await send(client, verification_id, challenge, frames)
        shown = await decided(banco, verification_id)
        (step,) = shown["verification"]["steps"]
        return shown["verification"], step

    return judge


def followed(moves):
    return [making(FACE, move)[0] for move in moves]


def code_of(step):
    return step["status"], step["result"]["code"]


async def test_who_does_what_is_asked_passes(judged):
    verification, step = await judged(followed)
    assert (verification["status"], step["status"]) == ("APPROVED", "PASSED"), step["result"]
    assert step["result"]["methods"] == {"active": True, "passive": "none"}
    assert all(step["result"]["moves"].values())
    assert len(step["result"]["moves"]) == 5


async def test_the_selfie_may_be_from_before(judged):
    _, step = await judged(followed, opposite=selfie(FACE))
    assert step["status"] == "PASSED", step
    assert step["result"]["selfieDistance"] < 0.6


async def test_a_photograph_held_before_the_camera_fails(judged):
    verification, step = await judged(
        lambda moves: making(FACE, *(Move.LOOK_STRAIGHT for _ in moves))
    )
    assert code_of(step) == ("FAILED", "LIVENESS_MOVE_NOT_SEEN")
    assert verification["status"] == "REJECTED"


async def test_one_picture_sent_again_and_again_fails(judged):
    ((still, *_),) = making(FACE, Move.LOOK_STRAIGHT)
    _, step = await judged(lambda moves: [[still] * 3 for _ in moves])
    assert code_of(step) == ("FAILED", "LIVENESS_FRAMES_REPEATED")


async def test_a_film_made_for_another_order_fails(judged):
    _, step = await judged(lambda moves: followed([moves[0], *moves[2:], moves[1]]))
    assert code_of(step) == ("FAILED", "LIVENESS_MOVE_NOT_SEEN")


async def test_frames_of_a_move_in_another_order_fail(judged):
    def to_and_fro(moves):
        turn = next(move for move in moves if move in (Move.TURN_LEFT, Move.TURN_RIGHT))
        thrice = making(FACE, turn, turn, turn)
        shuffled = [frames[place] for frames in thrice for place in (1, 0)]
        return [
            shuffled if move is turn else frames
            for move, frames in zip(moves, followed(moves), strict=True)
        ]

    _, step = await judged(to_and_fro)
    assert code_of(step) == ("FAILED", "LIVENESS_FRAMES_DISORDERED")


async def test_another_person_who_takes_over_fails(judged):
    def taken_over(moves):
        *own, last = moves
        return [*followed(own), making(STRANGER, last)[0]]

    _, step = await judged(taken_over)
    assert code_of(step) == ("FAILED", "LIVENESS_FACE_CHANGED")


async def test_another_person_than_the_selfies_fails(judged):
    _, step = await judged(followed, opposite=selfie(STRANGER))
    assert code_of(step) == ("FAILED", "LIVENESS_SELFIE_MISMATCH")


async def test_frames_that_come_faster_than_a_person_moves_fail(judged):
    _, step = await judged(followed, seconds=2.4)
    assert code_of(step) == ("FAILED", "LIVENESS_TOO_FAST")


async def test_frames_of_an_earlier_challenge_fail(judged):
    assert (await judged(followed))[1]["status"] == "PASSED"
    # Of the same person, who did the very same: the resting face's frames are in both.
    assert code_of((await judged(followed))[1]) == ("FAILED", "LIVENESS_FRAMES_REPEATED")
