"""Thresholds learnt from labels: what they promise, and that they do not promise more."""

import json
import random
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acredita.domain.documents import (
    Calibration,
    Decision,
    Finding,
    PageKind,
    PageReading,
    Quality,
    Reason,
    Sighting,
    Source,
    Zone,
    calibration,
    judge,
)
from acredita.domain.documents.calibration import BadCalibration, Sample, effect, fit
from acredita.domain.documents.findings import Confirmation

NONE, SAME = Confirmation.NONE, Confirmation.SAME
TARGET = 0.99
RULES = "rules-1"


def readings(seed, count, *, curve, field="section", confirmation=NONE):
    """Readings of which one at confidence c is right with the probability that `curve` gives."""
    chance = random.Random(seed)
    made = []
    for _ in range(count):
        confidence = round(chance.random() ** 0.3, 4)
        right = chance.random() < curve(confidence)
        made.append(Sample(field, confirmation, confidence, int(right)))
    return made


def thresholds_of(fitted):
    return {(each.field, each.confirmation): each.least_confidence for each in fitted}


def test_an_engine_that_is_better_than_the_rules_think_is_reviewed_less():
    def modest(confidence):
        return 1.0 if confidence > 0.7 else 0.8

    fitted = thresholds_of(fit(readings(1, 3000, curve=modest), TARGET))
    held_out = readings(2, 3000, curve=modest)
    before, after = effect(held_out, {}), effect(held_out, fitted)
    assert before.wrongly_accepted == after.wrongly_accepted == 0
    assert after.needlessly_reviewed < before.needlessly_reviewed / 3


def test_an_engine_that_is_too_sure_of_itself_errs_less_afterwards():
    def boastful(confidence):
        return 0.999 if confidence > 0.985 else 0.85

    fitted = thresholds_of(fit(readings(1, 6000, curve=boastful), TARGET))
    held_out = readings(2, 6000, curve=boastful)
    before, after = effect(held_out, {}), effect(held_out, fitted)
    assert before.wrongly_accepted / before.accepted > 0.05
    assert after.wrongly_accepted / after.accepted < 2 * (1 - TARGET)
    assert after.wrongly_accepted < before.wrongly_accepted / 5


def test_many_sure_readings_do_not_let_a_doubtful_tail_through():
    sure = [Sample("curp", SAME, 0.9, 10_000, 10_000)]
    tail = [Sample("curp", SAME, 0.4, 45, 50)]
    (threshold,) = fit(sure + tail, TARGET)
    assert threshold.least_confidence == 0.9


def test_few_labels_prove_nothing_and_enough_of_them_just_do():
    needed = calibration.labels_needed(TARGET)
    assert needed == 98
    assert fit([Sample("curp", NONE, 0.5, needed - 1, needed - 1)], TARGET) == []
    (threshold,) = fit([Sample("curp", NONE, 0.5, needed, needed)], TARGET)
    assert threshold.least_confidence == 0.5


def test_a_field_that_is_never_right_often_enough_is_always_reviewed():
    (threshold,) = fit([Sample("curp", NONE, 0.99, 950, 1000)], TARGET)
    assert threshold.least_confidence is None
    learnt = Calibration("1", RULES, "", {("curp", NONE): None})
    assert learnt.applied(finding(0.999)).decision is Decision.REVIEW


groups = st.lists(
    st.tuples(
        st.sampled_from([0.1, 0.3, 0.5, 0.7, 0.9, 0.99]), st.integers(0, 400), st.integers(0, 400)
    ),
    min_size=1,
    max_size=12,
)


@given(groups, st.floats(0.6, 0.999))
def test_what_a_threshold_accepts_was_right_as_often_as_promised(given_groups, target):
    samples = [
        Sample("curp", NONE, confidence, min(right, count), count)
        for confidence, right, count in given_groups
        if count
    ]
    for threshold in fit(samples, target):
        if threshold.least_confidence is not None:
            accepted = [s for s in samples if s.confidence >= threshold.least_confidence]
            right, count = sum(s.correct for s in accepted), sum(s.count for s in accepted)
            assert (right + 1) / (count + 2) >= target - 1e-9
            assert threshold.precision == round(right / count, 4)


def finding(confidence, *reasons, decision=None):
    decision = decision or (Decision.REVIEW if reasons else Decision.ACCEPTED)
    return Finding("curp", "X", confidence, decision, Source.OCR, Zone.FRONT, (), reasons)


def test_thresholds_move_what_confidence_decides_and_nothing_else():
    learnt = Calibration("1", RULES, "", {("curp", NONE): 0.8})
    low = Reason.LOW_CONFIDENCE
    assert learnt.applied(finding(0.9, low)).decision is Decision.ACCEPTED
    assert learnt.applied(finding(0.9, low)).reasons == ()
    assert learnt.applied(finding(0.7)).decision is Decision.REVIEW
    assert learnt.applied(finding(0.7)).reasons == (low,)
    contradicted = learnt.applied(finding(0.9, Reason.CONTRADICTS_MRZ, low))
    assert contradicted.decision is Decision.REVIEW
    assert contradicted.reasons == (Reason.CONTRADICTS_MRZ,)
    rejected = finding(0.9, Reason.INVALID, decision=Decision.REJECTED)
    assert learnt.applied(rejected) == rejected
    other = finding(0.7)
    assert Calibration("1", RULES, "", {("curp", SAME): 0.8}).applied(other) is other


def test_a_calibration_changes_how_a_document_is_judged():
    sightings = (Sighting("section", ("1234", "1234"), 0.9),)
    page = PageReading(PageKind.INE_FRONT, Quality(1, 1, 1.0, 0.0, 0.5, 1.0), sightings)

    def section(learnt):
        verdict = judge([page], date(2026, 1, 1), learnt)
        return next(f for f in verdict.fields if f.field == "section")

    unlearnt = section(None)
    assert (unlearnt.decision, unlearnt.reasons) == (Decision.REVIEW, (Reason.LOW_CONFIDENCE,))
    key = ("section", unlearnt.confirmation)
    assert section(Calibration("1", RULES, "", {key: 0.85})).accepted
    assert not section(Calibration("1", RULES, "", {key: 0.95})).accepted


def test_a_file_is_read_as_it_was_written_and_names_its_bytes():
    fitted = fit([Sample("curp", SAME, 0.9, 500, 500)], TARGET)
    content = calibration.written(fitted, version="v1", rules=RULES)
    read = calibration.loaded(content, rules=RULES)
    assert read.thresholds == {("curp", SAME): 0.9}
    assert read.named["version"] == "v1"
    other = calibration.loaded(content + b"\n", rules=RULES)
    assert other.named["sha256"] != read.named["sha256"]


def changed(**keys):
    content = json.loads(calibration.written([], version="v1", rules=RULES))
    return json.dumps(content | keys).encode()


THRESHOLD = {"field": "curp", "confirmation": "NONE", "leastConfidence": 0.5}


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"\xff",
        changed(format=2),
        changed(rules="rules-2"),
        changed(thresholds=[THRESHOLD | {"confirmation": "MOON"}]),
        changed(thresholds=[THRESHOLD | {"leastConfidence": 1.1}]),
        changed(thresholds=[THRESHOLD | {"leastConfidence": True}]),
    ],
)
def test_what_is_no_calibration_for_these_rules_is_refused(content):
    with pytest.raises(BadCalibration):
        calibration.loaded(content, rules=RULES)
