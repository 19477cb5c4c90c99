"""Bills and statements from bytes to a verdict: PDF, photographs, and papers that are none."""

from datetime import date

import pytest

from acredita.domain.documents import PageKind
from acredita.domain.proof_of_address.judging import Known, Limits, judge_proofs
from acredita.domain.reasons import ProofReason
from acredita.domain.verification import DocumentRole
from acredita.engines.documents import read_pages, warm_up
from acredita.engines.documents.classify import classify, kinds_with
from acredita.engines.documents.pdf import decode_pdf
from acredita_synthetic.bills import BillKind, make_bill
from acredita_synthetic.capture import Difficulty
from acredita_synthetic.certificates import CertificateKind, make_certificate
from acredita_synthetic.people import REFERENCE_DATE, make_person

PDF, JPEG = "application/pdf", "image/jpeg"
ROLE = DocumentRole.PROOF_OF_ADDRESS
SEED = 1002


@pytest.fixture(scope="module", autouse=True)
def models():
    warm_up(2)


def known(seed):
    person = make_person(seed)
    return Known(person.name.full, True, ", ".join(person.voter_card.address), True)


def verdict(content, mime_type, seed=SEED, on: date = REFERENCE_DATE):
    return judge_proofs(read_pages(content, mime_type, (), ROLE), on, known(seed), Limits(3))


def check(judged, bill):
    assert judged.code is None, judged.reasons
    fields = {field.field: field.value for field in judged.fields}
    assert fields["fullName"] == bill.values["fullName"]
    assert fields["address"] == bill.values["address"]
    dates = (bill.values["issueDate"], bill.values["periodEnd"])
    assert judged.result["date"] in dates


@pytest.mark.parametrize("kind", list(BillKind))
def test_a_pdf_of_each_kind_is_read(kind):
    bill = make_bill(kind, make_person(SEED), SEED)
    check(verdict(bill.pdf, PDF), bill)


def test_a_photograph_with_perspective_and_blur_is_read():
    bill = make_bill(BillKind.TELEPHONE, make_person(SEED), SEED)
    check(verdict(bill.picture(Difficulty.PHOTO, SEED), JPEG), bill)


@pytest.mark.thorough
@pytest.mark.parametrize("difficulty", [Difficulty.PHOTO, Difficulty.HARD])
@pytest.mark.parametrize("kind", list(BillKind))
def test_photographs_of_each_kind_are_read(kind, difficulty):
    bill = make_bill(kind, make_person(SEED), SEED)
    check(verdict(bill.picture(difficulty, SEED), JPEG), bill)


def test_another_document_is_no_proof_and_a_bill_in_another_role_no_document():
    certificate = make_certificate(CertificateKind.CURP, SEED)
    assert verdict(certificate.pdf, PDF).code is ProofReason.PROOF_NOT_RECOGNIZED
    bill = make_bill(BillKind.ELECTRICITY, make_person(SEED), SEED)
    (page,) = decode_pdf(bill.pdf)
    assert classify(page.lines, kinds_with((), ROLE)).kind is PageKind.PROOF_OF_ADDRESS
    assert classify(page.lines, kinds_with((), DocumentRole.FRONT)) is None
