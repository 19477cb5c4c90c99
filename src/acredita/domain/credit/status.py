"""What becomes of a credit check."""

from enum import StrEnum


class CheckStatus(StrEnum):
    PENDING = "PENDING"  # the bureau is being asked
    COMPLETED = "COMPLETED"  # it has answered
    FAILED = "FAILED"  # it has surely not looked: nothing is billed, no trace is left
    UNKNOWN = "UNKNOWN"  # it may have looked: asking again may be a second consultation
