"""Whether a face kept still until each move was asked for, on faces that move as numbers say."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acredita.domain.liveness import challenge
from acredita.domain.liveness.challenge import Frame, Move, Prompt
from acredita.domain.liveness.cue_timing import STILLS, before_cue, judge
from acredita.domain.liveness.light import Observation
from acredita.domain.liveness.repeated_recordings import moving_frames
from benchmarks.recognition.courses import REST, face
from benchmarks.recognition.moments import FILMS, asked, honest, played

seeds = st.integers(0, 2**32)


def frames(name, *faces):
    return [Frame(name, 1, each, 0.2) for each in faces]


def made(move, extent=1.0):
    return face({move: extent}, Random(7))


def prompt_pair(former, move, still=800):
    """Rest, a move, and the move whose cue comes after `still` milliseconds."""
    return [
        Prompt("p1", Move.LOOK_STRAIGHT),
        Prompt("p2", former),
        Prompt("p3", move, still),
    ]


def answer(prompts, *still):
    """Followed as asked, with these faces before the last cue."""
    rest, *moves = prompts
    sent = frames(rest.id, REST, REST, REST)
    for prompt in moves:
        if prompt.still:
            sent += frames(before_cue(prompt.id), *still)
        sent += frames(prompt.id, REST, made(prompt.move), made(prompt.move))
    return sent


@given(seeds)
def test_the_face_keeps_still_for_a_while_of_chance_before_one_move_at_least(seed):
    rest, *moves = asked(Random(seed))
    assert rest.still == 0
    assert {prompt.still for prompt in moves} <= set(STILLS)
    assert any(prompt.still for prompt in moves if prompt.move is not Move.BLINK)


@given(seeds)
def test_who_waits_for_the_cue_is_seen_to(seed):
    rng = Random(seed)
    prompts = asked(rng)
    assert judge(prompts, honest(prompts, rng)).verdict is not Observation.DIFFERENT


def test_hardly_any_honest_film_that_trembles_and_lingers_is_not_seen():
    rng = Random(3)
    films = [(prompts, honest(prompts, rng)) for prompts in (asked(rng) for _ in range(400))]
    verdicts = [judge(*each).verdict for each in films]
    assert verdicts.count(Observation.DIFFERENT) == 0
    assert verdicts.count(Observation.SEEN) >= 392


@given(seeds)
def test_frames_from_before_a_cue_change_nothing_else(seed):
    rng = Random(seed)
    prompts = asked(rng)
    sent = honest(prompts, rng)
    without = [frame for frame in sent if not frame.prompt.endswith("s")]
    assert challenge.judge(prompts, sent, selfie=None) == challenge.judge(
        prompts, without, selfie=None
    )
    places = [place for clip in moving_frames(prompts, sent).values() for place in clip]
    assert not any(sent[place].prompt.endswith("s") for place in places)


@pytest.mark.parametrize(
    "move", [each for each in Move if each not in (Move.LOOK_STRAIGHT, Move.BLINK)]
)
def test_a_move_before_its_cue_is_of_another_challenge(move):
    prompts = prompt_pair(Move.BLINK, move)
    kept = judge(prompts, answer(prompts, REST, REST))
    assert (kept.verdict, kept.ahead) == (Observation.SEEN, {"p3": pytest.approx(0, abs=0.4)})
    for still in ((REST, made(move)), (made(move), REST)):
        early = judge(prompts, answer(prompts, *still))
        assert early.verdict is Observation.DIFFERENT
        assert early.ahead["p3"] >= 1


def test_eyes_blink_unasked():
    prompts = prompt_pair(Move.SMILE, Move.BLINK)
    prompts.append(Prompt("p4", Move.OPEN_MOUTH, 400))
    sent = answer(prompts, made(Move.BLINK), REST)
    assert judge(prompts, sent).verdict is Observation.SEEN


@pytest.mark.parametrize(
    ("former", "move", "held"),
    [
        (Move.OPEN_MOUTH, Move.SMILE, replace(REST, mouth=0.45, smile=REST.smile * 1.12)),
        (Move.SMILE, Move.OPEN_MOUTH, replace(REST, mouth=0.30, smile=REST.smile * 1.15)),
        (Move.TURN_LEFT, Move.LOOK_UP, replace(REST, yaw=28.0, pitch=REST.pitch + 8)),
    ],
)
def test_a_former_move_that_is_still_held_is_no_move_before_its_cue(former, move, held):
    prompts = prompt_pair(former, move)
    assert judge(prompts, answer(prompts, held, REST)).verdict is Observation.SEEN
    # The same face after another move is held over from nothing.
    apart = prompt_pair(Move.BLINK, move)
    assert judge(apart, answer(apart, held, REST)).verdict is Observation.DIFFERENT


def test_a_film_without_frames_from_before_its_cues_shows_no_moments():
    prompts = prompt_pair(Move.SMILE, Move.TURN_LEFT)
    assert judge(prompts, answer(prompts)).verdict is Observation.NOT_SHOWN
    assert judge(prompts, []).verdict is Observation.NOT_SHOWN


def test_moments_of_which_too_little_is_to_be_seen_are_not_seen():
    prompts = prompt_pair(Move.SMILE, Move.TURN_LEFT)
    sent = answer(prompts, REST)
    blind = [replace(f, faces=0, expression=None) if f.prompt == "p3s" else f for f in sent]
    assert judge(prompts, blind).verdict is Observation.NOT_SEEN
    unmoved = [replace(f, expression=REST) if f.prompt == "p3" else f for f in sent]
    assert judge(prompts, unmoved).verdict is Observation.NOT_SEEN
    half = made(Move.TURN_LEFT, 0.5)
    weak = [
        replace(frame, expression=made(Move.TURN_LEFT, 0.7)) if frame.prompt == "p3" else frame
        for frame in answer(prompts, half)
    ]
    assert judge(prompts, weak).verdict is Observation.NOT_SEEN
    restless = [replace(f, expression=made(Move.TURN_LEFT, at)) for at, f in enumerate(sent[:3])]
    assert judge(prompts, restless + sent[3:]).verdict is Observation.NOT_SEEN
    two = [prompts[0], replace(prompts[1], still=400), prompts[2]]
    assert judge(two, answer(prompts, REST)).verdict is Observation.NOT_SEEN


def test_a_film_that_moves_before_its_cues_fails_by_its_frames_where_its_moments_differ():
    """So the moments alone need not decide."""
    rng = Random(5)
    passed = different = 0
    for _ in range(300):
        prompts = asked(rng)
        sent = played(prompts, FILMS["moves at once"](prompts, rng), rng)
        if judge(prompts, sent).verdict is Observation.DIFFERENT:
            different += 1
            passed += challenge.judge(prompts, sent, selfie=None).passed
    assert different >= 200
    assert passed <= 0.03 * different
