"""A cut of `make attack`: the worst mixtures of two people's pictures, and honest people."""

import pytest

from benchmarks.attack.runner import run
from benchmarks.attack.seed_cases import cases_of

SEED = 1
# Each of these was approved once.
WORST = {"V's passport as back, A's INE as front"}
WORST_AS_WELL = {
    "V's INE without its portrait as front, A's photograph as passport",
    "GOV: V's CURP alone",
    "V's CURP certificate as front, A's photograph as passport",
    "FACE-OCR: everything at once, V's passport as back",
    "INE: the portrait cut out",
}
FILMS = ("LIVE: each move filmed once", "LIVE: with a comment of eight bytes")
HONEST = {"INE and passport"}
HONEST_AS_WELL = {"INE, front and back", "passport"}
pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("worker"), pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def cases():
    return cases_of(SEED)


def described(ended):
    return [f"{one.case.species}: {one.case.name}: {one.status} {one.codes}" for one in ended]


@pytest.mark.parametrize(
    "names",
    [
        pytest.param(WORST, id="some"),
        pytest.param(WORST_AS_WELL, id="more", marks=pytest.mark.thorough),
    ],
)
async def test_no_mixture_of_two_peoples_pictures_is_approved(client, cases, names):
    worst = [case for case in cases if case.name in names and not case.is_honest]
    assert {case.name for case in worst} == names
    ended = await run(client, worst, name="Mixtures", at_once=3)
    assert described(one for one in ended if one.is_approved) == []


# test_liveness sends a former challenge's frames in small, test_liveness_films a former film.
@pytest.mark.thorough
async def test_a_film_is_good_for_one_challenge_alone(client, cases):
    films = [case for case in cases if case.name in FILMS]
    first, again = await run(client, films, name="Films")
    assert first.is_approved, first
    assert not again.is_approved


# test_documents.py has an honest person's card and passport, which are approved.
@pytest.mark.thorough
@pytest.mark.parametrize(
    "species", [pytest.param(HONEST, id="some"), pytest.param(HONEST_AS_WELL, id="more")]
)
async def test_honest_people_are_approved_with_the_same_kinds_of_pictures(client, cases, species):
    honest = [case for case in cases if case.is_honest and case.species in species]
    chosen = list({case.species: case for case in reversed(honest)}.values())
    assert len(chosen) == len(species)
    ended = await run(client, chosen, name="Honest", at_once=3)
    assert described(one for one in ended if not one.is_approved) == []
