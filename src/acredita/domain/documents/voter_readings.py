"""The parsed readings of a voter card."""

from dataclasses import dataclass
from datetime import date

from acredita.domain.documents.findings import printed
from acredita.domain.documents.mrz_evidence import ZoneEvidence, zone_of
from acredita.domain.documents.pages import PageReading
from acredita.domain.documents.voter_models import model_on
from acredita.domain.identifiers import clave_elector, curp
from acredita.domain.identifiers.clave_elector import ClaveElector
from acredita.domain.identifiers.curp import Curp
from acredita.domain.identifiers.ine import IneModel
from acredita.domain.identifiers.mrz import IneZone, Mrz
from acredita.domain.identifiers.problems import FaultCode
from acredita.domain.names import PersonName


@dataclass(frozen=True, slots=True)
class VoterCard:
    """The parsed readings of one card."""

    front: PageReading
    name: PersonName
    curp: Curp | None
    curp_digit_holds: bool
    clave: ClaveElector | None
    zone: ZoneEvidence | None
    today: date

    def value(self, field: str) -> str | None:
        evidence = printed(self.front, field)
        return evidence.value if evidence else None

    @property
    def shows_age(self) -> bool:
        """Whether the card is model C, the last but one of IFE, without birth date."""
        return model_on(self.front) is IneModel.C

    @property
    def mrz(self) -> Mrz | None:
        return self.zone.value if self.zone else None

    @property
    def ine(self) -> IneZone | None:
        return self.mrz.ine if self.mrz else None


def voter_card(front: PageReading, back: PageReading | None, today: date) -> VoterCard:
    """Parse the readings of a card's sides."""
    values = {s.field: s.value for s in front.sightings}
    curp_reading = curp.parse(values.get("curp", ""))
    name = PersonName(
        given=values.get("givenNames", ""),
        paterno=values.get("paternalSurname", ""),
        materno=values.get("maternalSurname", ""),
    )
    return VoterCard(
        front,
        name,
        curp_reading.value,
        not any(f.code is FaultCode.CHECK_DIGIT for f in curp_reading.faults),
        clave_elector.parse(values.get("clave", "")).value,
        zone_of(back),
        today,
    )
