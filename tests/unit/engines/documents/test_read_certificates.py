"""Certificates from bytes to a verdict: PDF with a text layer, and pictures."""

import pytest

from acredita.domain.documents import DocumentOutcome, PageKind, judge
from acredita.domain.reasons import DocumentReason
from acredita.engines.documents import read_pages, warm_up
from acredita_synthetic.capture import Difficulty
from acredita_synthetic.certificates import (
    CertificateKind,
    make_certificate,
    with_unseen_text,
)
from acredita_synthetic.people import REFERENCE_DATE
from benchmarks.recognition import certificates as bench

CURP, PERSON, COMPANY = CertificateKind


@pytest.fixture(scope="module", autouse=True)
def models():
    warm_up(2)


def read_pdf(pdf):
    return read_pages(pdf, "application/pdf")


@pytest.mark.parametrize(
    "kind",
    [
        kind if kind is COMPANY else pytest.param(kind, marks=pytest.mark.thorough)
        for kind in CertificateKind
    ],
)
def test_a_pdf_and_a_photograph_of_a_certificate_keep_the_bars(kind):
    # A picture of each person's, and a company's as PDF alone: its page is the same form.
    forms = (bench.PDF,) if kind is COMPANY else (bench.PDF, Difficulty.PHOTO)
    tally = bench.read_and_judge(draw() for draw in bench.orders(1, 611, forms, [kind]))
    assert tally.wrong_accepted == []
    assert tally.wrong == []
    for name in ("passed", "codes"):
        right, total = tally.share(name, forms)
        assert right == total == len(forms)


def test_what_only_the_text_layer_says_is_not_believed():
    pages = read_pdf(with_unseen_text(CURP, 613, 614))
    verdict = judge(pages, REFERENCE_DATE)
    assert verdict.outcome is DocumentOutcome.REVIEW
    hidden = make_certificate(CURP, 614).values
    for finding in verdict.fields:
        if finding.value == hidden.get(finding.field) and finding.field in ("curp", "givenNames"):
            assert not finding.accepted


def test_a_name_that_was_printed_anew_contradicts_the_code_that_was_not():
    forged = make_certificate(CURP, 615, printed={"paternalSurname": "ROJAS"})
    verdict = judge(read_pdf(forged.pdf), REFERENCE_DATE)
    assert (verdict.outcome, verdict.code) == (
        DocumentOutcome.REVIEW,
        DocumentReason.FIELDS_CONTRADICT,
    )
    assert verdict.result["barcode"] == "CONTRADICTS"


def test_a_code_that_was_printed_anew_contradicts_the_rfc():
    other = make_certificate(PERSON, 617).values
    forged = make_certificate(PERSON, 616, coded={"rfc": other["rfc"]})
    verdict = judge(read_pdf(forged.pdf), REFERENCE_DATE)
    assert (verdict.outcome, verdict.code) == (
        DocumentOutcome.REVIEW,
        DocumentReason.FIELDS_CONTRADICT,
    )
    assert "rfc: CONTRADICTS_CODE" in verdict.reasons
    assert verdict.kinds == (PageKind.RFC_CERTIFICATE, PageKind.RFC_CERTIFICATE_ANNEX)
