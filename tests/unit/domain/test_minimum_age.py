"""The minimum age of a workflow, and its step in MetaMap's API."""

from dataclasses import replace
from datetime import date

import pytest

from acredita.domain.ages import age_on
from acredita.domain.documents import DocumentJudgement, Finding, PageKind
from acredita.domain.documents.findings import Decision, Source, Zone
from acredita.domain.documents.judging import DocumentOutcome
from acredita.domain.documents.minimum_age import with_minimum_age
from acredita.domain.reasons import DocumentReason
from acredita.domain.steps import DOCUMENT_OCR, kind_of
from acredita.domain.steps.documents import required_fields
from acredita.resources.metamap import translation
from acredita.resources.verifications.step_table import entry_of
from acredita.resources.verifications.step_translation import TranslationInput

TODAY = date(2026, 3, 1)
BORN = {"dateOfBirth": {"value": "2008-02-29", "label": "Day of Birth"}}


def judged(born: str, decision: Decision = Decision.ACCEPTED) -> DocumentJudgement:
    finding = Finding("dateOfBirth", born, 0.99, decision, Source.OCR, Zone.FRONT)
    return DocumentJudgement(
        DocumentOutcome.PASSED, None, (), (finding,), {"curp": None}, PageKind.INE_FRONT
    )


@pytest.mark.parametrize(
    ("born", "day", "age"),
    [
        ("2008-02-29", "2026-02-28", 17),
        ("2008-02-29", "2026-03-01", 18),
        ("2008-03-01", "2026-03-01", 18),
        ("2008-03-02", "2026-03-01", 17),
    ],
)
def test_an_age_is_counted_in_whole_years(born, day, age):
    assert age_on(date.fromisoformat(born), date.fromisoformat(day)) == age


def test_a_younger_person_fails_and_one_of_that_age_passes():
    young = with_minimum_age(judged("2008-03-02"), 18, TODAY)
    assert (young.outcome, young.code) == (DocumentOutcome.FAILED, DocumentReason.UNDERAGE)
    assert young.reasons == ("UNDERAGE",)
    assert young.result == {"curp": None, "age": 17, "minimumAge": 18}
    adult = with_minimum_age(judged("2008-03-01"), 18, TODAY)
    assert (adult.outcome, adult.code, adult.result["age"]) == (DocumentOutcome.PASSED, None, 18)


def test_an_uncertain_date_of_birth_never_fails_the_step():
    doubtful = judged("2020-01-01", Decision.REVIEW)
    verdict = replace(doubtful, outcome=DocumentOutcome.REVIEW)
    found = with_minimum_age(verdict, 18, TODAY)
    assert (found.outcome, found.result["age"]) == (DocumentOutcome.REVIEW, None)
    # The date is then required, so that it is reviewed or asked for again.
    assert required_fields({"minimumAge": 18, "requiredFields": ["curp"]}) == [
        "curp",
        "dateOfBirth",
    ]
    assert required_fields({}) == []


def test_the_option_is_a_number_of_years():
    faults = kind_of(DOCUMENT_OCR).faults
    assert faults({"minimumAge": 18}) == []
    assert faults({"minimumAge": 121}) == ["minimumAge must be a number from 0 to 120"]


def age_check(result, config):
    given = TranslationInput(result, config, None, BORN, None, None, None, None)
    parts = entry_of(DOCUMENT_OCR).translation.parts(given)
    return next((part for part in parts if part.id == "age-check"), None)


@pytest.mark.parametrize(
    ("result", "code"),
    [
        ({}, None),
        ({"age": 18, "reasons": []}, None),
        ({"age": 17, "reasons": ["UNDERAGE"]}, "underage.error"),
        ({"age": None, "reasons": ["FIELDS_UNCERTAIN"]}, "underage.noDOB"),
    ],
    ids=["waits", "adult", "young", "unread"],
)
def test_metamap_has_a_step_for_it_with_its_own_codes(result, code):
    part = age_check(result, {"minimumAge": 18})
    codes = [
        translation.step_error(each, None, part.id, part.registry)["code"] for each in part.codes
    ]
    assert codes == ([] if code is None else [code])
    assert part.data == ({**BORN, "age": result["age"], "ageThreshold": 18} if result else None)
    assert age_check(result, {}) is None
