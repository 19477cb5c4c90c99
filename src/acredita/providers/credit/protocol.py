"""What any credit bureau does, and how asking it fails.

ConsultationFailed
├── NotConsulted      the bureau has surely not looked: nothing is billed, no trace is left
└── OutcomeUnknown    it may have: nobody asks again by himself

Neither says anything of the person: that a bureau has no file is an answer, given only when the
bureau itself said so. Words are fit for a log, without personal data.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Protocol

from acredita.domain.credit.question import Question, Remark
from acredita.domain.credit.report import Report


class Failure(StrEnum):
    UNAVAILABLE = "BUREAU_UNAVAILABLE"
    REFUSED = "BUREAU_REFUSED"  # these data, says the bureau
    CREDENTIALS = "BUREAU_CREDENTIALS"
    BUSY = "BUREAU_BUSY"
    NO_ANSWER = "BUREAU_NO_ANSWER"
    INVALID_ANSWER = "BUREAU_ANSWER_INVALID"
    NOT_AUTHENTIC = "BUREAU_ANSWER_NOT_AUTHENTIC"


class ConsultationFailed(Exception):
    """`word` says more than the failure's kind, to the operator who reads the log."""

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
        """Which provider this is, for the record of who was asked."""
        ...

    @property
    def is_sandbox(self) -> bool: ...

    @property
    def timeout(self) -> float:
        """Seconds after which `consult` has surely ended."""
        ...

    def wants(self, question: Question) -> Sequence[Remark]:
        """What the question lacks, or has in a form that this bureau does not take; by field."""
        ...

    def would_want(self, question: Question) -> Sequence[Remark]:
        """What a sandbox does without and a real bureau demands; nothing for a real one."""
        ...

    async def consult(self, question: Question) -> Report | None:
        """The person's report; None when the bureau has no file. Leaves a trace in the file, costs
        money, and is never to be repeated without being told. Raise NotConsulted, OutcomeUnknown.
        """
        ...
