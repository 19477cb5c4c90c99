"""When to leave a receiver alone for a while, because it fails whatever is sent to it."""

from dataclasses import dataclass

# Attempts that fail in a row before it opens: two rounds of those that are under way at a time.
THRESHOLD = 16


@dataclass(slots=True)
class Breaker:
    """It delays attempts; it drops none and uses none up.

    Closed: everything goes out. After THRESHOLD failures in a row it opens: nothing goes out for a
    while, then one attempt at a time, the first of which closes it, or lets it rest for longer.
    """

    failures: int = 0
    rests: int = 0
    # It opened, or did not close, in this run.
    has_tripped: bool = False

    def note(self, *, delivered: bool) -> None:
        if delivered:
            self.failures, self.rests, self.has_tripped = 0, 0, False
            return
        self.failures += 1
        self.has_tripped = self.failures >= THRESHOLD

    def admits(self, most: int) -> int:
        """How many attempts may be under way, of `most`."""
        if self.has_tripped:
            return 0
        return 1 if self.failures >= THRESHOLD else most

    def rest(self, *, first: float, longest: float) -> float | None:
        """Seconds that the receiver is to be left alone from now on, twice as long each time."""
        if not self.has_tripped:
            return None
        seconds = min(longest, first * 2.0 ** min(self.rests, 20))
        self.rests += 1
        return seconds
