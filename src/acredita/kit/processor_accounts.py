"""The processor time that each customer has used, which it gets back at a constant rate."""

import time
from collections.abc import Callable, Hashable
from typing import Final

# Accounts without debt are forgotten when there are more of them than this.
PRUNE_ABOVE: Final = 10_000


class ProcessorAccounts:
    """The debts of customers in CPU seconds. `rate`: the cores that a customer may use on average,
    by which its debt shrinks. One event loop uses it; `clock` returns seconds.
    """

    def __init__(self, rate: float, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._clock = clock
        # Of each customer: its debt, and the moment of it.
        self._debts: dict[Hashable, tuple[float, float]] = {}
        self._prune_above = PRUNE_ABOVE

    def debt(self, customer: Hashable) -> float:
        """Return the CPU seconds that the customer has used and not yet got back."""
        debt, moment = self._debts.get(customer, (0.0, 0.0))
        return max(0.0, debt - self._rate * (self._clock() - moment))

    def charge(self, customer: Hashable, seconds: float) -> None:
        self._debts[customer] = self.debt(customer) + seconds, self._clock()
        if len(self._debts) > self._prune_above:
            self._debts = {key: held for key, held in self._debts.items() if self.debt(key) > 0}
            self._prune_above = max(PRUNE_ABOVE, 2 * len(self._debts))

    def seconds_until(self, customer: Hashable, debt: float) -> float:
        """Return the seconds until the customer's debt is at most `debt`; 0 if it is already."""
        return max(0.0, self.debt(customer) - debt) / self._rate
