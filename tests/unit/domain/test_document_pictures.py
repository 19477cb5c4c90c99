"""Which code a picture ends with: deterministic, and never against what reads well."""

from datetime import date

import pytest

from acredita.domain.documents import DocumentOutcome, PageKind, PageReading, Quality, Signal, judge
from acredita.domain.documents.picture_problems import causes, misplaced, objections
from acredita.domain.reasons import DocumentReason
from acredita.domain.verification import DocumentRole

TODAY = date(2026, 11, 21)
FRONT, BACK, PASSPORT = DocumentRole.FRONT, DocumentRole.BACK, DocumentRole.PASSPORT


def page(kind=PageKind.UNKNOWN, *raised, code=None, text_score=0.9):
    quality = Quality(1000, 630, 100.0, 0.0, 200.0, text_score)
    signals = tuple(Signal(name, raised=True, measure=1.0, limit=0.5) for name in raised)
    return PageReading(kind, quality, code=code, signals=signals)


UNKNOWN = DocumentReason.DOCUMENT_NOT_RECOGNIZED


def test_a_page_that_says_nothing_ends_in_review_with_what_spoilt_it():
    verdict = judge([page(PageKind.UNKNOWN, "glare", "blurred", code=UNKNOWN)], TODAY)
    assert (verdict.outcome, verdict.code) == (DocumentOutcome.REVIEW, DocumentReason.IMAGE_GLARE)
    assert verdict.reasons == (DocumentReason.IMAGE_GLARE, DocumentReason.IMAGE_BLURRED, UNKNOWN)


def test_the_same_signals_end_the_same_way_in_any_order():
    names = ("blurred", "glare", "overexposed", "too_dark", "too_small", "cut_off", "colourless")
    ends = {
        judge([page(PageKind.UNKNOWN, *order, code=UNKNOWN)], TODAY).reasons
        for order in (names, names[::-1], names[3:] + names[:3])
    }
    assert len(ends) == 1
    assert next(iter(ends))[0] == DocumentReason.BLACK_AND_WHITE_COPY


def test_a_picture_refused_unread_ends_in_review_with_its_own_code():
    verdict = judge([page(code=DocumentReason.IMAGE_TOO_DARK, text_score=0)], TODAY)
    assert (verdict.outcome, verdict.code) == (
        DocumentOutcome.REVIEW,
        DocumentReason.IMAGE_TOO_DARK,
    )


def test_a_picture_without_print_was_no_document_however_it_was_taken():
    verdict = judge([page(PageKind.UNKNOWN, "cut_off", code=UNKNOWN, text_score=0)], TODAY)
    assert verdict.code is UNKNOWN


def test_an_unread_front_says_why_it_could_not_be_read():
    verdict = judge([page(PageKind.INE_FRONT, "blurred")], TODAY)
    assert verdict.outcome is DocumentOutcome.REVIEW
    assert verdict.code is DocumentReason.IMAGE_BLURRED
    assert DocumentReason.DOCUMENT_UNREADABLE in verdict.reasons


def test_what_spoils_a_picture_is_a_cause_and_no_objection():
    spoilt = page(PageKind.INE_FRONT, "glare", "blurred")
    assert objections([spoilt]) == set()
    assert causes([spoilt]) == {DocumentReason.IMAGE_GLARE, DocumentReason.IMAGE_BLURRED}


@pytest.mark.parametrize(
    ("signal", "code"),
    [
        ("several_documents", DocumentReason.SEVERAL_DOCUMENTS),
        ("screen_colours", DocumentReason.SCREEN_PHOTOGRAPHED),
        ("colourless", DocumentReason.BLACK_AND_WHITE_COPY),
        ("tampering.noise", DocumentReason.TAMPERING_SUSPECTED),
    ],
)
def test_a_picture_of_something_else_passes_nothing(signal, code):
    assert objections([page(PageKind.INE_FRONT, signal)]) == {code}


@pytest.mark.parametrize(
    ("kind", "signal", "code"),
    [
        (PageKind.INE_FRONT, "screen_grid", DocumentReason.SCREEN_PHOTOGRAPHED),
        (PageKind.PASSPORT, "screen_grid", DocumentReason.SCREEN_PHOTOGRAPHED),
        (PageKind.INE_BACK, "colourless", DocumentReason.BLACK_AND_WHITE_COPY),
    ],
)
def test_a_sign_that_genuine_print_may_show_only_explains_what_was_not_read(kind, signal, code):
    assert objections([page(kind, signal)]) == set()
    assert causes([page(kind, signal)]) == {code}


@pytest.mark.parametrize("signal", ["tampering.typeface", "tampering.proportions"])
def test_a_sign_whose_limit_no_real_document_has_shown_is_only_a_hint(signal):
    hinted = page(PageKind.INE_FRONT, signal)
    assert objections([hinted]) == set()
    assert causes([hinted]) == set()


def test_a_side_sent_in_the_place_of_the_other_is_the_wrong_side():
    front, back = page(PageKind.INE_FRONT), page(PageKind.INE_BACK)
    assert misplaced([(FRONT, back)]) == {DocumentReason.WRONG_SIDE}
    assert misplaced([(FRONT, front), (BACK, front)]) == {DocumentReason.WRONG_SIDE}
    assert misplaced([(FRONT, back), (BACK, back)]) == {DocumentReason.WRONG_SIDE}


def test_the_back_beside_another_document_is_one_of_several_and_no_wrong_side():
    assert misplaced([(FRONT, page(PageKind.INE_BACK, "several_documents"))]) == set()


def test_sides_that_were_swapped_are_all_there():
    assert misplaced([(FRONT, page(PageKind.INE_BACK)), (BACK, page(PageKind.INE_FRONT))]) == set()


def test_a_card_in_the_place_of_a_passport_is_the_wrong_document():
    assert misplaced([(PASSPORT, page(PageKind.INE_FRONT))]) == {DocumentReason.WRONG_DOCUMENT}
    assert misplaced([(PASSPORT, page(PageKind.UNKNOWN))]) == set()


def test_a_document_that_the_workflow_does_not_take_is_the_wrong_one():
    assert misplaced([(FRONT, page(PageKind.PASSPORT))], ["ine"]) == {DocumentReason.WRONG_DOCUMENT}
    assert (
        misplaced([(FRONT, page(PageKind.INE_FRONT)), (BACK, page(PageKind.INE_BACK))], ["ine"])
        == set()
    )
    verdict = judge([page(PageKind.INE_FRONT)], TODAY, against={DocumentReason.WRONG_DOCUMENT})
    assert (verdict.outcome, verdict.code) == (
        DocumentOutcome.REVIEW,
        DocumentReason.WRONG_DOCUMENT,
    )
