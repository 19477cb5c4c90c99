"""How a job says what became of it.

A handler that raises anything else than these has failed in a way nobody foresaw: it is tried
again with back-off, like `Later`, until its attempts are spent.
"""


class Later(Exception):
    """It did not work now and may later: try again, after `delay` seconds or the usual back-off.

    Spends an attempt. `why` is kept in the ledger and logged, so it names no person.
    """

    def __init__(self, why: str, *, delay: float | None = None) -> None:
        super().__init__(why)
        self.delay = delay


class ForGood(Exception):
    """It will never work: the job is dead at once and its `on_dead` runs.

    `why` is kept in the ledger and logged, so it names no person.
    """


class LeaseLost(Exception):
    """Another worker may have the job by now: nothing of this run may take effect."""
