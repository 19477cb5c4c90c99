"""Exceptions that handlers raise to control a retry.

A `kit.dependencies.DependencyUnavailable`, or PostgreSQL that does not answer, makes the job wait.
This spends no attempt until the job has waited for `job_longest_wait`. Any other exception means an
unexpected failure. It is retried with back-off, like `Later`, up to the maximum number of attempts.
"""


class Later(Exception):
    """A temporary failure: retry after `delay` seconds or the usual back-off.

    Uses up an attempt. `why` is stored and logged, so it must not contain personal data.
    """

    def __init__(self, why: str, *, delay: float | None = None) -> None:
        super().__init__(why)
        self.delay = delay


class PermanentFailure(Exception):
    """The job can never succeed: it is dead at once and its `on_dead` runs.

    The message is stored and logged, so it must not contain personal data.
    """


class LeaseLost(Exception):
    """Another worker may have the job now, so nothing of this run may take effect."""
