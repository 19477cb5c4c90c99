"""Determine the model of a voter card from its front and back.

| model | issued | front | back |
|---|---|---|---|
| C | 2008-2013 | IFE, age instead of a birth date | OCR number in print, no MRZ |
| D | 2013-2014 | IFE, birth date | MRZ |
| E, F | 2014-2020 | INE, municipality and locality; F from abroad | MRZ, PDF417 |
| G, H | since 2019 | INE, neither of them; H from abroad | MRZ, QR codes |

Models A and B expired long ago and print no expiry year. This module does not distinguish them.
They go to review because that year is missing.
"""

from collections.abc import Mapping
from typing import Final

from acredita.domain.documents.findings import (
    Confirmation,
    Evidence,
    Finding,
    Reason,
    Source,
    Zone,
    decide,
)
from acredita.domain.documents.mrz_evidence import ZoneEvidence
from acredita.domain.documents.pages import PageReading
from acredita.domain.identifiers.ine import IneModel

_TODAY: Final = 9999
ISSUED: Final[Mapping[IneModel, tuple[int, int]]] = {
    IneModel.C: (2008, 2013),
    IneModel.D: (2013, 2014),
    IneModel.E: (2014, 2020),
    IneModel.F: (2016, 2020),
    IneModel.G: (2019, _TODAY),
    IneModel.H: (2019, _TODAY),
}
_WITH_CODES: Final = {
    "QR_CODE": frozenset((IneModel.G, IneModel.H)),
    "PDF_417": frozenset((IneModel.D, IneModel.E, IneModel.F)),
}


def judge_model(
    front: PageReading, back: PageReading | None, zone: ZoneEvidence | None
) -> Finding | None:
    """Judge the model that the front shows; None if it shows none. The back must confirm it."""
    model = model_on(front)
    if model is None:
        return None
    evidence = Evidence(model.value, front.quality.text_score, True, Source.OCR, Zone.FRONT)
    issued = front.sighting("emissionYear")
    against: list[Reason] = []
    if issued and issued.value.isdecimal() and not _issued_in(model, int(issued.value)):
        against.append(Reason.CONTRADICTS_PRINT)
    on_back = _models_of_back(back, zone) if back else None
    if on_back is None:
        against.append(Reason.UNCONFIRMED)
    elif model not in on_back:
        against.append(Reason.CONTRADICTS_MRZ)
    return decide("ineModel", evidence, confirmation=Confirmation.SAME, against=tuple(against))


def model_on(page: PageReading | None) -> IneModel | None:
    """Return the model that a page shows by itself."""
    return IneModel.__members__.get(page.model or "") if page else None


def _models_of_back(back: PageReading, zone: ZoneEvidence | None) -> frozenset[IneModel] | None:
    """Return the models that the back allows; None if nothing on it was read."""
    if model := model_on(back):
        return frozenset((model,))
    if zone is None:
        return None
    possible = frozenset(ISSUED) - {IneModel.C}
    expiry = zone.value.expiry_date
    if expiry is not None:
        possible &= {model for model in ISSUED if _issued_in(model, expiry.year - 10)}
    for code in back.codes:
        possible &= _WITH_CODES.get(code.symbology, possible)
    return possible


def _issued_in(model: IneModel, year: int) -> bool:
    first, last = ISSUED[model]
    return first <= year <= last
