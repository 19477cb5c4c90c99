"""Liveness challenges answered over HTTP and judged by the real engine.

Each sign of fraud has its rule in unit/domain (test_liveness.py, test_light.py); drawing a film for
it takes seconds, so those of some are in `make thorough`.
"""

import asyncio
from datetime import timedelta
from functools import partial
from random import Random

import cv2
import numpy as np
import pytest

from acredita.domain.liveness.challenge import Move
from acredita.domain.liveness.light import COLOURS
from acredita.resources.sdk import liveness
from acredita_synthetic.faces.people import face_of, people
from acredita_synthetic.faces.pictures import draw_lit_frames
from acredita_synthetic.people import make_person
from tests.factories.challenges import jpeg, making, moves_of, named, selfie, send, start
from tests.factories.clocks import StoppedClock
from tests.factories.organizations import make_verification, make_workflow
from tests.pipeline.conftest import decided, upload

SEED = 20
FACE = face_of(make_person(SEED))
TURNS = (Move.TURN_LEFT, Move.TURN_RIGHT)
STRANGER = next(face for face in people() if face.woman != FACE.woman)
pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(600),
    pytest.mark.usefixtures("worker"),
]


@pytest.fixture(autouse=True)
def _same_moves(monkeypatch):
    """Every challenge asks for the same moves, so that each is drawn once, and the same film is
    measured once (tests/warm_processes)."""
    monkeypatch.setattr(liveness, "SystemRandom", lambda: Random(SEED))


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

    async def judge(answer, *, seconds=10, opposite=None, light="signal", lit=None, still=None):
        workflow_id = await make_workflow(banco, "LIVENESS", config={"light": light})
        verification_id = await make_verification(banco, workflow_id)
        if opposite is not None:
            await upload(banco, verification_id, selfie=opposite)
        after(0)
        challenge = await start(client, verification_id)
        after(seconds)
        moves = moves_of(challenge)
        stills = None if still is None else await asyncio.to_thread(still, moves)
        frames = named(challenge, await asyncio.to_thread(answer, moves), stills)
        if lit is not None:
            pictures = await asyncio.to_thread(lit, challenge["light"]["colours"])
            frames += [(f"p6-{n}.jpg", each) for n, each in enumerate(pictures, start=1)]
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


@pytest.mark.thorough
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


@pytest.mark.thorough
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


@pytest.mark.thorough
async def test_another_person_who_takes_over_fails(judged):
    def taken_over(moves):
        *own, last = moves
        return [*followed(own), making(STRANGER, last)[0]]

    _, step = await judged(taken_over)
    assert code_of(step) == ("FAILED", "LIVENESS_FACE_CHANGED")


@pytest.mark.thorough
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


def at_rest(moves):
    """One frame of each prompt before its cue, no two alike."""
    # Of a film of their own, whose one pose `followed` draws as well.
    first, second = making(FACE, Move.LOOK_STRAIGHT, Move.LOOK_STRAIGHT)
    return [[frame] for frame in (*first, *second)[: len(moves)]]


async def test_who_keeps_still_until_each_cue_is_seen_to(judged):
    _, step = await judged(followed, still=at_rest)
    assert step["status"] == "PASSED", step["result"]
    moments = step["result"]["moments"]
    assert (moments["signal"], moments["verdict"]) == ("liveness.moments", "seen")
    assert moments["raised"] is False
    assert all(ahead < 0.5 for ahead in moments["ahead"].values())


@pytest.mark.thorough
async def test_moves_before_their_cues_are_a_signal_that_decides_nothing(judged):
    def early(moves):
        # Amid the move, of another film than the one that is sent for it.
        return [[making(FACE, move, take=1)[0][1]] for move in moves]

    _, step = await judged(followed, still=early)
    assert step["status"] == "PASSED", step["result"]
    assert step["result"]["moments"]["verdict"] == "different"
    assert step["result"]["moments"]["raised"] is True


@pytest.mark.thorough
async def test_a_client_that_knows_no_moments_shows_none(judged):
    _, step = await judged(followed)
    assert step["status"] == "PASSED"
    assert step["result"]["moments"] == {
        "signal": "liveness.moments",
        "raised": True,
        "verdict": "not_shown",
        "ahead": {},
        "version": "moments-1",
    }


async def test_frames_that_leave_no_time_to_keep_still_fail(judged):
    _, step = await judged(followed, still=at_rest, seconds=2.6)
    assert code_of(step) == ("FAILED", "LIVENESS_TOO_FAST")


def lit(colours, strength=0.15):
    return list(map(jpeg, draw_lit_frames(FACE, colours, strength=strength)))


