"""The registry of reason codes: complete, and the only way to make a code."""

import ast
import importlib
import json
import pickle
import pkgutil
import re
from pathlib import Path

import pytest
from pydantic import TypeAdapter

import acredita
import acredita.domain
from acredita.api.schemas import ReasonCodeField
from acredita.domain import reasons
from acredita.domain.reasons import (
    REASONS,
    DocumentReason,
    FaceReason,
    LivenessReason,
    PolicyReason,
    ReasonCode,
    RegistryReason,
    ReviewerReason,
    Severity,
    Text,
    Translation,
    find,
)
from acredita.domain.reasons.entry import Entry
from acredita.domain.verification import DECIDED, StepStatus, VerificationStatus
from acredita.resources.metamap import translation as metamap_translation
from acredita.resources.verifications.outcome import StepOutcome
from acredita.resources.verifications.steps import (
    documents,
    one_time_passwords,
    registries,
    watchlists,
)
from tests.contract.test_openapi import SCHEMAS, check
from tools.reason_examples import examples
from tools.reasons import (
    CONSOLE_WORDS,
    EXAMPLES,
    PAGE,
    TITLES,
    render,
    render_console_words,
    render_examples,
)

SOURCE = Path(acredita.__file__).parent
CODES = list(REASONS.values())
LONGEST_ON_A_PHONE = 100
# What the document says, and who is in the pictures, no better picture changes; and a forger
# learns nothing about what gave the forgery away.
UNADVISED = {
    DocumentReason.DOCUMENTS_OF_DIFFERENT_PEOPLE,
    DocumentReason.UNDERAGE,
    DocumentReason.FIELDS_CONTRADICT,
    DocumentReason.TAMPERING_SUSPECTED,
    FaceReason.FACE_MISMATCH,
    FaceReason.FACE_UNCERTAIN,
    FaceReason.PORTRAITS_DIFFER,
    FaceReason.SELFIE_COPIES_PORTRAIT,
    LivenessReason.LIVENESS_FACE_CHANGED,
    LivenessReason.LIVENESS_SELFIE_MISMATCH,
    LivenessReason.LIVENESS_FRAMES_REPEATED,
    LivenessReason.LIVENESS_SPOOF_SUSPECTED,
    LivenessReason.LIVENESS_LIGHT_DIFFERS,
    LivenessReason.LIVENESS_PORTRAIT_MISMATCH,
    LivenessReason.LIVENESS_PORTRAIT_NOT_FOUND,
    LivenessReason.LIVENESS_SPEECH_NOT_JUDGED,
    LivenessReason.LIVENESS_MOUTH_STILL,
}


class Imagined(ReasonCode):
    EYES_CROSSED = Entry(
        "EYES_CROSSED",
        Severity.RETAKE,
        en="The eyes are crossed in the selfie.",
        es="La selfie muestra los ojos bizcos.",
        reviewer=Text("Mira la selfie.", "Look at the selfie."),
        advice_en="Look at the camera with both eyes.",
        advice_es="Mira a la cámara con los dos ojos.",
        metamap=Translation(step="selfie"),
    )


def test_each_decision_has_reasons_and_no_code_against_a_person_approves():
    approving = {code for code in CODES if VerificationStatus.APPROVED in code.outcomes}
    assert approving < set(ReviewerReason)
    assert all(code.severity is Severity.DECISION for code in approving)
    assert all(code.outcomes <= DECIDED for code in CODES)
    assert {PolicyReason.POLICY_NOT_EVALUATED, PolicyReason.POLICY_APPROVAL_WITHHELD} <= {
        code for code in CODES if not code.outcomes
    }


@pytest.mark.parametrize("code", [*DocumentReason, *FaceReason, *LivenessReason])
def test_every_code_has_advice_in_both_languages_or_is_named_as_having_none(code: ReasonCode):
    assert (code.advice is None) == (code in UNADVISED)
    if code.advice is not None:
        assert code.advice.es != code.advice.en
        for text in code.advice:
            assert 20 <= len(text) <= LONGEST_ON_A_PHONE
            assert text.endswith(".")


def test_what_a_registry_says_asks_the_person_for_nothing():
    assert not any(code.advice for code in RegistryReason)


def test_a_retake_is_offered_only_where_there_is_advice_for_it():
    for code in CODES:
        assert code.advice or not code.severity.asks_again, code


def test_no_code_that_sends_a_step_to_review_has_advice_without_a_retake():
    for code in CODES:
        assert not code.advice or code.severity is not Severity.REVIEW, code


def test_a_doubt_about_the_person_is_for_a_reviewer_and_not_for_another_try():
    doubts = {
        DocumentReason.TAMPERING_SUSPECTED,
        DocumentReason.FIELDS_CONTRADICT,
        FaceReason.FACE_UNCERTAIN,
    }
    assert {code.severity for code in doubts} == {Severity.REVIEW}


def test_nothing_is_known_of_an_unknown_code_or_of_none():
    assert find(None) is None
    assert find("SURPRISE") is None


@pytest.mark.parametrize("code", CODES)
def test_every_code_says_what_happened_and_what_a_reviewer_can_do_in_both_languages(code):
    for text in (code.message, code.reviewer):
        assert text.es != text.en
        for each in text:
            assert 20 <= len(each) <= 110
            assert each.endswith(".")


