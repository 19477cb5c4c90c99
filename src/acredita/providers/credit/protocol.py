"""The interface of a credit bureau and its errors.

ConsultationFailed
├── NotConsulted      the consultation certainly did not happen: nothing is billed or recorded
└── OutcomeUnknown    it may have happened: the service does not retry by itself

Neither says anything about the person. "No file" is an answer, and only the bureau itself can give
it. `word` is a code that is safe to log, without personal data.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Protocol

from acredita.domain.credit.person import Question, Remark
from acredita.domain.credit.report import Report


class Failure(StrEnum):
    UNAVAILABLE = "BUREAU_UNAVAILABLE"
    REFUSED = "BUREAU_REFUSED"  # the bureau refuses these data
    CREDENTIALS = "BUREAU_CREDENTIALS"
    BUSY = "BUREAU_BUSY"
    NO_ANSWER = "BUREAU_NO_ANSWER"
    INVALID_ANSWER = "BUREAU_ANSWER_INVALID"
    NOT_AUTHENTIC = "BUREAU_ANSWER_NOT_AUTHENTIC"


class ConsultationFailed(Exception):
    """`word` gives the operator more detail in the log."""

    def __init__(self, failure: Failure, word: str) -> None:
        super().__init__(f"{failure}: {word}")
        self.failure = failure
        self.word = word


class NotConsulted(ConsultationFailed):
    pass


class OutcomeUnknown(ConsultationFailed):
    pass


class CreditBureau(Protocol):
    @property
    def name(self) -> str:
        """The provider's name, stored with the report."""
        ...

    @property
    def is_sandbox(self) -> bool: ...

    @property
    def timeout(self) -> float:
        """The maximum duration of `consult` in seconds."""
        ...

    def problems(self, question: Question) -> Sequence[Remark]:
        """The fields that are missing or that this bureau does not accept."""
        ...

    def production_problems(self, question: Question) -> Sequence[Remark]:
        """For a sandbox: the problems that a real bureau would report. Empty for a real one."""
        ...

    async def consult(self, question: Question) -> Report | None:
        """Return the person's report, or None if the bureau has no file.

        A consultation costs money and is recorded in the person's file, so never retry it
        automatically. Raise NotConsulted, OutcomeUnknown.
        """
        ...
