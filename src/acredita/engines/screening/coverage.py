"""What it is worth that so much of the query and so much of the listed name is covered."""

import numpy as np

from acredita.engines.screening.tables import Array

# Weight of the words of legal forms; others weigh from 0.45 (everywhere) to 1 (nowhere else).
WEIGHTLESS = np.float32(0.01)
_OPEN = 0.42


def worth(ours: Array, theirs: Array) -> Array:
    """float32[n], 0-1, of the covered shares: of the better covered side, less for what the other
    leaves open. A listed name may be longer than people write it, and shorter than they are."""
    high, low = np.minimum(np.maximum(ours, theirs), 1), np.minimum(np.minimum(ours, theirs), 1)
    result: Array = high * (1 - _OPEN + _OPEN * low)
    return result
