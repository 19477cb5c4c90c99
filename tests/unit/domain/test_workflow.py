"""Which step may run: checked over all short workflows, and by example."""

from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acredita.domain.decision import FinishedStep, decide
from acredita.domain.steps import DOCUMENT_OCR, FACE_MATCH, GOVERNMENT_VERIFY, LIVENESS, types
from acredita.domain.verification import (
    AUTOMATED_TRANSITIONS,
    DECIDED,
    OPEN,
    DocumentRole,
    StepStatus,
    VerificationStatus,
    may_move,
)
from acredita.domain.workflow import Plan, Step, missing_roles, next_steps

steps = st.lists(
    st.builds(
        Step,
        id=st.uuids(version=4),
        type=st.sampled_from(types()),
        status=st.sampled_from(StepStatus),
        config=st.just({}),
    ),
    min_size=1,
    max_size=6,
)
roles = st.frozensets(st.sampled_from(DocumentRole))


def step(step_type=DOCUMENT_OCR, status=StepStatus.PENDING, **config):
    return Step(uuid4(), step_type, status, config)


@given(steps, roles)
def test_a_plan_is_of_unfinished_steps_and_does_one_thing(workflow, present):
    plan = next_steps(workflow, present)
    unfinished = {it.id for it in workflow if not it.status.is_final}
    named = {plan.start, plan.wait, *plan.skip} - {None}
    assert named <= unfinished
    assert sum([plan.start is not None, plan.wait is not None, plan.finished]) <= 1
    if plan.finished:
        assert set(plan.skip) == unfinished


@given(steps, roles)
def test_no_step_starts_before_those_in_front_of_it_have_ended(workflow, present):
    plan = next_steps(workflow, present)
    if plan.start is not None:
        place = [it.id for it in workflow].index(plan.start)
        assert all(it.status.is_final for it in workflow[:place])
        assert not missing_roles(workflow[place].type, workflow[place].config, present)


@given(steps, roles, roles)
def test_what_waits_starts_once_everything_is_there(workflow, present, more):
    plan = next_steps(workflow, present)
    if plan.wait is not None:
        assert next_steps(workflow, frozenset(DocumentRole)) == Plan(start=plan.wait)
    if plan.start is not None:
        assert next_steps(workflow, present | more) == plan


def test_a_failure_skips_the_rest_and_finishes():
    workflow = [step(status=StepStatus.FAILED), step(), step(LIVENESS)]
    plan = next_steps(workflow, frozenset())
    assert plan == Plan(skip=(workflow[1].id, workflow[2].id), finished=True)


def test_a_review_lets_the_later_steps_run():
    workflow = [step(status=StepStatus.REVIEW), step(GOVERNMENT_VERIFY)]
    assert next_steps(workflow, frozenset()) == Plan(start=workflow[1].id)


def test_a_running_step_is_left_alone():
    assert next_steps([step(status=StepStatus.RUNNING)], frozenset(DocumentRole)) == Plan()


def test_what_each_step_needs():
    front, back, passport = DocumentRole.FRONT, DocumentRole.BACK, DocumentRole.PASSPORT
    ocr = DOCUMENT_OCR
    assert missing_roles(ocr, {}, frozenset()) == (front,)
    assert missing_roles(ocr, {}, frozenset({front})) == ()
    assert missing_roles(ocr, {}, frozenset({passport})) == ()
    assert missing_roles(ocr, {"requireBack": True}, frozenset({front})) == (back,)
    assert missing_roles(ocr, {"requireBack": True}, frozenset({passport})) == ()
    match = FACE_MATCH
    assert missing_roles(match, {}, frozenset({passport})) == (DocumentRole.SELFIE,)
    assert missing_roles(match, {}, frozenset({DocumentRole.SELFIE})) == (front,)
    assert missing_roles(LIVENESS, {}, frozenset()) == (DocumentRole.LIVENESS,)
    assert missing_roles(GOVERNMENT_VERIFY, {}, frozenset()) == ()


finished = st.lists(
    st.builds(
        FinishedStep,
        type=st.sampled_from(types()),
        status=st.sampled_from(sorted(s for s in StepStatus if s.is_final)),
        code=st.sampled_from([None, "SOME_CODE"]),
    ),
    min_size=1,
    max_size=6,
)


@given(finished)
def test_a_decision_follows_the_gravest_step_and_gives_its_reasons(ended):
    decision = decide(ended)
    statuses = {it.status for it in ended}
    if StepStatus.FAILED in statuses:
        assert decision.status is VerificationStatus.REJECTED
    elif StepStatus.REVIEW in statuses:
        assert decision.status is VerificationStatus.MANUAL_REVIEW
    elif StepStatus.PASSED in statuses:
        assert decision.status is VerificationStatus.APPROVED
    else:
        assert decision.status is VerificationStatus.MANUAL_REVIEW, "nothing was checked"
    blamed = [it for it in ended if it.status in {StepStatus.FAILED, StepStatus.REVIEW}]
    assert len(decision.reasons) == len(blamed)


def test_an_unfinished_step_allows_no_decision():

    with pytest.raises(ValueError, match="finished"):
        decide([FinishedStep(LIVENESS, StepStatus.RUNNING)])


def test_the_automation_never_leaves_a_decided_or_expired_verification():
    for status in VerificationStatus:
        for to in VerificationStatus:
            if may_move(status, to):
                assert status in OPEN
    assert set(AUTOMATED_TRANSITIONS) == OPEN
    assert all(may_move(VerificationStatus.IN_PROGRESS, status) for status in DECIDED)
    assert not may_move(VerificationStatus.PENDING, VerificationStatus.APPROVED)
