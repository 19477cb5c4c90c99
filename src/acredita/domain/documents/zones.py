"""The machine-readable zone of a page as evidence."""

from collections.abc import Callable
from dataclasses import dataclass

from acredita.domain.documents.findings import Evidence, Source, Zone
from acredita.domain.documents.pages import PageReading
from acredita.domain.identifiers import mrz
from acredita.domain.identifiers.mrz import Mrz, MrzReading, RepairReason


@dataclass(frozen=True, slots=True)
class ZoneEvidence:
    """Every reading of one zone, whose check digits hold in the first of them.

    A reading can pass its check digits and be wrong: they cannot tell G from 6, L from 1 or S
    from 8. So a field counts as agreed only where every reading passes and gives the same.
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
        """Whether a look-alike was chosen because the check digit asked for it."""
        first = next(r for r in self.readings if r.valid)
        return any(repair.reason is RepairReason.CHECK_DIGIT for repair in first.repairs)


def zone_of(page: PageReading | None) -> ZoneEvidence | None:
    """The page's zone, None where no reading of it passes its check digits."""
    if page is None or not page.mrz:
        return None
    readings = tuple(mrz.read(lines) for lines in page.mrz)
    for reading in readings:
        if reading.value is not None and reading.valid:
            return ZoneEvidence(readings, reading.value, page.mrz_confidence)
    return None
