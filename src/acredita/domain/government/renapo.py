"""The statuses that RENAPO, the population registry, gives a CURP.

Two published lists exist and neither holds the other (Veriff's curp-registry page; Kiban's and
OrigoID's catalogues), so this is their union. Sources pass on the code or its Spanish text.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from acredita.domain.names import fold


class Annulment(StrEnum):
    DECEASED = "deceased"
    DUPLICATE = "duplicate"
    REPLACED = "replaced"  # the person has another CURP now
    WITHOUT_EFFECT_ON_CURP = "without_effect_on_curp"
    APOCRYPHAL = "apocryphal"  # obtained with a forged document
    UNUSED = "unused"  # the person can have it reactivated
    ADMINISTRATIVE = "administrative"
    ADOPTION = "adoption"
    JUDICIAL = "judicial"
    UNDOCUMENTED = "undocumented"  # annulled, in a status that neither list has


@dataclass(frozen=True, slots=True)
class CurpStatus:
    """`annulment` None: the CURP is in force. `amended`: the record's data were changed once, so
    that documents issued before may lawfully say something else."""

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
# Every status whose code begins with B is an annulment ("baja").
_UNDOCUMENTED_ANNULMENT = re.compile(r"B[A-Z]{1,2}|BAJA .*")


def status_of(source: str) -> CurpStatus | None:
    """The status that a source names by code, text or both, in any case and with any signs.

    None when it is none of them, or when code and text disagree.
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
