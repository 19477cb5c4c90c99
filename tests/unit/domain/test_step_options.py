import pytest

from acredita.domain import step_options
from acredita.domain.government.questions import Registry
from acredita.domain.verification import StepType

OCR, GOVERNMENT = StepType.DOCUMENT_OCR, StepType.GOVERNMENT_VERIFY


@pytest.mark.parametrize(
    ("step_type", "config"),
    [
        (OCR, {}),
        (OCR, {"requireBack": True, "backGraceSeconds": 0}),
        (OCR, {"backGraceSeconds": 12.5}),
        (OCR, {"documents": ["ine", "passport"]}),
        (OCR, {"somethingOfTheCallers": object()}),
        (GOVERNMENT, {"registries": ["renapo", "ine", "sat"]}),
        (StepType.LIVENESS, {"requireBack": "an option of another step"}),
    ],
)
def test_known_options_of_their_type_and_unknown_ones_pass(step_type, config):
    assert list(step_options.faults(step_type, config)) == []


@pytest.mark.parametrize(
    ("step_type", "config"),
    [
        (OCR, {"requireBack": "yes"}),
        (OCR, {"requireBack": 1}),
        (OCR, {"backGraceSeconds": "30"}),
        (OCR, {"documents": []}),
        (OCR, {"documents": ["ine", "ine"]}),
        (OCR, {"documents": ["libraryCard"]}),
        (OCR, {"backGraceSeconds": True}),
        (OCR, {"backGraceSeconds": -1}),
        (OCR, {"backGraceSeconds": 3601}),
        (OCR, {"backGraceSeconds": float("nan")}),
        (GOVERNMENT, {"registries": "renapo"}),
        (GOVERNMENT, {"registries": []}),
        (GOVERNMENT, {"registries": ["renapo", "renapo"]}),
        (GOVERNMENT, {"registries": ["interpol"]}),
        (GOVERNMENT, {"registries": [["renapo"]]}),
    ],
)
def test_a_known_option_of_another_type_is_named(step_type, config):
    (fault,) = step_options.faults(step_type, config)
    assert fault.startswith(next(iter(config)))


def test_options_are_read_with_their_defaults():
    assert step_options.back_grace_seconds({}) == 30
    assert step_options.requires_back({}) is False
    assert step_options.registries({}) is None
    assert step_options.asked_documents({}) is None
    assert step_options.asked_documents({"documents": ["ine"]}) == ["ine"]
    assert step_options.registries({"registries": ["sat"]}) == [Registry.SAT]
