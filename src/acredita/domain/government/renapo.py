"""The statuses that RENAPO, the population registry, gives a CURP.

The table is the union of two published lists (Veriff's curp-registry page; Kiban's and OrigoID's
catalogues), because neither is complete. Sources return the code or its Spanish text.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from acredita.domain.names import fold


class Annulment(StrEnum):
    DECEASED = "deceased"
    DUPLICATE = "duplicate"
    REPLACED = "replaced"  # The person has another CURP now.
    WITHOUT_EFFECT_ON_CURP = "without_effect_on_curp"
    APOCRYPHAL = "apocryphal"  # Obtained with a forged document.
    UNUSED = "unused"  # The person can have it reactivated.
    ADMINISTRATIVE = "administrative"
    ADOPTION = "adoption"
    JUDICIAL = "judicial"
    UNDOCUMENTED = "undocumented"  # Annulled, with a status that neither list has.


@dataclass(frozen=True, slots=True)
class CurpStatus:
    """`annulment` is None if the CURP is in force. `amended`: the record was changed, so older
    documents may legally have other data."""

    code: str
    text: str
    annulment: Annulment | None = None
    amended: bool = False


STATUSES = (
    CurpStatus("AN", "ALTA NORMAL"),
    CurpStatus("AH", "ALTA CON HOMONIMIA"),
    CurpStatus("CRA", "CURP REACTIVADA"),
    CurpStatus("RCN", "REGISTRO DE CAMBIO NO AFECTANDO A CURP", amended=True),
    CurpStatus("RCC", "REGISTRO DE CAMBIO AFECTANDO A CURP", amended=True),
    CurpStatus("BD", "BAJA POR DEFUNCION", Annulment.DECEASED),
    CurpStatus("BDA", "BAJA POR DUPLICIDAD", Annulment.DUPLICATE),
    CurpStatus("BCC", "BAJA POR CAMBIO EN CURP", Annulment.REPLACED),
    CurpStatus("BCN", "BAJA NO AFECTANDO A CURP", Annulment.WITHOUT_EFFECT_ON_CURP),
    CurpStatus("BAP", "BAJA POR DOCUMENTO APOCRIFO", Annulment.APOCRYPHAL),
    CurpStatus("BSU", "BAJA SIN USO", Annulment.UNUSED),
    CurpStatus("BDM", "BAJA ADMINISTRATIVA", Annulment.ADMINISTRATIVE),
    CurpStatus("BDP", "BAJA POR ADOPCION", Annulment.ADOPTION),
    CurpStatus("BJD", "BAJA JUDICIAL", Annulment.JUDICIAL),
)
_BY_CODE = {status.code: status for status in STATUSES}
_BY_TEXT = {status.text: status for status in STATUSES}
# A status whose code begins with B is an annulment ("baja").
_UNDOCUMENTED_ANNULMENT = re.compile(r"B[A-Z]{1,2}|BAJA .*")


def status_of(source: str) -> CurpStatus | None:
    """Find a status by its code, its text or both. Case and punctuation are ignored.

    Return None for an unknown status, or if code and text disagree.
    """
    text = " ".join(re.findall("[A-Z]+", fold(source)))
    # The reactivation's code is also seen as "CRA CU".
    text = re.sub(r"^CRA CU\b", "CRA", text)
    code, _, rest = text.partition(" ")
    if status := _BY_TEXT.get(text):
        return status
    if status := _BY_CODE.get(code):
        return status if rest in ("", status.text) else None
    if _UNDOCUMENTED_ANNULMENT.fullmatch(text):
        return CurpStatus(code, text, Annulment.UNDOCUMENTED)
    return None
