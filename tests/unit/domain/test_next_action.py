"""What the person in the browser is asked for, and which uploads count."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from acredita.domain import steps
from acredita.domain.next_action import Action, next_action
from acredita.domain.verification import DocumentRole, StepStatus, StepType, VerificationStatus
from acredita.domain.workflow import (
    Step,
    lacking_roles,
    missing_roles,
    roles_to_retake,
    settled_roles,
)

FRONT, BACK, SELFIE, PASSPORT, LIVENESS = (
    DocumentRole(name) for name in ("front", "back", "selfie", "passport", "liveness")
)
OPEN = VerificationStatus.IN_PROGRESS
BEGAN = datetime(2026, 1, 31, tzinfo=UTC)


def step(step_type, status=StepStatus.PENDING, lacking=(), **config):
    return Step(uuid4(), StepType(step_type), status, config, frozenset(lacking))


def following(steps, present=(), *, status=OPEN, has_consented=True):
    return next_action(status, steps, frozenset(present), has_consented=has_consented)


def at(seconds):
    return BEGAN + timedelta(seconds=seconds)


def test_consent_comes_first_and_the_end_last():
    steps = [step("DOCUMENT_OCR")]
    assert following(steps, has_consented=False).action is Action.CONSENT
    for status in set(VerificationStatus) - {OPEN, VerificationStatus.PENDING}:
        assert following(steps, status=status, has_consented=False).action is Action.DONE


def test_a_selfie_is_asked_for_while_the_document_is_being_read():
    reading, match = step("DOCUMENT_OCR", StepStatus.RUNNING), step("FACE_MATCH")
    asked = following([reading, match], {FRONT})
    assert (asked.action, asked.step_id, asked.roles) == (Action.UPLOAD, match.id, (SELFIE,))
    assert asked.optional_roles == (BACK,)
    assert following([reading, match], {FRONT, BACK, SELFIE}).action is Action.WAIT


def test_a_back_that_may_still_come_is_asked_for_when_nothing_else_is_needed():
    waiting = step("DOCUMENT_OCR", StepStatus.WAITING_INPUT)
    asked = following([waiting], {FRONT})
    assert (asked.action, asked.roles, asked.optional_roles) == (Action.UPLOAD, (), (BACK,))
    assert following([waiting], {PASSPORT}).action is Action.WAIT


def test_a_challenge_spares_the_selfie_unless_that_is_asked_for_again():
    match, liveness = step("FACE_MATCH"), step("LIVENESS")
    asked = following([match, liveness], {FRONT})
    assert (asked.action, asked.step_id) == (Action.LIVENESS, liveness.id)
    again = step("FACE_MATCH", StepStatus.WAITING_INPUT, {SELFIE})
    asked = following([again, liveness], {FRONT, SELFIE})
    assert (asked.action, asked.roles) == (Action.UPLOAD, (SELFIE,))
    passive = step("LIVENESS", mode="passive")
    assert following([passive]).roles == (LIVENESS,)


@pytest.mark.parametrize(
    ("present", "lacking", "missing"),
    [
        ({FRONT}, {FRONT}, (FRONT,)),
        ({FRONT, BACK}, {BACK}, (BACK,)),
        ({FRONT, BACK}, {FRONT, BACK}, (FRONT, BACK)),
        ({FRONT, PASSPORT}, {FRONT}, ()),
        ({PASSPORT}, {PASSPORT}, (PASSPORT,)),
        ({PASSPORT, FRONT}, {PASSPORT}, ()),
        ({PASSPORT, FRONT}, {PASSPORT, FRONT}, (FRONT,)),
    ],
)
def test_what_is_asked_for_again_is_missing_until_it_is_sent(present, lacking, missing):
    found = missing_roles(steps.DOCUMENT_OCR, {}, frozenset(present), frozenset(lacking))
    assert found == missing


def test_what_arrived_before_it_was_asked_for_again_does_not_count():
    asked = {"front": at(5).isoformat(), "back": at(5).isoformat()}
    assert lacking_roles(asked, {FRONT: at(6), BACK: at(5)}) == {BACK}
    assert lacking_roles(asked, {}) == {FRONT, BACK}
    assert lacking_roles(None, {FRONT: at(1)}) == frozenset()


def test_what_one_step_has_judged_is_settled_for_the_later_ones():
    arrived = [(FRONT, at(1)), (FRONT, at(9)), (SELFIE, at(2))]
    read = (steps.DOCUMENT_OCR, at(5))
    assert settled_roles([read], arrived) == dict.fromkeys((FRONT, BACK, PASSPORT), at(5))
    compared = (steps.FACE_MATCH, at(7))
    settled = settled_roles([read, compared], arrived)
    assert (settled[FRONT], settled[SELFIE]) == (at(5), at(7))
    # A step that saw no selfie settles none.
    alive = (steps.LIVENESS, at(1.5))
    assert settled_roles([alive], arrived) == {}


def test_only_what_could_not_be_used_is_asked_for_again():
    present = {FRONT, BACK, SELFIE}
    assert roles_to_retake(steps.DOCUMENT_OCR, "IMAGE_GLARE", present) == {FRONT, BACK}
    assert roles_to_retake(steps.FACE_MATCH, "FACE_BLURRED", present) == {SELFIE}
    assert roles_to_retake(steps.FACE_MATCH, "PORTRAIT_BLURRED", present) == {FRONT}
    assert roles_to_retake(steps.GOVERNMENT_VERIFY, "X", present) == frozenset()


def test_pictures_of_a_conditional_step_are_not_asked_for_before_its_turn():
    documents, liveness = step("DOCUMENT_OCR", StepStatus.RUNNING), step("LIVENESS", when="true")
    present = {FRONT, BACK}
    assert following([documents, liveness], present).action is Action.WAIT
    always = step("LIVENESS")
    assert following([documents, always], present).action is Action.LIVENESS
    waiting = step("LIVENESS", StepStatus.WAITING_INPUT, when="true")
    passed = step("DOCUMENT_OCR", StepStatus.PASSED)
    assert following([passed, waiting], present).action is Action.LIVENESS
    assert following([liveness]).action is Action.LIVENESS


@pytest.mark.parametrize(
    ("kind", "config", "action"),
    [
        ("OTP", {}, Action.CODE),
        ("FORM", {}, Action.FORM),
        ("LOCATION", {"device": "ask"}, Action.LOCATION),
        ("LOCATION", {}, Action.WAIT),
        ("ESIGNATURE", {}, Action.EXTERNAL),
    ],
)
def test_a_step_that_waits_for_an_act_says_which(kind, config, action):
    assert following([step(kind, StepStatus.WAITING_INPUT, **config)]).action is action


def test_an_act_is_asked_for_when_its_step_waits_and_no_picture_is_missing():
    code = step("OTP", StepStatus.WAITING_INPUT)
    assert following([code]).step_id == code.id
    assert following([step("OTP", StepStatus.RUNNING)]).action is Action.WAIT
    # Pictures of later steps come first: nothing keeps the person from taking them.
    assert following([code, step("FACE_MATCH")]).action is Action.UPLOAD
