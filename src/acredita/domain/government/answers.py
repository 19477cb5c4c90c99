"""What registries answer: their own record, or their verdict where they disclose no record."""

from dataclasses import dataclass
from datetime import date, datetime
from enum import Enum, StrEnum

from acredita.domain.government.renapo import CurpStatus, status_of
from acredita.domain.identifiers.notation import Sex
from acredita.domain.identifiers.states import State
from acredita.domain.names import PersonName


class Outcome(StrEnum):
    MATCH = "match"  # known and in force
    MISMATCH = "mismatch"  # known, but not together with the other data of the question
    ANNULLED = "annulled"  # known, no longer in force
    NOT_FOUND = "not_found"
    UNKNOWN_STATUS = "unknown_status"  # known, in a state that nobody has documented


@dataclass(frozen=True, slots=True)
class Receipt:
    """The evidence that a registry was asked. `response_id` is the source's folio."""

    response_id: str
    checked_at: datetime
    sandbox: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CurpRecord:
    """A person as RENAPO has them; None for what the source does not disclose."""

    curp: str
    source_status: str
    name: PersonName | None = None
    birth_date: date | None = None
    sex: Sex | None = None
    state: State | None = None

    @property
    def status(self) -> CurpStatus | None:
        return status_of(self.source_status)


@dataclass(frozen=True, slots=True)
class CurpAnswer:
    """`record` None: RENAPO answered that it knows no such CURP."""

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
    """INE's word on a voter card; `clave` is that of the card's holder, where it is disclosed."""

    receipt: Receipt
    outcome: Outcome
    source_status: str | None = None
    clave: str | None = None


@dataclass(frozen=True, slots=True)
class RfcAnswer:
    """SAT's word on an RFC: it discloses no record, only whether the name is the RFC's."""

    receipt: Receipt
    outcome: Outcome
    source_status: str | None = None


Answer = CurpAnswer | IneAnswer | RfcAnswer


class NoAnswer(Enum):
    """Why there is no answer. None of these says anything of the person."""

    UNAVAILABLE = "unavailable"  # after all retries
    REFUSED = "refused"  # credentials or quota: the operator's to mend
    INSUFFICIENT_DATA = "insufficient_data"  # never asked
