"""The challenge's judgement, on faces that move as numbers say."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acredita.domain.liveness.challenge import (
    Examination,
    Frame,
    Move,
    Prompt,
    draw_prompts,
    judge,
    judge_speech,
)
from acredita.domain.reasons import LivenessReason
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
    assert judge(prompts, still, selfie=None).code is LivenessReason.LIVENESS_MOVE_NOT_SEEN


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
    assert judge(prompts, sent, selfie=None).code is LivenessReason.LIVENESS_MOVE_NOT_SEEN


def test_hardly_any_honest_face_is_refused_that_waits_trembles_stays_or_comes_back():
    rng = Random(11)
    challenges = [draw_prompts(rng) for _ in range(400)]
    refused = sum(not judge(p, film(p, rng), selfie=None).passed for p in challenges)
    assert refused <= 8


@pytest.mark.parametrize("each", [3, 4, 6, 8, 12])
def test_an_honest_film_passes_with_as_few_and_as_many_frames_as_are_taken(each):
    rng = Random(each)
    challenges = [draw_prompts(rng) for _ in range(100)]
    refused = sum(not judge(p, film(p, rng, each), selfie=None).passed for p in challenges)
    assert refused <= 1


def test_frames_that_a_client_leaves_out_are_not_missed():
    """The first of each prompt, and the one where most was done, are enough."""
    rng = Random(5)
    for _ in range(100):
        prompts = draw_prompts(rng)
        sent = film(prompts, rng, 12)
        if not judge(prompts, sent, selfie=None).passed:
            continue
        rest, *moves = ([f for f in sent if f.prompt == prompt.id] for prompt in prompts)
        kept = rest + [f for each in moves for f in _some(each, rest[0].expression, rng)]
        assert judge(prompts, kept, selfie=None).passed


def _some(frames, rest, rng):
    def done(place):
        now = frames[place].expression
        return max(
            abs(now.yaw - rest.yaw) / 26,
            (now.pitch - rest.pitch) / 13,
            1 - now.eyes / rest.eyes,
            (now.smile - rest.smile) / 0.08,
            (now.mouth - rest.mouth) / 0.4,
        )

    most = max(range(1, len(frames)), key=done)
    return [frames[place] for place in sorted({0, most, *rng.sample(range(len(frames)), 3)})]


def test_a_mouth_that_is_still_open_is_no_smile_and_does_not_spoil_one():
    prompts = [Prompt("p1", Move.LOOK_STRAIGHT), Prompt("p2", Move.OPEN_MOUTH)]
    prompts.append(Prompt("p3", Move.SMILE))
    wide = replace(REST, mouth=REST.mouth + 0.4, smile=REST.smile * 1.12)
    opened = frames(prompts[0]) + [Frame("p2", 1, face, 0.2) for face in (REST, wide, wide)]
    held = [Frame("p3", 1, wide, 0.2)] * 2
    smiled = held + frames(prompts[2], shape=(0.0, 1.0, 1.0))
    assert judge(prompts, opened + smiled, selfie=None).passed
    closed = held + frames(prompts[2], shape=(0.0, 0.0))
    assert (
        judge(prompts, opened + closed, selfie=None).code is LivenessReason.LIVENESS_MOVE_NOT_SEEN
    )


@pytest.mark.parametrize("stray", [Move.TURN_LEFT, Move.LOOK_UP, Move.OPEN_MOUTH])
def test_a_move_of_another_prompt_amid_a_blink_fails_and_one_that_just_ends_does_not(stray):
    prompts = [
        Prompt(f"p{at}", move)
        for at, move in enumerate([Move.LOOK_STRAIGHT, stray, Move.BLINK, Move.SMILE], start=1)
    ]
    (far,) = frames(prompts[2], stray, shape=(1.2,))
    before = frames(prompts[0]) + frames(prompts[1], shape=(0.0, 1.2, 1.2))
    blink, smile = frames(prompts[2], shape=(0.0, 0.0, 1.0, 0.0)), frames(prompts[3])
    assert judge(prompts, [*before, far, *blink[1:], *smile], selfie=None).passed
    amid = [*before, *blink[:3], far, blink[3], *smile]
    assert judge(prompts, amid, selfie=None).code is LivenessReason.LIVENESS_FRAMES_DISORDERED


def test_a_head_comes_back_from_a_turn_and_does_not_go_over_to_the_other_side():
    prompts = [
        Prompt(f"p{at}", move)
        for at, move in enumerate([Move.LOOK_STRAIGHT, Move.TURN_LEFT, Move.BLINK], start=1)
    ]
    before = frames(prompts[0]) + frames(prompts[1], shape=(0.0, 1.0, 1.0))
    blink = frames(prompts[2], shape=(0.0, 0.0, 1.0, 0.0))
    for side, code in (
        (Move.TURN_LEFT, None),
        (Move.TURN_RIGHT, LivenessReason.LIVENESS_FRAMES_DISORDERED),
    ):
        (turned,) = frames(prompts[2], side, shape=(1.0,))
        assert judge(prompts, [*before, turned, *blink[1:]], selfie=None).code is code


@given(seeds, st.permutations(SHAPE))
def test_a_move_goes_there_once_and_frames_in_another_order_fail(seed, shape):
    prompts = draw_prompts(Random(seed))
    sent = [f for p in prompts for f in frames(p, shape=shape)]
    finding = judge(prompts, sent, selfie=None)
    if any(plainly_disordered(p.move, shape) for p in prompts):
        assert finding.code is LivenessReason.LIVENESS_FRAMES_DISORDERED
    elif is_one_move(shape):
        assert finding.passed == (shape[0] <= 0.5)


@given(seeds)
def test_a_photograph_of_each_pose_fails(seed):
    prompts = draw_prompts(Random(seed))
    held = [f for p in prompts for f in frames(p, shape=(1.0,) * 5)]
    assert judge(prompts, held, selfie=None).code is LivenessReason.LIVENESS_MOVE_NOT_SEEN


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"faces": 2}, LivenessReason.LIVENESS_SEVERAL_FACES),
        ({"distance": 0.8}, LivenessReason.LIVENESS_FACE_CHANGED),
        ({"distance": 0.7, "leap": 0.7}, LivenessReason.LIVENESS_FACE_CHANGED),
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
    assert judge(prompts, gone, selfie=None).code is LivenessReason.LIVENESS_FACE_NOT_FOUND
    assert judge(prompts, [], selfie=None).code is LivenessReason.LIVENESS_FACE_NOT_FOUND


@given(seeds, st.sampled_from(["p2", "p3", "p4", "p5"]))
def test_a_prompt_of_which_every_frame_was_lost_was_not_followed(seed, lost):
    prompts = draw_prompts(Random(seed))
    sent = [f for p in prompts for f in (frames(p)[:3] if p.id == lost else 2 * frames(p))]
    blind = [Frame(f.prompt, 0) if f.prompt == lost else f for f in sent]
    finding = judge(prompts, blind, selfie=None)
    assert finding.code is LivenessReason.LIVENESS_MOVE_NOT_SEEN
    assert not finding.moves[lost]


def test_another_selfie_fails():
    prompts = draw_prompts(Random(1))
    code = judge(prompts, followed(prompts), selfie=0.8).code
    assert code is LivenessReason.LIVENESS_SELFIE_MISMATCH


def test_closed_eyes_that_never_open_are_no_blink():
    prompts = [p for p in draw_prompts(Random(3)) if p.move in (Move.LOOK_STRAIGHT, Move.BLINK)]
    if len(prompts) == 1:
        prompts.append(replace(prompts[0], id="p2", move=Move.BLINK))
    sent = frames(prompts[0]) + frames(prompts[1], shape=(1.0,) * 7)
    assert judge(prompts, sent, selfie=None).code is LivenessReason.LIVENESS_MOVE_NOT_SEEN


@pytest.mark.parametrize(
    ("opened", "code"),
    [
        (0.06, LivenessReason.LIVENESS_MOUTH_STILL),
        (0.2, LivenessReason.LIVENESS_SPEECH_NOT_JUDGED),
    ],
)
def test_a_film_whose_mouth_rests_answers_no_spoken_numbers(opened, code):
    mouths = [REST.mouth + opened * extent for extent in SHAPE]
    shown = tuple(Frame("", 1, replace(REST, mouth=mouth), 0.2) for mouth in mouths)
    assert judge_speech(Examination(shown, None, None)).code is code
