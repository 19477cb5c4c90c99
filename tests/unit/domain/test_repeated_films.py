"""When a film counts as seen before, by how far its moving frames are from former ones."""

import math

import pytest

from acredita.domain.liveness.challenge import Expression, Frame, Move, Prompt
from acredita.domain.liveness.repeated_recordings import is_repeated, moving_frames

FAR, NEAR, SAME = 0.3, 0.18, 0.05
NEW = {"p2": [FAR, 0.9, 0.6], "p3": [0.7, NEAR, math.inf]}
REST = Expression(yaw=0, pitch=0, roll=0, eyes=0.3, mouth=0.05, smile=0.5)
PROMPTS = [Prompt("p1", Move.LOOK_STRAIGHT), Prompt("p2", Move.TURN_LEFT)]


def frame(prompt, yaw):
    return Frame(prompt, 1, Expression(yaw, 0, 0, REST.eyes, REST.mouth, REST.smile))


def test_a_first_film_repeats_nothing():
    assert not is_repeated([])
    assert not is_repeated([NEW])


def test_one_clip_that_was_taken_over_suffices():
    assert is_repeated([NEW, NEW | {"p3": [NEAR, NEAR, SAME]}])


@pytest.mark.parametrize(
    ("clip", "expected"),
    [
        ([NEAR, NEAR, FAR], False),
        ([NEAR, NEAR, NEAR, FAR], True),
        ([NEAR, NEAR, FAR, FAR], False),
        ([NEAR, NEAR], False),
        ([SAME, SAME], True),
        ([SAME], False),
        ([], False),
    ],
)
def test_all_moving_frames_of_a_clip_but_one_in_four_must_be_near(clip, expected):
    assert is_repeated([{"p2": clip}]) is expected


def test_clips_too_short_to_be_told_count_together():
    short = {"p2": [NEAR], "p3": [NEAR], "p4": [NEAR]}
    assert is_repeated([short])
    assert not is_repeated([short | {"p4": [FAR]}])


def test_two_clips_of_one_frame_each_are_known_beside_new_ones():
    beside = {"p2": [SAME], "p3": [SAME], "p4": [FAR], "p5": [FAR]}
    assert is_repeated([beside])
    assert is_repeated([beside | {"p2": [FAR]}, beside | {"p3": [FAR]}])
    assert not is_repeated([beside | {"p3": [NEAR]}])
    assert not is_repeated([beside | {"p3": [FAR]}])


def test_frames_of_two_former_films_that_were_mixed_are_known():
    one, other = [NEAR, FAR, NEAR, FAR], [FAR, NEAR, FAR, NEAR]
    assert is_repeated([{"p2": one}, {"p2": other}])
    assert not is_repeated([{"p2": one}, {"p2": one}])


def test_only_frames_on_which_the_move_is_made_count():
    yaws = [0, 4, 9, 20, 9, 3]
    frames = [frame("p1", 0.5)] * 3 + [frame("p2", yaw) for yaw in yaws]
    assert moving_frames(PROMPTS, frames) == {"p2": [5, 6, 7]}
    assert moving_frames(PROMPTS, frames, 0.15) == {"p2": [4, 5, 6, 7, 8]}


def test_without_a_resting_face_every_frame_counts():
    frames = [Frame("p1", 0), Frame("p2", 0), frame("p2", 0), frame("p2", 20)]
    assert moving_frames(PROMPTS, frames) == {"p2": [2, 3]}
