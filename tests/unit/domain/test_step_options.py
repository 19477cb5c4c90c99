import pytest

from acredita.domain.government.queries import Registry
from acredita.domain.steps import DOCUMENT_OCR as OCR
from acredita.domain.steps import GOVERNMENT_VERIFY as GOVERNMENT
from acredita.domain.steps import LIVENESS, kind_of
from acredita.domain.steps.documents import (
    asked_documents,
    back_grace_seconds,
    required_fields,
    requires_back,
)
from acredita.domain.steps.registries import registries


@pytest.mark.parametrize(
    ("step_type", "config"),
    [
        (OCR, {}),
        (OCR, {"requireBack": True, "backGraceSeconds": 0}),
        (OCR, {"backGraceSeconds": 12.5}),
        (OCR, {"documents": ["ine", "passport"]}),
        (OCR, {"requiredFields": ["address", "cic"]}),
        (OCR, {"somethingOfTheCallers": object()}),
        (GOVERNMENT, {"registries": ["renapo", "ine", "sat"]}),
        (LIVENESS, {"requireBack": "an option of another step"}),
    ],
)
def test_known_options_of_their_type_and_unknown_ones_pass(step_type, config):
    assert kind_of(step_type).faults(config) == []


@pytest.mark.parametrize(
    ("step_type", "config"),
    [
        (OCR, {"requireBack": "yes"}),
        (OCR, {"requireBack": 1}),
        (OCR, {"backGraceSeconds": "30"}),
        (OCR, {"documents": []}),
        (OCR, {"documents": ["ine", "ine"]}),
        (OCR, {"documents": ["libraryCard"]}),
        (OCR, {"requiredFields": "address"}),
        (OCR, {"requiredFields": ["shoeSize"]}),
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
    (fault,) = kind_of(step_type).faults(config)
    assert fault.startswith(next(iter(config)))


def test_options_are_read_with_their_defaults():
    assert back_grace_seconds({}) == 30
    assert requires_back({}) is False
    assert registries({}) is None
    assert asked_documents({}) is None
    assert asked_documents({"documents": ["ine"]}) == ["ine"]
    assert required_fields({}) == []
    assert required_fields({"requiredFields": ["address"]}) == ["address"]
    assert registries({"registries": ["sat"]}) == [Registry.SAT]
