"""Challenges as a client may film them, before the real engine."""

import cv2
import pytest

from acredita.domain.liveness.challenge import Frame, Move, Prompt, judge
from acredita.engines.liveness.measure_frames import examine, measure_frames
from acredita_synthetic.faces.people import face_of
from acredita_synthetic.faces.pictures import draw_frames
from acredita_synthetic.people import make_person

MOVES = (Move.LOOK_STRAIGHT, Move.TURN_LEFT, Move.BLINK)
PROMPTS = [Prompt(f"p{at}", move) for at, move in enumerate(MOVES, start=1)]
PEAK = 1


def examined(sent, threads=1):
    measured = measure_frames([(frame, "image/jpeg") for _, frame in sent], None, threads)
    return examine([prompt for prompt, _ in sent], measured, [], None).frames


@pytest.fixture(scope="module")
def films():
    """By prompt, frames as JPEG, as a person makes the move and comes back."""
    drawn = draw_frames(face_of(make_person(20)), MOVES, each=3)
    encoded = [[cv2.imencode(".jpg", frame)[1].tobytes() for frame in film] for film in drawn]
    return dict(zip((prompt.id for prompt in PROMPTS), encoded, strict=True))


@pytest.fixture(scope="module")
def seen(films):
    """What the engine measures on them."""
    sent = [(prompt, frame) for prompt, film in films.items() for frame in film]
    frames = examined(sent, threads=2)
    return {prompt: [f for f in frames if f.prompt == prompt] for prompt in films}


@pytest.mark.parametrize(
    "filmed",
    [
        (0, 1, 2),
        (0, 1, 1, 2),
        (0, 0, 1, 1, 2, 2),
        (0, 0, 0, 1, 1, 1, 1, 2),
        (0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2),
    ],
    ids=lambda filmed: f"{len(filmed)} frames",
)
def test_a_person_passes_with_any_number_of_frames_that_the_service_takes(seen, filmed):
    sent = [film[place] for film in seen.values() for place in filmed]
    assert judge(PROMPTS, sent, selfie=None).passed


def test_threads_see_what_one_alone_sees(films, seen):
    sent = [("p1", films["p1"][0]), ("p2", films["p2"][PEAK])]
    alone = examined([*sent, ("p3", b"no picture")])
    for one, among_others in zip(alone, (seen["p1"][0], seen["p2"][PEAK]), strict=False):
        assert one.expression == among_others.expression
        assert one.distance == among_others.distance
    assert alone[2] == Frame("p3", 0)
    # Between the two are no others.
    assert alone[1].leap == pytest.approx(alone[1].distance)
    assert seen["p2"][PEAK].leap <= alone[1].leap
