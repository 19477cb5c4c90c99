"""Rules that judge the readings of documents.

`judge` takes the readings of one person's pages and decides each field and the step. The fields, by
their names on the wire:

| field | document | value |
|---|---|---|
| givenNames, paternalSurname, maternalSurname | both | as printed, with accents and Ñ |
| surnames | passport | both surnames, as printed |
| curp | both | 18 characters |
| clave | INE | clave de elector, 18 characters |
| dateOfBirth | both | YYYY-MM-DD |
| sex | both | H, M (MUJER) or X |
| address | INE | its lines joined by ", " |
| section | INE | 4 digits |
| registrationYear | INE | YYYY |
| emission | INE | number of the emission, 2 digits |
| emissionYear, expiryYear | INE | YYYY; the two years of the vigencia |
| expiryDate | both | YYYY-MM-DD; an INE is valid through 31 December of its expiryYear |
| cic, ocr, citizenId | INE back | 9, 13 and 9 digits |
| documentNumber | passport | a letter and 8 digits |
| issueDate | passport | YYYY-MM-DD |
| issuingState | passport | three letters |
| placeOfBirth | passport | as printed |
| mrz | INE back, passport | its lines joined by line feeds |

docs/integrators/documents.md has the fields of driver's licences and of the certificates of CURP
and RFC.
"""

from acredita.domain.documents.calibration import Calibration
from acredita.domain.documents.findings import Decision, Finding, Reason, Source, Zone
from acredita.domain.documents.gazetteer import Gazetteer
from acredita.domain.documents.judging import (
    RULES_VERSION,
    DocumentJudgement,
    DocumentOutcome,
    judge,
)
from acredita.domain.documents.pages import (
    Barcode,
    Box,
    PageKind,
    PageReading,
    Portrait,
    Quality,
    Sighting,
    Signal,
)
