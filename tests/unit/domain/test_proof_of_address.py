"""The rules for a proof of address: issuer, name, address and date, against what is known."""

from datetime import date

import pytest

from acredita.domain.documents import PageKind, PageReading, Quality, Sighting, Signal
from acredita.domain.proof_of_address.issuers import ISSUERS
from acredita.domain.proof_of_address.judging import Known, Limits, judge_proofs
from acredita.domain.reasons import DocumentReason, ProofReason
from acredita.domain.steps import PROOF_OF_ADDRESS, kind_of
from acredita.domain.steps.proof_of_address import compares_address, max_age_months

TODAY = date(2026, 6, 1)
LINES = {
    "address1": "AV. INSURGENTES SUR 1234 INT 5",
    "address2": "COL. DEL VALLE C.P. 03100",
    "address3": "CIUDAD DE MÉXICO",
}
BILL = {"issuer": "CFE", "fullName": "PEÑA LÓPEZ ANA MARÍA", "issueDate": "2026-05-10", **LINES}
HOME = "AV INSURGENTES SUR 1234 INT 5, COL DEL VALLE 03100, BENITO JUAREZ, CDMX"
CARD = Known("ANA MARÍA PEÑA LÓPEZ", True, HOME, True)
PASSPORT = Known("ANA MARÍA PEÑA LÓPEZ", True)


def page(confidence=0.99, model="CFE", signals=(), agreed=True, **changed):
    """The page of the bill with other values; a value of None is not on it."""
    values = {name: text for name, text in (BILL | changed).items() if text is not None}
    sightings = [
        Sighting(name, (text, text if agreed else f"{text}X"), confidence)
        for name, text in values.items()
    ]
    quality = Quality(1000, 1300, 200.0, 0.0, 0.5, 0.99)
    return PageReading(
        PageKind.PROOF_OF_ADDRESS, quality, tuple(sightings), model=model, signals=signals
    )


def judge(*pages, known=CARD, months=3, compares=True):
    return judge_proofs(pages, TODAY, known, Limits(months, compares))


def test_a_fresh_bill_of_the_person_and_the_cards_address_passes():
    verdict = judge(page())
    assert (verdict.code, verdict.reasons, verdict.place) == (None, (), 0)
    assert verdict.result | {"differing": []} == {
        "issuer": "CFE",
        "service": "electricity",
        "name": "PEÑA LÓPEZ ANA MARÍA",
        "address": ", ".join(LINES.values()),
        "postalCode": "03100",
        "state": "DF",
        "date": "2026-05-10",
        "isTooOld": False,
        "nameMatch": "same",
        "addressMatch": "same",
        "differing": [],
    }
    parts = {field.field: field.value for field in verdict.fields}
    assert parts["street"] == "AVENIDA INSURGENTES SUR"
    assert (parts["outerNumber"], parts["innerNumber"]) == ("1234", "5")
    assert (parts["neighbourhood"], parts["state"]) == ("DEL VALLE", "Ciudad de México")


def test_what_the_card_repeats_need_not_be_certain_but_the_date_must():
    blurred = page(confidence=0.5, agreed=False)
    assert judge(blurred).code is ProofReason.PROOF_UNCERTAIN
    fields = {field.field: field for field in judge(blurred).fields}
    assert fields["fullName"].accepted
    assert fields["address"].accepted
    assert not fields["issueDate"].accepted
    repeated = page(confidence=0.5, periodEnd="2026-05-10")
    assert judge(repeated).code is None
    assert judge(repeated, known=PASSPORT).code is ProofReason.PROOF_UNCERTAIN


def test_an_address_passes_by_itself_where_the_document_shows_none():
    verdict = judge(page(), known=PASSPORT)
    assert (verdict.code, verdict.result["addressMatch"]) == (None, None)


@pytest.mark.parametrize(
    ("issued", "months", "is_too_old"),
    [
        ("2026-03-01", 3, False),
        ("2026-02-28", 3, True),
        ("2026-02-28", 4, False),
        ("2026-06-30", 3, False),
        ("2025-06-01", 12, False),
    ],
)
def test_a_proof_is_too_old_after_the_months_of_the_step(issued, months, is_too_old):
    verdict = judge(page(issueDate=issued), months=months)
    assert verdict.code == (ProofReason.PROOF_TOO_OLD if is_too_old else None)
    assert verdict.result["isTooOld"] is is_too_old


