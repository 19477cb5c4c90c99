"""The shape of a reason code: one entry with everything that the service says about it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, NamedTuple, Self

from acredita.domain.verification import VerificationStatus


class Severity(StrEnum):
    """What a code does to its step."""

    FAILS = "fails"
    # FAILED where the evidence is certain, else REVIEW.
    FAILS_IF_SURE = "fails_if_sure"
    REVIEW = "review"
    # REVIEW too, but in the browser flow the person is first asked for another picture.
    RETAKE = "retake"
    # FAILED, but in the browser flow the person is first asked to try again: an honest one may have
    # moved too little.
    RETAKE_OR_FAIL = "retake_or_fail"
    # Of a reviewer's decision or a policy's: no step ends with it.
    DECISION = "decision"

    @property
    def may_fail(self) -> bool:
        return self in {Severity.FAILS, Severity.FAILS_IF_SURE, Severity.RETAKE_OR_FAIL}

    @property
    def asks_again(self) -> bool:
        """Whether the person in the browser is asked again before the step ends."""
        return self in {Severity.RETAKE, Severity.RETAKE_OR_FAIL}


# What a code that speaks against the person is a reviewer's reason for.
AGAINST: Final = frozenset({VerificationStatus.REJECTED, VerificationStatus.MANUAL_REVIEW})


class Text(NamedTuple):
    """One text in both languages that the service speaks."""

    es: str
    en: str


@dataclass(frozen=True, slots=True)
class Translation:
    """How MetaMap's API shows a code.

    `code` is MetaMap's own; None derives one from ours. `by_registry` replaces it where the code is
    about one registry, or about MetaMap's step of that name. `step` is the id of MetaMap's step, if
    not the first one of the step's type.
    `is_system` marks a fault of the service that was asked, not of the person.
    """

    code: str | None = None
    step: str | None = None
    is_system: bool = False
    by_registry: Mapping[str, str] = field(default_factory=dict)


# MetaMap's documented codes of system faults. Its `legacy.error` may be a finding about the person.
UNAVAILABLE: Final = Translation("system.serviceUnavailable", is_system=True)
FAILED: Final = Translation("system.internalError", is_system=True)


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of the registry.

    `en` and `es` say what happened, without personal data and without help for a forger. `advice_…`
    is for the person who holds the phone: one thing to do, no blame. A code has no advice where
    another picture changes nothing, or where it would tell a forger what gave the forgery away.
    `reviewer` says what a reviewer can do. `outcomes` are the decisions for which a reviewer may give
    the code as the reason.
    """

    code: str
    severity: Severity
    en: str
    es: str
    reviewer: Text
    advice_en: str = ""
    advice_es: str = ""
    metamap: Translation = Translation()
    outcomes: frozenset[VerificationStatus] = AGAINST


class ReasonCode(StrEnum):
    """A stable name for why a step did not pass. Each member is one `Entry`."""

    severity: Severity
    message: Text
    advice: Text | None
    reviewer: Text
    metamap: Translation
    outcomes: frozenset[VerificationStatus]

    def __new__(cls, entry: Entry) -> Self:
        member = str.__new__(cls, entry.code)
        member._value_ = entry.code
        member.severity = entry.severity
        member.message = Text(entry.es, entry.en)
        member.advice = Text(entry.advice_es, entry.advice_en) if entry.advice_en else None
        member.reviewer = entry.reviewer
        member.metamap = entry.metamap
        member.outcomes = entry.outcomes
        return member
