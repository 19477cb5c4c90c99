"""The answers of registries: a record, or only an outcome if they disclose no record."""

from dataclasses import dataclass
from datetime import date, datetime
from enum import Enum, StrEnum

from acredita.domain.government.renapo import CurpStatus, status_of
from acredita.domain.identifiers.formatting import Sex
from acredita.domain.identifiers.states import State
from acredita.domain.names import PersonName


class Outcome(StrEnum):
    MATCH = "match"  # Known and in force.
    MISMATCH = "mismatch"  # Known, but with other data than the question has.
    ANNULLED = "annulled"  # Known, no longer in force.
    NOT_FOUND = "not_found"
    UNKNOWN_STATUS = "unknown_status"  # Known, with an undocumented status.


@dataclass(frozen=True, slots=True)
class Receipt:
    """The evidence of a registry's answer. `response_id` is the source's folio."""

    response_id: str
    checked_at: datetime
    sandbox: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CurpRecord:
    """RENAPO's record of a person. None: the source does not disclose the value."""

    curp: str
    source_status: str
    name: PersonName | None = None
    birth_date: date | None = None
    sex: Sex | None = None
    state: State | None = None
    # ISO 3166-1 alpha-3.
    nationality: str | None = None

    @property
    def status(self) -> CurpStatus | None:
        return status_of(self.source_status)


@dataclass(frozen=True, slots=True)
class CurpAnswer:
    """RENAPO's answer; `record` is None if no such CURP exists."""

    receipt: Receipt
    record: CurpRecord | None

    @property
    def outcome(self) -> Outcome:
        if self.record is None:
            return Outcome.NOT_FOUND
        if self.record.status is None:
            return Outcome.UNKNOWN_STATUS
        return Outcome.ANNULLED if self.record.status.annulment else Outcome.MATCH


@dataclass(frozen=True, slots=True)
class IneAnswer:
    """INE's answer on a voter card. `clave` is the holder's if it is disclosed, the years are those
    of the holder's registration and of the card's emission.
    """

    receipt: Receipt
    outcome: Outcome
    source_status: str | None = None
    clave: str | None = None
    registration_year: str | None = None
    emission_year: str | None = None


@dataclass(frozen=True, slots=True)
class RfcAnswer:
    """SAT's answer on an RFC: no record, only whether the name belongs to the RFC."""

    receipt: Receipt
    outcome: Outcome
    source_status: str | None = None


Answer = CurpAnswer | IneAnswer | RfcAnswer


class NoAnswer(Enum):
    """Why there is no answer. None of the causes is evidence about the person."""

    UNAVAILABLE = "unavailable"  # After all retries.
    REFUSED = "refused"  # Credentials or quota: the operator must act.
    INSUFFICIENT_DATA = "insufficient_data"  # No question was sent.
