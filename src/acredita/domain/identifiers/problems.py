"""Faults of identifiers, and the result of every parser."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

T_co = TypeVar("T_co", covariant=True)


class FaultCode(StrEnum):
    LENGTH = "LENGTH"
    FORMAT = "FORMAT"
    DATE = "DATE"
    SEX = "SEX"
    STATE = "STATE"
    INCONVENIENT_WORD = "INCONVENIENT_WORD"
    CHECK_DIGIT = "CHECK_DIGIT"
    HOMOCLAVE = "HOMOCLAVE"
    MISSING = "MISSING"
    OUTDATED_MODEL = "OUTDATED_MODEL"
    AMBIGUOUS = "AMBIGUOUS"
    MISMATCH = "MISMATCH"


class Severity(StrEnum):
    ERROR = "ERROR"  # No issuer would issue this identifier.
    WARNING = "WARNING"  # Suspicious, but such identifiers have been issued.


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of a field. Messages never quote the value, because it is personal data."""

    code: FaultCode
    field: str
    message: str
    severity: Severity = Severity.ERROR


@dataclass(frozen=True, slots=True)
class Reading(Generic[T_co]):
    """The typed value with all faults; None if a part of it has no meaning."""

    value: T_co | None
    faults: tuple[Fault, ...] = ()

    @property
    def valid(self) -> bool:
        """Whether there is a value without errors. Warnings are allowed."""
        return self.value is not None and not self.errors

    @property
    def errors(self) -> tuple[Fault, ...]:
        return tuple(fault for fault in self.faults if fault.severity is Severity.ERROR)

    @property
    def warnings(self) -> tuple[Fault, ...]:
        return tuple(fault for fault in self.faults if fault.severity is Severity.WARNING)


def mismatch(field: str, message: str, severity: Severity = Severity.ERROR) -> Fault:
    """Return the fault of a field that contradicts another value."""
    return Fault(FaultCode.MISMATCH, field, message, severity)