def test_a_code_is_called_what_it_says_and_stands_in_one_family_alone():
    for family in reasons.FAMILIES:
        assert [code.name for code in family] == [code.value for code in family]
    assert len(REASONS) == sum(len(family) for family in reasons.FAMILIES)


def test_a_code_crosses_into_another_process_as_itself():
    for code in CODES:
        assert pickle.loads(pickle.dumps(code)) is code  # noqa: S301


def test_every_class_of_codes_is_in_the_registry():
    for module in pkgutil.walk_packages(acredita.domain.__path__, "acredita.domain."):
        importlib.import_module(module.name)
    families = [c for c in ReasonCode.__subclasses__() if c.__module__.startswith("acredita.")]
    missing = {family.__name__ for family in families} - {f.__name__ for f in reasons.FAMILIES}
    assert not missing, f"add {missing} to FAMILIES in acredita/domain/reasons"


def test_the_page_about_reasons_is_of_this_registry():
    for page, text in ((PAGE, render()), (EXAMPLES, render_examples())):
        assert page.read_text() == text, f"{page.name} is out of date: run `make reasons`"


def test_each_code_has_an_example_of_the_form_that_the_api_describes():
    for family in reasons.FAMILIES:
        title, _ = TITLES[family.__name__]
        for code in family:
            shown = list(examples(code, title))
            assert shown, code
            for example in shown:
                assert example.schema in SCHEMAS
                check({"$ref": f"#/components/schemas/{example.schema}"}, example.value)
                assert code.value in json.dumps(example.value)
            advised = {example.schema for example in shown if "advice" in example.value}
            assert advised == ({"StepView"} if code.advice else set()), code


def test_an_example_names_what_the_code_does_to_its_step():
    of_step = {
        code: {example.schema: example.value for example in examples(code, "FACE_MATCH")}
        for code in FaceReason
    }
    failed = of_step[FaceReason.FACE_MISMATCH]["VerificationStepShape"]
    assert failed["status"] == "FAILED"
    assert failed["result"] == {
        "code": "FACE_MISMATCH",
        "message": FaceReason.FACE_MISMATCH.message.en,
    }
    asked = of_step[FaceReason.FACE_BLURRED]["StepView"]
    assert (asked["status"], asked["requires"], asked["retakesLeft"]) == (
        "WAITING_INPUT",
        ["selfie"],
        2,
    )


def test_the_words_of_the_console_are_of_this_registry():
    assert CONSOLE_WORDS.read_text() == render_console_words(), "run `make reasons`"


def test_metamap_shows_each_code_at_a_step_that_it_knows():
    for code in CODES:
        assert code.metamap.step in {None, *metamap_translation.PREFIXES}
        known = {
            *registries.STEP_IDS,
            watchlists.PREMIUM,
            documents.AGE_CHECK,
            *one_time_passwords.TRANSLATED.values(),
        }
        assert code.metamap.by_registry.keys() <= known


def test_one_entry_makes_a_code_known_everywhere(monkeypatch):
    monkeypatch.setattr(reasons, "FAMILIES", (*reasons.FAMILIES, Imagined))
    monkeypatch.setitem(REASONS, Imagined.EYES_CROSSED, Imagined.EYES_CROSSED)
    monkeypatch.setitem(TITLES, "Imagined", ("IMAGINED", "facematch"))
    monkeypatch.setattr("tools.reasons.FAMILIES", reasons.FAMILIES)
    outcome = StepOutcome(StepStatus.REVIEW, code=Imagined.EYES_CROSSED)
    assert outcome.result_with_code() == {
        "code": "EYES_CROSSED",
        "message": "The eyes are crossed in the selfie.",
    }
    assert "EYES_CROSSED" in TypeAdapter(ReasonCodeField).json_schema()["enum"]
    assert "#eyes_crossed) | retake, else review |" in render()
    assert (
        metamap_translation.step_error("EYES_CROSSED", None, "selfie")["code"]
        == "selfiePhoto.eyesCrossed"
    )
    assert find("EYES_CROSSED").advice.en == "Look at the camera with both eyes."


def test_no_module_makes_a_code_without_an_entry():
    made = [
        f"{path.relative_to(SOURCE)}:{line} makes {code!r}"
        for path in SOURCE.rglob("*.py")
        if not path.is_relative_to(SOURCE / "domain" / "reasons")
        if re.search(r"\bcode\s*=", source := path.read_text())
        for line, code in _codes_made_by_hand(ast.parse(source))
    ]
    assert not made, f"{made}: give the code an entry in acredita/domain/reasons and use that"


def test_a_code_made_by_hand_is_noticed():
    source = 'StepOutcome(status, code=None if passed else "MADE_UP")\nstep.code = "MADE_TOO"'
    assert sorted(_codes_made_by_hand(ast.parse(source))) == [(1, "MADE_UP"), (2, "MADE_TOO")]


def _codes_made_by_hand(tree: ast.AST):
    """Line and text of each string that is passed as `code=` or assigned to an attribute `code`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            for keyword in node.keywords:
                if keyword.arg == "code":
                    yield from _texts(keyword.value)
        elif isinstance(node, ast.Assign) and any(
            isinstance(target, ast.Attribute) and target.attr == "code" for target in node.targets
        ):
            yield from _texts(node.value)


def _texts(value: ast.expr):
    for node in ast.walk(value):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value
