"""Published examples of each identifier, outside the project: see ACREDITA_TEST_DATA."""

import json
import os
from datetime import date
from pathlib import Path

import pytest

from acredita.domain.identifiers import clave_elector, curp, ine, mrz, rfc
from acredita.domain.identifiers.company_letters import company_letters
from acredita.domain.identifiers.formatting import yymmdd
from acredita.domain.identifiers.ine import IneModel
from acredita.domain.identifiers.problems import FaultCode
from acredita.domain.names import PersonName

DATA = Path(os.environ.get("ACREDITA_TEST_DATA", "../shared/data")) / "mexico_vectors.json"
VECTORS = json.loads(DATA.read_text()) if DATA.is_file() else []

REASONS = {
    "length": {FaultCode.LENGTH},
    "format": {FaultCode.FORMAT, FaultCode.SEX, FaultCode.STATE, FaultCode.LENGTH},
    "date": {FaultCode.DATE},
    "check_digit": {FaultCode.CHECK_DIGIT},
    "inconvenient_word": {FaultCode.INCONVENIENT_WORD},
}


def of_type(kind):
    vectors = [vector for vector in VECTORS if vector["type"] == kind]
    if not vectors:
        absent = pytest.mark.skip(reason=f"no vectors of type {kind} in {DATA}")
        return pytest.mark.parametrize("vector", [pytest.param({}, marks=absent)])
    return pytest.mark.parametrize("vector", vectors, ids=lambda vector: vector["value"])


def assert_reason(vector, faults):
    assert {fault.code for fault in faults} & REASONS[vector["reason"]]


@of_type("curp")
def test_curp(vector):
    reading = curp.parse(vector["value"])
    unborn = reading.value is not None and reading.value.birth_date > date.today()  # noqa: DTZ011
    assert reading.valid == (vector["valid"] and not unborn)
    if not vector["valid"]:
        assert_reason(vector, reading.faults)
    if parsed := vector.get("parsed"):
        assert reading.value.birth_date == date.fromisoformat(parsed["birthDate"])
        assert reading.value.sex == parsed["sex"]
        assert reading.value.state.code == parsed["state"]
        assert reading.value.differentiator == parsed["differentiator"]
        assert reading.value.check_digit == parsed["checkDigit"]


@of_type("rfc")
def test_rfc(vector):
    reading = rfc.parse(vector["value"])
    assert (reading.valid and not reading.warnings) == vector["valid"]
    if not vector["valid"]:
        assert_reason(vector, reading.faults)
        assert reading.valid == (vector["reason"] == "check_digit")  # a warning, no rejection
    if parsed := vector.get("parsed"):
        kinds = {"fisica": "PERSON", "moral": "COMPANY", "generic": "GENERIC"}
        assert reading.value.kind == kinds[parsed["kind"]]
        if "date" in parsed:
            assert {yymmdd(day) for day in reading.value.dates} == {parsed["date"]}
            assert reading.value.homoclave == parsed["homoclave"]
            assert reading.value.check_digit == parsed["checkDigit"]
    given = vector.get("input", {})
    if "legalName" in given:
        composed = rfc.compose_company(given["legalName"], reading.value.dates[0])
        assert str(composed) == vector["value"]
    if "homoclaveName" in given:
        assert rfc.homoclave(given["homoclaveName"]) == given["homoclave"]


@of_type("rfc_homoclave")
def test_rfc_homoclave(vector):
    assert rfc.homoclave(vector["value"]) == vector["parsed"]["homoclave"]


@of_type("rfc_prefix_person")
def test_rfc_letters_of_a_person(vector):
    given, paterno, materno, born = vector["value"].split("|")
    composed = rfc.compose_person(PersonName(given, paterno, materno), date.fromisoformat(born))
    assert composed.text[:10] == vector["parsed"]["prefix"]


@of_type("rfc_prefix_company")
def test_rfc_letters_of_a_company(vector):
    assert company_letters(vector["value"]) == vector["parsed"]["prefix"]


@of_type("clave_elector")
def test_clave_elector(vector):
    reading = clave_elector.parse(vector["value"])
    assert reading.valid == vector["valid"]
    if not vector["valid"]:
        assert_reason(vector, reading.faults)
        return
    value, parsed = reading.value, vector["parsed"]
    assert value.letters == parsed["nameConsonants"]
    assert {yymmdd(day) for day in value.birth_dates} == {parsed["birth"]}
    assert value.state.number == int(parsed["birthEntity"])
    assert value.sex == parsed["sex"]
    assert (value.control, value.homonymy) == (parsed["control"], parsed["homonym"])


@of_type("ine_composite")
def test_registry_inputs(vector):
    """The vectors' own notation joins the inputs of a model with colons."""
    *parts, letter = vector["value"].split(":")
    try:
        model = IneModel(letter)
    except ValueError:
        assert not vector["valid"]
        return
    keys = ("clave", "emission", "ocr") if len(parts) == 3 else ("cic", "ocr")
    reading = ine.registry_inputs(model, **dict(zip(keys, parts, strict=True)))
    assert reading.valid == vector["valid"]


@of_type("mrz")
def test_mrz(vector):
    lines = vector["value"].split("\n")
    reading = mrz.parse(lines)
    value, parsed = reading.value, vector["parsed"]
    assert reading.valid == vector["valid"]
    assert mrz.read(lines).value == value
    names = {"doc": "document_number", "dob": "birth", "exp": "expiry"}
    wrong = {names.get(field, field) for field, holds in parsed["checks"].items() if not holds}
    assert {fault.field for fault in reading.faults} == wrong
    assert value.format == parsed["format"]
    assert (value.document_code, value.issuer) == (parsed["documentCode"], parsed["issuer"])
    assert value.document_number == parsed["documentNumber"]
    assert value.nationality == parsed["nationality"]
    assert (value.birth, value.expiry) == (parsed["birth"], parsed["expiry"])
    assert (value.surnames, value.given) == (parsed["surname"], parsed["given"])
    assert value.optional == parsed.get("optional1", parsed.get("optional"))
    assert value.optional2 == parsed.get("optional2", "")
    letters = "HMX" if "ine" in parsed else "MFX"
    assert "HMX"[letters.index(parsed["sex"])] == value.sex
    if facts := parsed.get("ine"):
        assert (value.ine.cic, value.ine.ocr) == (facts["cic"], facts["ocr"])
        assert (value.ine.section, value.ine.citizen_id) == (facts["section"], facts["citizenId"])
        assert value.ine.emission == facts["emission"]
        assert ine.cic_agrees(facts["cic"], facts["cicCheck"]) == parsed["checks"]["doc"]
