"""Fits the weights of evidence in `engines/screening/weights.py`, and shows what they do.

Run as `python -m benchmarks.screening_weights`. Needs the published lists of the test data
(ACREDITA_TEST_DATA). Half of the pairs are fitted, the other half is reported. A weight is the
logarithm of the share of an outcome among pairs of the same person, divided by its share among
namesakes, each with half a pair added. A logistic regression on the name's score and the rarity of
its words gives the rest. Exits with 1 when a bar is missed.
"""

import math
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np

from acredita.engines.screening import build_index
from acredita.engines.screening.births import LEVELS
from acredita.engines.screening.evidence import Known, stored, weigh
from acredita.engines.screening.scoring import DEFAULT_THRESHOLD
from benchmarks.screening_data import data_folder, labelled, ofac
from benchmarks.screening_pairs import (
    Pair,
    pairs_of_namesakes,
    pairs_of_the_same,
    same_persons,
    with_genders,
)

# Of each label; None for all.
MOST: int | None = None
Bar = tuple[str, bool]
OUTCOMES = {
    "birth": LEVELS,
    "nationality": ("same", "other"),
    "gender": ("same", "other"),
}
RIDGE = 1e-3


def main() -> int:
    folder = data_folder()
    if not (folder / "labelled_queries.tsv").exists():
        print(f"SKIPPED: no lists in {folder} (ACREDITA_TEST_DATA)")
        return 0
    pairs = labelled_pairs(folder)
    for line in fitted([each for each in pairs if not each.held_out]):
        print(line)
    text, is_met = bar([each for each in pairs if each.held_out])
    print(text)
    return int(not is_met)


def labelled_pairs(folder: Path) -> list[Pair]:
    entries = with_genders(ofac(folder), folder)
    by_id = {entry.id: entry for entry in entries}
    index = build_index(entries)
    twins = same_persons(entries, folder)
    return [
        *islice(pairs_of_the_same(index, by_id, twins, labelled(folder)), MOST),
        *islice(pairs_of_namesakes(index, by_id, folder), MOST),
    ]


def evidence(folder: Path) -> Iterator[Bar]:
    """What the weights in use do for the half of the pairs that was not fitted."""
    yield bar([each for each in labelled_pairs(folder) if each.held_out])


def fitted(pairs: Sequence[Pair]) -> Iterator[str]:
    """The lines of weights.py."""
    # Once per person: the labelled queries repeat what the lists say about one.
    counted = {(each.entry.id, (each.same and "") or each.question.name): each for each in pairs}
    for kind, outcomes in OUTCOMES.items():
        seen = {True: Counter[str](), False: Counter[str]()}
        for each in counted.values():
            if (outcome := outcome_of(each, kind)) is not None:
                seen[each.same][outcome] += 1
        for outcome in outcomes:
            share = {
                label: (found[outcome] + 0.5) / (found.total() + 0.5 * len(outcomes))
                for label, found in seen.items()
            }
            weight = math.log(share[True] / share[False])
            counts = f"{seen[True][outcome]} of {seen[True].total()}, "
            counts += f"{seen[False][outcome]} of {seen[False].total()}"
            yield f'    "{kind}:{outcome}": {weight:.1f},  # {counts}'
    names = "INTERCEPT", "NAME_SCORE", "NAME_RARITY"
    for name, value in zip(names, regression(pairs), strict=True):
        yield f"{name}: Final = {value:.2f}"


def outcome_of(pair: Pair, kind: str) -> str | None:
    if kind == "birth":
        return pair.birth
    asked, listed = pair.question, pair.entry
    ours = asked.nationalities if kind == "nationality" else (asked.gender,) * bool(asked.gender)
    theirs = listed.countries if kind == "nationality" else listed.genders
    if not ours or not theirs:
        return None
    return "other" if set(ours).isdisjoint(theirs) else "same"


def regression(pairs: Sequence[Pair]) -> list[float]:
    """Newton's method; both labels weigh the same in all."""
    shown = [each for each in pairs if each.match is not None]
    rows = np.array([features(each) for each in shown])
    label = np.array([each.same for each in shown], float)
    weight = np.where(label == 1, 0.5 / label.mean(), 0.5 / (1 - label.mean()))
    found = np.zeros(rows.shape[1])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-rows @ found))
        slope = rows.T @ (weight * (label - chance)) - RIDGE * found
        curve = (rows * (weight * chance * (1 - chance))[:, None]).T @ rows
        found += np.linalg.solve(curve + RIDGE * np.eye(len(found)), slope)
    return [float(value) for value in found]


def features(pair: Pair) -> tuple[float, float, float]:
    assert pair.match is not None
    return 1.0, (pair.match.score - 0.7) * 10, pair.match.rarity


def bar(pairs: Sequence[Pair]) -> Bar:
    """The bar: half the namesakes of another year at no less recall, at the default threshold."""
    same = [each for each in pairs if each.same]
    others = [each for each in pairs if not each.same and each.birth == "other_year"]
    by_name, kept = (sum(map(rule, same)) for rule in (named, assessed))
    before, after = (sum(map(rule, others)) for rule in (named, assessed))
    return (
        f"evidence: {kept} of {len(same)} same persons, by the name {by_name}; "
        f"{after} of {len(others)} namesakes of another year, by the name {before} (bar: half)"
    ), kept >= by_name and after <= before / 2


def named(pair: Pair) -> bool:
    """Whether the name alone is a match."""
    return pair.match is not None and pair.match.score >= DEFAULT_THRESHOLD


def assessed(pair: Pair) -> bool:
    """Whether it is a match that is not unlikely."""
    if pair.match is None:
        return False
    known = Known(*stored(pair.entry))  # type: ignore[arg-type]
    found = weigh(pair.match.score, pair.match.rarity, pair.question, known, DEFAULT_THRESHOLD)
    return found.score >= DEFAULT_THRESHOLD and found.assessment != "unlikely"


if __name__ == "__main__":
    sys.exit(main())