def test_the_end_of_the_period_counts_where_no_date_of_issue_is_certain():
    assert judge(page(issueDate=None, periodEnd="2026-04-30")).result["date"] == "2026-04-30"
    far_ahead = judge(page(issueDate="2027-05-10"))
    assert far_ahead.code is ProofReason.PROOF_UNREADABLE
    assert "issueDate: INVALID" in far_ahead.reasons


@pytest.mark.parametrize(
    ("changed", "known", "code"),
    [
        ({"fullName": "JUAN RUIZ VEGA"}, CARD, ProofReason.PROOF_NAME_DIFFERS),
        ({"fullName": "PEÑA LOPES ANA MARIA"}, CARD, ProofReason.PROOF_NOT_COMPARED),
        ({"fullName": "ANA PEÑA"}, CARD, ProofReason.PROOF_NOT_COMPARED),
        ({}, Known(), ProofReason.PROOF_NOT_COMPARED),
        ({}, Known("JUAN RUIZ VEGA", False), ProofReason.PROOF_NOT_COMPARED),
        ({"address1": "CALLE PINO 12"}, CARD, ProofReason.PROOF_ADDRESS_DIFFERS),
        ({"address1": "AV. INSURGENTES SUR 1234 INT 8"}, CARD, ProofReason.PROOF_NOT_COMPARED),
        ({"address3": "MONTERREY, N.L."}, CARD, ProofReason.PROOF_ADDRESS_INCONSISTENT),
        ({"model": "NOBODY"}, CARD, ProofReason.PROOF_ISSUER_UNKNOWN),
        ({"model": None}, CARD, ProofReason.PROOF_ISSUER_UNKNOWN),
        ({"fullName": None}, CARD, ProofReason.PROOF_UNREADABLE),
        ({"issueDate": None}, CARD, ProofReason.PROOF_UNREADABLE),
        (dict.fromkeys(LINES), CARD, ProofReason.PROOF_UNREADABLE),
        (
            {"signals": (Signal("tampering.recompression", True, 1.0, 0.5),)},
            CARD,
            DocumentReason.TAMPERING_SUSPECTED,
        ),
    ],
)
def test_each_problem_has_its_code(changed, known, code):
    assert judge(page(**changed), known=known).code is code


def test_another_address_passes_if_the_step_does_not_compare_it():
    assert judge(page(address1="CALLE PINO 12"), compares=False).code is None


def test_of_several_pages_the_best_counts_but_another_persons_is_reported():
    unknown = PageReading(PageKind.UNKNOWN, Quality(10, 10, 0.0, 0.0, 0.0, 0.0))
    assert judge(unknown, page(issueDate="2020-01-01"), page()).place == 2
    mixed = judge(page(fullName="JUAN RUIZ VEGA"), page())
    assert (mixed.place, mixed.code) == (1, ProofReason.PROOF_NAME_DIFFERS)
    assert mixed.page_codes == {0: ProofReason.PROOF_NAME_DIFFERS}
    nothing = judge(unknown)
    assert (nothing.code, nothing.place) == (ProofReason.PROOF_NOT_RECOGNIZED, None)
    dark = PageReading(PageKind.UNKNOWN, unknown.quality, code=DocumentReason.DOCUMENT_UNREADABLE)
    assert judge(dark).code is ProofReason.PROOF_UNREADABLE


def test_reasons_name_fields_and_disclose_nothing():
    verdict = judge(page(fullName="JUAN RUIZ VEGA", issueDate=None))
    assert not any("RUIZ" in reason or "1234" in reason for reason in verdict.reasons)


def test_issuers_have_codes_of_their_own():
    assert len({issuer.code for issuer in ISSUERS}) == len(ISSUERS)


def test_the_options_are_whole_months_and_a_comparison():
    kind = kind_of(PROOF_OF_ADDRESS)
    assert kind.faults({"maxAgeMonths": 6, "compareAddress": False}) == []
    for wrong in (0, 25, 2.5, True, "3"):
        assert kind.faults({"maxAgeMonths": wrong}) == [
            "maxAgeMonths must be a whole number from 1 to 24"
        ]
    assert (max_age_months({}), max_age_months({"maxAgeMonths": 6})) == (3, 6)
    assert compares_address({})
    assert not compares_address({"compareAddress": False})
