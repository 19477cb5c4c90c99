"""Synthetic faces and the real face engine: it finds them, matches them and separates them.

The people were chosen with that engine, so these tests say nothing about its accuracy. They check
what the demonstration and other tests need.
"""

from itertools import combinations

import numpy as np
import pytest

from acredita.domain.faces import Band, judge
from acredita.domain.identifiers.formatting import Sex
from acredita.domain.liveness.challenge import FACE_LEAPT, Frame, Move, Prompt
from acredita.domain.liveness.challenge import judge as judge_challenge
from acredita.engines.face.embedding import distance, embed
from acredita.engines.face.expression import measure
from acredita.engines.face.find import find_faces
from acredita_synthetic.faces.identity import invent
from acredita_synthetic.faces.people import face_of, people
from acredita_synthetic.faces.pictures import draw_frames, draw_portrait, draw_selfie
from acredita_synthetic.people import make_person
from tests.drawn_faces import drawn_again

pytestmark = pytest.mark.slow


def seen(picture):
    (face,) = find_faces(picture)
    return face


@pytest.fixture(
    scope="module",
    params=[(2, 1), pytest.param((None, 2), marks=pytest.mark.thorough)],
    ids=["the first", "all"],
)
def embedded(request):
    """By face: its portrait and a selfie or two, as the engine describes them."""
    count, selfies = request.param
    drawn = {
        face: [draw_portrait(face), *(draw_selfie(face, take + 1) for take in range(selfies))]
        for face in people()[:count]
    }
    return {
        face: [embed(picture, seen(picture)) for picture in taken] for face, taken in drawn.items()
    }


def test_the_pictures_of_one_person_match(embedded):
    for described in embedded.values():
        for one, other in combinations(described, 2):
            assert judge(distance(one, other)).band is Band.MATCH


def test_no_picture_of_another_person_matches_or_belongs_to_the_same_film(embedded):
    for mine, others in combinations(embedded.values(), 2):
        nearest = min(distance(one, other) for one in mine for other in others)
        assert judge(nearest).band is not Band.MATCH
        assert nearest > FACE_LEAPT


# tests/pipeline/test_liveness follows the moves of a challenge in `make test`.
@pytest.mark.thorough
@pytest.mark.parametrize("face", people(), ids=lambda face: str(face.seed))
def test_every_move_of_a_challenge_is_followed(face):
    moves = list(Move)
    prompts = [Prompt(f"p{number}", move) for number, move in enumerate(moves)]
    taken = [
        (prompt.id, frame)
        for prompt, frames in zip(prompts, draw_frames(face, moves), strict=True)
        for frame in frames
    ]
    first = embed(taken[0][1], seen(taken[0][1]))
    frames = []
    for prompt, picture in taken:
        found = seen(picture)
        apart = distance(embed(picture, found), first)
        frames.append(Frame(prompt, 1, measure(picture, found), apart))
    finding = judge_challenge(prompts, frames, selfie=None)
    assert finding.passed, finding
    # A move is seen where it was made, and nowhere else.
    still = [Frame(f.prompt, 1, frames[0].expression, f.distance) for f in frames]
    assert not any(list(judge_challenge(prompts, still, selfie=None).moves.values())[1:])


def test_both_sexes_are_among_the_people_and_no_beard_hides_a_mouth():
    assert {face.woman for face in people()} == {True, False}
    assert {face.beard for face in people()} == {"none"}


def test_the_same_face_is_drawn_the_same_each_time():
    face = people()[0]
    portrait, frames = draw_portrait(face), draw_frames(face, [Move.SMILE])
    with drawn_again():
        assert np.array_equal(draw_portrait(face), portrait)
        assert np.array_equal(draw_frames(face, [Move.SMILE]), frames)
    assert not np.array_equal(frames[0][0], frames[0][2])


def test_a_face_is_what_its_seeds_say():
    assert invent(1, 2).shape == invent.__wrapped__(1, 2).shape != invent(1, 3).shape
    assert invent(1, 2).age == invent(1).age


def test_every_person_has_a_face_of_their_sex_and_the_same_one_each_time():
    faces = set()
    for seed in range(100):
        person = make_person(seed)
        face = face_of(person)
        assert person.sex is Sex.UNSPECIFIED or face.woman == (person.sex is Sex.FEMALE)
        assert face_of(make_person(seed)) is face
        faces.add(face)
    assert faces == set(people())
