"""Weights of evidence: natural logarithms of likelihood ratios.

`python -m benchmarks.screening_weights` fits them on labelled pairs of listed persons and prints
this table. docs/integrators/aml.md says what the pairs are, and which weights are assumed.
"""

from typing import Final

INTERCEPT: Final = -5.62
NAME_SCORE: Final = 1.82
"""By 0.1 of the name's score (0-1) above 0.7."""
NAME_RARITY: Final = 0.16
"""By unit of the logarithm of how rare the matched words are together."""

WEIGHTS: Final = {
    "birth:same_day": 4.4,
    "birth:slip": 2.3,
    "birth:same_year": 1.9,
    "birth:other_year": -2.4,
    "nationality:same": 1.4,
    "nationality:other": -4.1,
    # Assumed, because too few pairs have them: lists err in 2 % of genders, and in 10 % of other
    # identifiers of the same kind.
    "gender:same": 0.1,
    "gender:other": -1.7,
    "identifier:same": 8.0,
    "identifier:other": -2.3,
    "state:other": -2.3,
}
"""By outcome of a comparison."""
