"""The machine-readable zone of a page, as evidence for fields."""

from collections.abc import Callable
from dataclasses import dataclass

from acredita.domain.documents.findings import Evidence, Source, Zone
from acredita.domain.documents.pages import PageReading
from acredita.domain.identifiers import mrz
from acredita.domain.identifiers.mrz import Mrz, MrzReading, RepairReason, same_name


@dataclass(frozen=True, slots=True)
class ZoneEvidence:
    """All readings of one zone; `value` is the first one whose check digits are valid.

    A reading with valid check digits can be wrong: they do not distinguish G from 6, L from 1 or S
    from 8. So a field counts as agreed only if every reading is valid and all are equal.
    """

    readings: tuple[MrzReading, ...]
    value: Mrz
    confidence: float

    def evidence(self, get: Callable[[Mrz], str]) -> Evidence:
        values = [get(r.value) for r in self.readings if r.value and r.valid]
        agreed = len(values) > 1 and len(values) == len(self.readings) and len(set(values)) == 1
        return Evidence(
            get(self.value),
            self.confidence,
            agreed,
            Source.MRZ,
            Zone.MRZ,
            tuple(dict.fromkeys(v for v in values if v != get(self.value))),
            repaired=self.repaired,
        )

    @property
    def repaired(self) -> bool:
        """Whether a character was replaced by a similar one to match its check digit."""
        first = next(r for r in self.readings if r.valid)
        return any(repair.reason is RepairReason.CHECK_DIGIT for repair in first.repairs)


def zone_of(page: PageReading | None) -> ZoneEvidence | None:
    """Return the page's zone; None if no reading of it has valid check digits."""
    if page is None or not page.mrz:
        return None
    readings = tuple(mrz.read(lines) for lines in page.mrz)
    for reading in readings:
        if reading.value is not None and reading.valid:
            return ZoneEvidence(readings, reading.value, page.mrz_confidence)
    return None


def spells_out(zone: Mrz, printed: str, *, given: bool) -> bool:
    """Return whether the zone has all letters of the printed surnames, or given names. A zone that
    is too narrow for a name loses its end.
    """
    if zone.names_truncated if given else zone.surnames_truncated:
        return False
    return same_name(printed, zone.given if given else zone.surnames)
