"""The challenge's judgement, on faces that move as numbers say."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acredita.domain.liveness import Code, Frame, Move, draw_prompts, judge
from benchmarks.recognition.courses import REST, film, plainly_disordered

SHAPE = (0.0, 0.3, 0.8, 1.0, 0.8, 0.3, 0.0)


MOVED = {
    Move.LOOK_STRAIGHT: lambda extent: REST,
    Move.TURN_LEFT: lambda extent: replace(REST, yaw=REST.yaw + 28 * extent),
    Move.TURN_RIGHT: lambda extent: replace(REST, yaw=REST.yaw - 28 * extent),
    Move.LOOK_UP: lambda extent: replace(REST, pitch=REST.pitch + 13 * extent),
    Move.BLINK: lambda extent: replace(REST, eyes=REST.eyes * (1 - 0.8 * extent)),
    Move.SMILE: lambda extent: replace(REST, smile=REST.smile * (1 + 0.15 * extent)),
    Move.OPEN_MOUTH: lambda extent: replace(REST, mouth=REST.mouth + 0.4 * extent),
}


def frames(prompt, move=None, shape=SHAPE):
    move = move or prompt.move
    return [Frame(prompt.id, 1, MOVED[move](extent), 0.2) for extent in shape]


def followed(prompts):
    return [frame for prompt in prompts for frame in frames(prompt)]


def is_one_move(shape):
    """There without a step back, and from there without a step forth."""
    there, back = shape[: shape.index(1.0)], shape[shape.index(1.0) :]
    return list(there) == sorted(there) and list(back) == sorted(back, reverse=True)


seeds = st.integers(0, 2**32)


@given(seeds)
def test_prompts_begin_at_rest_and_hold_a_turn_and_no_move_twice(seed):
    moves = [prompt.move for prompt in draw_prompts(Random(seed))]
    assert moves[0] is Move.LOOK_STRAIGHT
    assert len(set(moves)) == len(moves)
    assert {Move.TURN_LEFT, Move.TURN_RIGHT} & set(moves)


@given(seeds)
def test_who_follows_passes(seed):
    prompts = draw_prompts(Random(seed))
    finding = judge(prompts, followed(prompts), selfie=0.4)
    assert finding.passed
    assert all(finding.moves.values())


@given(seeds)
def test_a_face_that_does_not_move_fails(seed):
    prompts = draw_prompts(Random(seed))
    still = [f for p in prompts for f in frames(p, Move.LOOK_STRAIGHT)]
    assert judge(prompts, still, selfie=None).code is Code.LIVENESS_MOVE_NOT_SEEN


@given(seeds, seeds)
def test_the_film_of_another_challenge_fails(seed, other):
    prompts, filmed = draw_prompts(Random(seed)), draw_prompts(Random(other))
    film = [
        f for prompt, past in zip(prompts, filmed, strict=True) for f in frames(prompt, past.move)
    ]
    same_order = [p.move for p in prompts] == [p.move for p in filmed]
    assert judge(prompts, film, selfie=None).passed == same_order


@given(seeds)
def test_a_turn_to_the_other_side_fails(seed):
    prompts = draw_prompts(Random(seed))
    mirrored = {Move.TURN_LEFT: Move.TURN_RIGHT, Move.TURN_RIGHT: Move.TURN_LEFT}
    sent = [f for p in prompts for f in frames(p, mirrored.get(p.move))]
    assert judge(prompts, sent, selfie=None).code is Code.LIVENESS_MOVE_NOT_SEEN


def test_hardly_any_honest_face_is_refused_that_waits_trembles_stays_or_comes_back():
    rng = Random(11)
    challenges = [draw_prompts(rng) for _ in range(400)]
    refused = sum(not judge(p, film(p, rng), selfie=None).passed for p in challenges)
    assert refused <= 8


@given(seeds, st.permutations(SHAPE))
def test_a_move_goes_there_once_and_frames_in_another_order_fail(seed, shape):
    prompts = draw_prompts(Random(seed))
    sent = [f for p in prompts for f in frames(p, shape=shape)]
    finding = judge(prompts, sent, selfie=None)
    if any(plainly_disordered(p.move, shape) for p in prompts):
        assert finding.code is Code.LIVENESS_FRAMES_DISORDERED
    elif is_one_move(shape):
        assert finding.passed == (shape[0] <= 0.5)


@given(seeds)
def test_a_photograph_of_each_pose_fails(seed):
    prompts = draw_prompts(Random(seed))
    held = [f for p in prompts for f in frames(p, shape=(1.0,) * 5)]
    assert judge(prompts, held, selfie=None).code is Code.LIVENESS_MOVE_NOT_SEEN


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"faces": 2}, Code.LIVENESS_SEVERAL_FACES),
        ({"distance": 0.7}, Code.LIVENESS_FACE_CHANGED),
    ],
)
def test_one_frame_of_another_face_or_of_two_is_enough_to_fail(change, code):
    prompts = draw_prompts(Random(1))
    sent = followed(prompts)
    sent[20] = replace(sent[20], **change)
    assert judge(prompts, sent, selfie=None).code is code


def test_a_frame_lost_is_forgiven_and_a_face_that_leaves_is_not():
    prompts = draw_prompts(Random(1))
    sent = followed(prompts)
    sent[2] = Frame(sent[2].prompt, 0)
    assert judge(prompts, sent, selfie=None).passed
    gone = [Frame(f.prompt, 0) if f.prompt == "p3" else f for f in sent]
    assert judge(prompts, gone, selfie=None).code is Code.LIVENESS_FACE_NOT_FOUND
    assert judge(prompts, [], selfie=None).code is Code.LIVENESS_FACE_NOT_FOUND


def test_another_selfie_fails():
    prompts = draw_prompts(Random(1))
    code = judge(prompts, followed(prompts), selfie=0.8).code
    assert code is Code.LIVENESS_SELFIE_MISMATCH


def test_closed_eyes_that_never_open_are_no_blink():
    prompts = [p for p in draw_prompts(Random(3)) if p.move in (Move.LOOK_STRAIGHT, Move.BLINK)]
    if len(prompts) == 1:
        prompts.append(replace(prompts[0], id="p2", move=Move.BLINK))
    sent = frames(prompts[0]) + frames(prompts[1], shape=(1.0,) * 7)
    assert judge(prompts, sent, selfie=None).code is Code.LIVENESS_MOVE_NOT_SEEN
