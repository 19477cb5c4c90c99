"""Score from the covered shares of the query and of the listed name."""

import numpy as np

from acredita.engines.screening.tables import Array

# Weight of words of legal forms. Other words weigh 0.45 (most frequent) to 1 (unique).
WEIGHTLESS = np.float32(0.01)
_OPEN = 0.42


def coverage_score(ours: Array, theirs: Array) -> Array:
    """Score, float32[n] in 0-1, from the covered weight shares of both sides, float32[n] each.

    The score is the higher share, reduced by what the lower share leaves uncovered. Either side
    may be the longer one: people shorten their names, and lists do too.
    """
    high, low = np.minimum(np.maximum(ours, theirs), 1), np.minimum(np.minimum(ours, theirs), 1)
    result: Array = high * (1 - _OPEN + _OPEN * low)
    return result


def least_other_share(share: float, score: float) -> float:
    """The least covered share of one side with which the score is reached.

    `share`: of the other side, above 0. Not positive: any share reaches it. Above 1: none does.
    """
    share = min(share, 1.0)
    lower = (score / share - (1 - _OPEN)) / _OPEN
    return lower if lower <= share else score / (1 - _OPEN + _OPEN * share)
