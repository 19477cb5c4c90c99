"""The cases of a seed: the people and their roles."""

from collections import Counter
from dataclasses import replace

from benchmarks.attack import honest, reused_pictures, two_people, upload_order
from benchmarks.attack.cases import Case
from benchmarks.attack.pictures import cast

# In the browser flow, a doubt leads to a retake instead of a review.
THROUGH_A_BROWSER = (
    "V's passport as back, A's INE as front",
    "V's passport as back, A's photograph as front",
    "V's INE as front, A's photograph as passport",
    "V's CURP certificate as front, A's photograph as passport",
    "as front: V's passport, A's photograph",
    "V's INE without its portrait as front, A's photograph as passport",
    "front twice: A's INE, V's INE",
    "A's INE and selfie, at once V's passport",
)
OF_EACH_IN_SMALL = 3


def cases_of(seed: int, *, small: bool = False) -> list[Case]:
    victim, attacker, *others = cast(seed, 5)
    mixed = list(two_people.attacks(victim, attacker, others))
    people = {victim.curp: "V", attacker.curp: "A"}
    attacks = [
        *reused_pictures.repeated_films(attacker),
        *mixed,
        *(two_people.in_browser(case) for case in mixed if case.name in THROUGH_A_BROWSER),
        *upload_order.attacks(victim, attacker),
        *reused_pictures.documents_as_selfies(victim),
    ]
    cases = [replace(case, people=people) for case in attacks]
    cases += honest.everybody([victim, *others])
    return _first_of_each(cases) if small else cases


def _first_of_each(cases: list[Case]) -> list[Case]:
    seen: Counter[str] = Counter()
    chosen = []
    for case in cases:
        seen[case.species] += 1
        if seen[case.species] <= (1 if case.is_honest else OF_EACH_IN_SMALL):
            chosen.append(case)
    return chosen
