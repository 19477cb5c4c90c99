"""The numbers of a voter card that its registry (the nominal list) requires, by model.

Models A to C (IFE): clave de elector, emission and OCR. D: CIC and OCR. E to H: CIC and citizen id,
which is the end of the OCR. Source: INE's own query page and DOF 18-01-2019,
INE/CG1499/2018.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from acredita.domain.identifiers import clave_elector
from acredita.domain.identifiers.formatting import compact
from acredita.domain.identifiers.mrz.layout import check_digit
from acredita.domain.identifiers.problems import Fault, FaultCode, Reading, Severity, mismatch


class IneModel(StrEnum):
    A = "A"
    B = "B"
    C = "C"
    D = "D"
    E = "E"
    F = "F"
    G = "G"
    H = "H"


# Issued by IFE: no longer valid as identification.
OUTDATED = frozenset((IneModel.A, IneModel.B, IneModel.C))


@dataclass(frozen=True, slots=True)
class VoterKeyInputs:
    """Models A to C."""

    clave: str
    emission: str
    ocr: str


@dataclass(frozen=True, slots=True)
class CardInputs:
    """Model D."""

    cic: str
    ocr: str


@dataclass(frozen=True, slots=True)
class CitizenInputs:
    """Models E to H."""

    cic: str
    citizen_id: str


RegistryInputs = VoterKeyInputs | CardInputs | CitizenInputs


def cic_agrees(cic: str, digit: str) -> bool:
    """Whether the digit after the CIC in the machine-readable zone is its ICAO 9303 check digit."""
    return re.fullmatch("[0-9]{9}", cic) is not None and check_digit(cic) == digit


def registry_inputs(
    model: IneModel,
    *,
    clave: str = "",
    emission: str = "",
    ocr: str = "",
    cic: str = "",
    citizen_id: str = "",
) -> Reading[RegistryInputs]:
    """Select the numbers that the model needs. Name all missing and wrong ones.

    The citizen id may be absent if the OCR, which ends with it, is given.
    """
    clave, ocr, citizen_id = compact(clave), compact(ocr), compact(citizen_id)
    emission, cic = compact(emission), compact(cic)
    inputs: RegistryInputs
    if model in OUTDATED:
        inputs = VoterKeyInputs(clave, emission, ocr)
        faults = [
            *_clave_faults(clave),
            *_digit_faults("emission", emission, "[0-9]{2}"),
            *_digit_faults("ocr", ocr, "[0-9]{9,13}"),  # The oldest cards have shorter ones.
        ]
        message = "Cards of this model are no longer valid."
        faults.append(Fault(FaultCode.OUTDATED_MODEL, "model", message, Severity.WARNING))
    elif model is IneModel.D:
        inputs = CardInputs(cic, ocr)
        faults = [
            *_digit_faults("cic", cic, "[0-9]{9}"),
            *_digit_faults("ocr", ocr, "[0-9]{13}"),
        ]
    else:
        inputs = CitizenInputs(cic, citizen_id or ocr[4:])
        faults = [
            *_digit_faults("cic", cic, "[0-9]{9}"),
            *_digit_faults("citizen_id", inputs.citizen_id, "[0-9]{9}"),
        ]
        if ocr and not ocr.endswith(inputs.citizen_id):
            faults.append(mismatch("citizen_id", "The OCR ends in another citizen id."))
    reading: Reading[RegistryInputs] = Reading(inputs, tuple(faults))
    return reading if reading.valid else Reading(None, reading.faults)


def _clave_faults(clave: str) -> tuple[Fault, ...]:
    if not clave:
        return (Fault(FaultCode.MISSING, "clave", "The model needs this number."),)
    return clave_elector.parse(clave).faults


def _digit_faults(field: str, text: str, shape: str) -> list[Fault]:
    if not text:
        return [Fault(FaultCode.MISSING, field, "The model needs this number.")]
    if not re.fullmatch(shape, text):
        return [Fault(FaultCode.FORMAT, field, "Not the digits that the model has.")]
    return []
