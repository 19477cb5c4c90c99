"""The circuit breaker of a receiver: pauses its deliveries after many failures in a row."""

from dataclasses import dataclass

# Consecutive failures that open it: two rounds of concurrent attempts.
THRESHOLD = 16


@dataclass(slots=True)
class Breaker:
    """It delays attempts. It drops none and uses none up.

    Closed: all attempts are sent. After THRESHOLD consecutive failures it opens: nothing is sent
    for a while, then one attempt at a time. A success closes it; a failure makes a longer pause.
    """

    failures: int = 0
    rests: int = 0
    # It opened, or stayed open, in this run.
    has_tripped: bool = False

    def record(self, *, delivered: bool) -> None:
        if delivered:
            self.failures, self.rests, self.has_tripped = 0, 0, False
            return
        self.failures += 1
        self.has_tripped = self.failures >= THRESHOLD

    def allowed(self, most: int) -> int:
        """Return how many concurrent attempts it allows, at most `most`."""
        if self.has_tripped:
            return 0
        return 1 if self.failures >= THRESHOLD else most

    def next_pause(self, *, first: float, longest: float) -> float | None:
        """Return the seconds to pause from now on, doubled each time. None: no pause."""
        if not self.has_tripped:
            return None
        seconds = min(longest, first * 2.0 ** min(self.rests, 20))
        self.rests += 1
        return seconds
