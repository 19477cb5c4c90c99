import pytest

from acredita.domain.identifiers.ine import (
    CardInputs,
    CitizenInputs,
    IneModel,
    VoterKeyInputs,
    cic_agrees,
    registry_inputs,
)
from acredita.domain.identifiers.problems import FaultCode, Severity

CLAVE, OCR, CIC = "GMVLMR80070501M100", "0747116375842", "123456789"


def test_models_of_ife_are_asked_by_the_voter_key_and_are_outdated():
    for model in (IneModel.A, IneModel.B, IneModel.C):
        reading = registry_inputs(model, clave=CLAVE, emission="02", ocr=OCR, cic=CIC)
        assert reading.value == VoterKeyInputs(CLAVE, "02", OCR)
        assert reading.valid
        (fault,) = reading.faults
        assert (fault.code, fault.severity) == (FaultCode.OUTDATED_MODEL, Severity.WARNING)


def test_model_d_is_asked_by_cic_and_ocr():
    reading = registry_inputs(IneModel.D, cic="123 456 789", ocr=OCR)
    assert reading.value == CardInputs(CIC, OCR)


@pytest.mark.parametrize("model", [IneModel.E, IneModel.F, IneModel.G, IneModel.H])
def test_later_models_are_asked_by_cic_and_citizen_id(model):
    expected = CitizenInputs(CIC, "116375842")
    assert registry_inputs(model, cic=CIC, ocr=OCR).value == expected
    assert registry_inputs(model, cic=CIC, citizen_id="116375842").value == expected


@pytest.mark.parametrize(
    ("model", "given", "faults"),
    [
        (
            IneModel.C,
            {},
            {("clave", "MISSING"), ("emission", "MISSING"), ("ocr", "MISSING")},
        ),
        (
            IneModel.C,
            {"clave": CLAVE[:-1] + "X", "emission": "2", "ocr": "12"},
            {("control", "FORMAT"), ("emission", "FORMAT"), ("ocr", "FORMAT")},
        ),
        (IneModel.D, {"cic": "12345678O"}, {("cic", "FORMAT"), ("ocr", "MISSING")}),
        (IneModel.D, {"cic": CIC, "ocr": "116375842"}, {("ocr", "FORMAT")}),
        (IneModel.G, {"ocr": "0747"}, {("cic", "MISSING"), ("citizen_id", "MISSING")}),
        (
            IneModel.G,
            {"cic": CIC, "ocr": OCR, "citizen_id": "116375843"},
            {("citizen_id", "MISMATCH")},
        ),
    ],
)
def test_every_missing_or_wrong_number_is_named(model, given, faults):
    reading = registry_inputs(model, **given)
    assert reading.value is None
    assert {(fault.field, str(fault.code)) for fault in reading.errors} == faults


def test_the_digit_after_the_cic_proves_it():
    assert cic_agrees(CIC, "7")
    assert not cic_agrees(CIC, "8")
    assert not cic_agrees("12345678O", "7")
