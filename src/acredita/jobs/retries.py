"""How long a failed job waits for its next attempt."""

import random

# Seconds.
FIRST_RETRY = 2.0
LONGEST_RETRY = 300.0


def back_off(attempts: int) -> float:
    """Seconds until the next attempt: doubling up to a cap, with ±25 % jitter."""
    return min(LONGEST_RETRY, FIRST_RETRY * 2.0 ** min(attempts - 1, 20)) * random.uniform(
        0.75, 1.25
    )


def pause_of_wait(waited: float) -> float:
    """Seconds until a job that has waited so long tries a dependency again: as long again, up to a
    cap, so the pauses double, with ±25 % jitter."""
    return min(LONGEST_RETRY, max(FIRST_RETRY, waited)) * random.uniform(0.75, 1.25)