def filmed(moves, take):
    """As the capture page films them, five frames a move."""
    drawn = dict(zip(Move, making(FACE, *Move, take=take, each=5), strict=True))
    return [drawn[move] for move in moves]


def disguised(frame, *, is_mirrored):
    """Cropped, turned, lightened, with noise, smaller, mirrored if need be, and encoded again."""
    picture = cv2.imdecode(np.frombuffer(frame, np.uint8), cv2.IMREAD_COLOR)[12:, 9:-7]
    if is_mirrored:
        picture = np.ascontiguousarray(picture[:, ::-1])
    height, width = picture.shape[:2]
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), 3, 0.95)
    picture = cv2.warpAffine(picture, turn, (width, height), borderMode=cv2.BORDER_REPLICATE)
    picture = cv2.resize(picture, None, fx=0.9, fy=0.9, interpolation=cv2.INTER_AREA)
    noise = np.random.default_rng(len(frame)).normal(0, 5, picture.shape)
    lightened = 255 * (picture / 255) ** 0.8 + noise
    return jpeg(np.clip(lightened, 0, 255).astype(np.uint8))


@pytest.fixture(scope="module")
def drawn():
    """What takes longer to draw than a challenge lasts: two takes of every move."""
    for take in (1, 2):
        filmed([Move.LOOK_STRAIGHT], take)
    for move in Move:
        making(FACE, move)


# test_frames_of_an_earlier_challenge_fail sends a former film in small.
@pytest.mark.thorough
@pytest.mark.timeout(600)
@pytest.mark.usefixtures("drawn")
async def test_who_is_filmed_again_passes_and_who_sends_a_former_clip_does_not(judged):
    former = {}

    def first(moves):
        film = filmed(moves, take=1)
        former.update(zip(moves, film, strict=True))
        return film

    assert (await judged(first))[1]["status"] == "PASSED"
    # The same person in the same chair and light, a minute later.
    assert (await judged(partial(filmed, take=2)))[1]["status"] == "PASSED"

    def replayed(moves):
        return [
            # A head that turns is mirrored into one that turns to the other side.
            [disguised(frame, is_mirrored=move not in TURNS) for frame in former[move]]
            if move in former
            else fresh
            for move, fresh in zip(moves, followed(moves), strict=True)
        ]

    # With any moves, the earlier challenge requested at least two of them.
    assert code_of((await judged(replayed))[1]) == ("FAILED", "LIVENESS_FRAMES_REPEATED")


# test_glow (unit/engines) sees the light on a face; test_liveness_challenge (api/sdk) sends it.
@pytest.mark.thorough
async def test_a_step_that_requires_light_passes_where_the_face_gives_it_back(judged):
    _, step = await judged(followed, light="required", lit=lit)
    assert step["status"] == "PASSED", step["result"]
    assert step["result"]["light"]["verdict"] == "seen"
    assert step["result"]["light"]["raised"] is False


async def test_a_step_that_requires_light_goes_to_a_person_where_none_is_seen(judged):
    verification, step = await judged(followed, light="required")
    assert code_of(step) == ("REVIEW", "LIVENESS_LIGHT_NOT_SEEN")
    assert verification["status"] == "MANUAL_REVIEW"
    assert step["result"]["light"]["verdict"] == "not_shown"


def in_another_order(colours):
    turned = dict(zip(COLOURS, [*COLOURS[2:], *COLOURS[:2]], strict=True))
    return lit([turned[each] for each in colours], strength=0.3)


@pytest.mark.thorough
async def test_another_sequence_of_colours_never_passes_where_light_is_required(judged):
    _, step = await judged(followed, light="required", lit=in_another_order)
    # The sequence is drawn: one that resembles the other by chance is not seen to differ.
    assert code_of(step) in (
        ("FAILED", "LIVENESS_LIGHT_DIFFERS"),
        ("REVIEW", "LIVENESS_LIGHT_NOT_SEEN"),
    )


@pytest.mark.thorough
async def test_another_sequence_of_colours_is_a_signal_where_none_is_required(judged):
    _, step = await judged(followed, lit=in_another_order)
    assert step["status"] == "PASSED"
    assert step["result"]["light"]["verdict"] in ("different", "not_seen")
    assert step["result"]["light"]["raised"] is True


@pytest.mark.thorough
async def test_light_that_comes_sooner_than_the_screen_shows_it_fails(judged):
    _, step = await judged(followed, lit=lit, seconds=6)
    assert code_of(step) == ("FAILED", "LIVENESS_TOO_FAST")
