"""The status of a credit check."""

from enum import StrEnum


class CheckStatus(StrEnum):
    PENDING = "PENDING"  # The request to the bureau is running.
    COMPLETED = "COMPLETED"  # The bureau has answered.
    FAILED = "FAILED"  # The bureau has certainly not consulted the file: no bill, no record.
    UNKNOWN = "UNKNOWN"  # The bureau may have consulted the file.
