"""Times to a decision, counted in intervals: a median needs no list of all times.

Interval N has the times from 2^(N/8) seconds on, up to 2^((N+1)/8): each is 9 % longer than the one
before. Times below two seconds are in the first eight. The trigger that counts computes the same.
"""

from collections.abc import Mapping

INTERVALS_IN_A_DOUBLING = 8


def quantile(counts: Mapping[int, int], share: float) -> float | None:
    """Return the time in seconds that `share` (0 to 1) of the counted times do not exceed.

    It is the middle of an interval, so at most 5 % away. None without times.
    """
    left = share * sum(counts.values())
    for interval, count in sorted(counts.items()):
        left -= count
        if count > 0 and left <= 0:
            return round(2 ** ((interval + 0.5) / INTERVALS_IN_A_DOUBLING), 2)
    return None
