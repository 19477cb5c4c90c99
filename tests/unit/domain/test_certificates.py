"""CURP and RFC certificates: what their codes say, and what is believed of their print."""

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acredita.domain.documents import (
    Decision,
    DocumentOutcome,
    PageKind,
    PageReading,
    Quality,
    Reason,
    Sighting,
    Source,
    judge,
)
from acredita.domain.documents.barcodes import (
    codes_disagree,
    curp_code,
    has_foreign_address,
    tax_code,
)
from acredita.domain.documents.certificate_age import OLD
from acredita.domain.documents.pages import Barcode
from acredita.domain.documents.picture_problems import misplaced
from acredita.domain.documents.spelled_dates import read_date, spelled
from acredita.domain.identifiers import curp, rfc, states
from acredita.domain.identifiers.formatting import Sex
from acredita.domain.identifiers.tax_regimes import TAX_REGIMES, regime_named
from acredita.domain.names import PersonName
from acredita.domain.reasons import DocumentReason
from acredita.domain.verification import DocumentRole

TODAY = date(2026, 6, 1)
BORN = date(1988, 3, 7)
NAME = PersonName(given="MARIA FERNANDA", paterno="CASTAÑEDA", materno="DE LA PEÑA")
CURP = str(curp.compose(NAME, BORN, Sex.FEMALE, states.BY_CODE["JC"]))
RFC = str(rfc.compose_person(NAME, BORN))
COMPANY = "TRANSPORTES PEÑASCO DEL NORTE"
COMPANY_RFC = str(rfc.compose_company(COMPANY, date(2011, 4, 5)))
QUALITY = Quality(1248, 1600, 900.0, 0.0, 220.0, 0.99)
PIPES = f"{CURP}||CASTAÑEDA|DE LA PEÑA|MARIA FERNANDA|MUJER|07/03/1988|JALISCO|14|"
SAT = "https://siat.sat.gob.mx/app/qr/faces/pages/mobile/validadorqr.jsf"
CARD = f"{SAT}?D1=10&D2=1&D3=14097953331_{RFC}"
CHAIN = f"{SAT}?D1=1&D2=1&D3=||2026/05/20|{RFC}|{NAME.full}|_c2VsbG8+Lw=="
ON_CURP = {
    "curp": CURP,
    "fullName": NAME.full,
    "birthRecordState": "JALISCO",
    "birthRecord": "114039198804321",
    "folio": "92231679",
    "enrolmentDate": "1999-05-06",
    "issueDate": "2026-05-20",
}
ON_RFC = {
    "rfc": RFC,
    "rfcAbove": RFC,
    "curp": CURP,
    "idCif": "14097953331",
    "givenNames": NAME.given,
    "paternalSurname": NAME.paterno,
    "maternalSurname": NAME.materno,
    "taxpayerStatus": "ACTIVO",
    "operationsStart": "2010-01-01",
    "issueDate": "2026-05-20",
    "postalCode": "44100",
    "streetKind": "CALLE",
    "street": "PINO",
    "outerNumber": "1",
    "innerNumber": "2",
    "neighbourhood": "CENTRO",
    "municipality": "GUADALAJARA",
    "state": "JALISCO",
}
ON_COMPANY = {
    "rfc": COMPANY_RFC,
    "idCif": "14097953331",
    "companyName": COMPANY,
    "capitalRegime": "SOCIEDAD CIVIL",
    "taxpayerStatus": "ACTIVO",
    "issueDate": "2026-05-20",
}


def coded(*texts):
    return tuple(Barcode("QR_CODE", text) for text in texts)


def page(kind, values, *texts, confidence=0.99, **changed):
    sightings = tuple(
        Sighting(name, (value, value), confidence)
        for name, value in (values | changed).items()
        if value
    )
    return PageReading(kind, QUALITY, sightings, codes=coded(*texts))


def curp_page(*texts, **changed):
    return page(PageKind.CURP_CERTIFICATE, ON_CURP, *texts, **changed)


def rfc_page(*texts, **changed):
    return page(PageKind.RFC_CERTIFICATE, ON_RFC, *texts, **changed)


def field(verdict, name):
    return next(finding for finding in verdict.fields if finding.field == name)


def test_a_curp_certificate_and_its_code_confirm_each_other():
    verdict = judge([curp_page(PIPES)], TODAY)
    assert (verdict.outcome, verdict.code) == (DocumentOutcome.PASSED, None)
    for name, value in {
        "curp": CURP,
        "givenNames": NAME.given,
        "paternalSurname": NAME.paterno,
        "maternalSurname": NAME.materno,
        "dateOfBirth": "1988-03-07",
        "sex": "M",
        "stateOfBirth": "Jalisco",
    }.items():
        finding = field(verdict, name)
        assert (finding.value, finding.source) == (value, Source.BARCODE)
        assert finding.accepted
        assert finding.confidence >= 0.99
    for name, value in {
        "birthRecordState": "Jalisco",
        "birthRecordMunicipality": "039",
        "birthRecordYear": "1988",
        "birthRecordNumber": "04321",
        "folio": "92231679",
        "issueDate": "2026-05-20",
    }.items():
        assert (field(verdict, name).value, field(verdict, name).source) == (value, Source.OCR)
        assert field(verdict, name).accepted
    assert verdict.result["name"] == NAME.full
    assert (verdict.result["barcode"], verdict.result["warning"]) == ("CONFIRMS", None)


def test_a_certificate_whose_code_was_not_read_passes_by_its_own_rules():
    verdict = judge([curp_page()], TODAY)
    assert verdict.outcome is DocumentOutcome.PASSED
    assert field(verdict, "paternalSurname").value == "CASTAÑEDA"
    assert field(verdict, "maternalSurname").value == "DE LA PEÑA"
    assert field(verdict, "curp").source is Source.OCR
    assert verdict.result["barcode"] == "NONE"
    lost = judge([curp_page(fullName="MARIA FERNANDA CASTANEDA DE LA PEÑA")], TODAY)
    assert Reason.POSSIBLE_ENYE in field(lost, "paternalSurname").reasons
    assert lost.outcome is DocumentOutcome.REVIEW


@pytest.mark.parametrize(
    ("said", "name"),
    [
        (PIPES.replace("CASTAÑEDA", "CASTRO"), "paternalSurname"),
        (PIPES.replace("07/03/1988", "08/03/1988"), "dateOfBirth"),
        (PIPES.replace("MUJER", "HOMBRE"), "sex"),
        (PIPES.replace("JALISCO", "COLIMA"), "stateOfBirth"),
        (PIPES.replace(CURP, CURP[:16] + "17"), "curp"),
        ("https://renapo.example/valida?curp=" + CURP, "curp"),
    ],
)
def test_a_code_that_says_otherwise_is_for_a_person_to_see(said, name):
    verdict = judge([curp_page(said)], TODAY)
    assert (verdict.outcome, verdict.code) == (
        DocumentOutcome.REVIEW,
        DocumentReason.FIELDS_CONTRADICT,
    )
    assert Reason.CONTRADICTS_CODE in field(verdict, name).reasons
    assert f"{name}: CONTRADICTS_CODE" in verdict.reasons
    assert verdict.result["barcode"] == "CONTRADICTS"


def test_a_tilde_that_the_code_has_and_the_print_lacks_is_not_passed_over():
    verdict = judge([curp_page(PIPES, fullName="MARIA FERNANDA CASTANEDA DE LA PEÑA")], TODAY)
    assert verdict.outcome is DocumentOutcome.REVIEW
    assert "CASTAÑEDA" in field(verdict, "paternalSurname").alternatives


def test_a_print_that_only_the_layer_shows_is_not_believed_for_its_code():
    unseen = curp_page(PIPES, confidence=0.0)
    assert judge([unseen], TODAY).outcome is DocumentOutcome.REVIEW


def test_a_birth_record_of_another_state_or_before_the_birth_contradicts():
    verdict = judge([curp_page(PIPES, birthRecord="106039198704321")], TODAY)
    assert Reason.CONTRADICTS_PRINT in field(verdict, "birthRecordState").reasons
    assert Reason.CONTRADICTS_PRINT in field(verdict, "birthRecordYear").reasons


def test_an_old_certificate_is_a_warning_and_no_more():
    verdict = judge([curp_page(PIPES, issueDate="2025-11-02")], TODAY)
    assert verdict.outcome is DocumentOutcome.PASSED
    assert verdict.result["warning"] == OLD
    assert not field(judge([curp_page(PIPES, issueDate="2027-01-01")], TODAY), "issueDate").accepted


def test_an_rfc_certificate_of_a_person_with_both_its_codes():
    annex = page(PageKind.RFC_CERTIFICATE_ANNEX, {"taxRegime1": "605", "taxRegime2": "612"}, CHAIN)
    verdict = judge([rfc_page(CARD), annex], TODAY)
    assert (verdict.outcome, verdict.reasons) == (DocumentOutcome.PASSED, ())
    for name, value in {
        "rfc": RFC,
        "idCif": "14097953331",
        "paternalSurname": NAME.paterno,
        "issueDate": "2026-05-20",
    }.items():
        assert (field(verdict, name).value, field(verdict, name).source) == (value, Source.BARCODE)
    assert field(verdict, "taxRegimes").value == "605, 612"
    assert field(verdict, "taxRegimes").accepted
    assert verdict.page_of(field(verdict, "taxRegimes")) is PageKind.RFC_CERTIFICATE_ANNEX
    address = field(verdict, "address")
    assert address.value == "CALLE PINO 1 INT 2, CENTRO, 44100, GUADALAJARA, JALISCO"
    assert address.decision is Decision.REVIEW  # nothing confirms it
    assert verdict.result["rfc"] == RFC
    assert verdict.result["barcode"] == "CONFIRMS"


def test_a_company_has_a_name_and_neither_curp_nor_surnames():
    card = f"{SAT}?D1=10&D2=1&D3=14097953331_{COMPANY_RFC}"
    verdict = judge([page(PageKind.RFC_CERTIFICATE, ON_COMPANY, card)], TODAY)
    assert (verdict.outcome, verdict.reasons) == (DocumentOutcome.PASSED, ())
    assert field(verdict, "companyName").value == COMPANY
    assert not {"curp", "givenNames", "paternalSurname"} & {f.field for f in verdict.fields}
    assert verdict.result["name"] == COMPANY


@pytest.mark.parametrize(
    ("said", "changed", "name", "reason"),
    [
        (CARD[:-1] + "9", {}, "rfc", Reason.CONTRADICTS_CODE),
        (CARD.replace("14097953331", "14097953332"), {}, "idCif", Reason.CONTRADICTS_CODE),
        (CARD.replace(".gob.mx", ".gob.mx.example"), {}, "rfc", Reason.CONTRADICTS_CODE),
        (CARD, {"rfcAbove": RFC[:-1] + "9"}, "rfc", Reason.CONTRADICTS_PRINT),
        (CARD, {"curp": CURP[:5] + "7" + CURP[6:]}, "rfc", Reason.CONTRADICTS_CURP),
        (CARD, {"paternalSurname": "ROJAS"}, "paternalSurname", Reason.CONTRADICTS_CURP),
    ],
)
def test_an_rfc_certificate_that_contradicts_itself_goes_to_a_person(said, changed, name, reason):
    verdict = judge([rfc_page(said, **changed)], TODAY)
    assert (verdict.outcome, verdict.code) == (
        DocumentOutcome.REVIEW,
        DocumentReason.FIELDS_CONTRADICT,
    )
    assert reason in field(verdict, name).reasons


def test_codes_of_two_taxpayers_on_one_certificate_contradict():
    other = CHAIN.replace(RFC, COMPANY_RFC)
    annex = page(PageKind.RFC_CERTIFICATE_ANNEX, {}, other)
    assert codes_disagree(coded(CARD, other))
    assert tax_code(coded(CARD, other)) is None
    verdict = judge([rfc_page(CARD), annex], TODAY)
    assert verdict.code is DocumentReason.FIELDS_CONTRADICT


def test_a_code_that_was_added_beside_the_papers_own_contradicts():
    added = PIPES.replace("CASTAÑEDA", "CASTRO")
    for codes in ((PIPES, added), (added, PIPES)):
        verdict = judge([curp_page(*codes)], TODAY)
        assert verdict.code is DocumentReason.FIELDS_CONTRADICT
        assert Reason.CONTRADICTS_CODE in field(verdict, "curp").reasons


def test_a_wrong_check_digit_is_no_rejection_where_the_code_says_the_same():
    issued = RFC[:-1] + ("0" if RFC[-1] != "0" else "1")
    shown = {"rfc": issued, "rfcAbove": issued}
    assert (
        judge([rfc_page(CARD.replace(RFC, issued), **shown)], TODAY).outcome
        is DocumentOutcome.PASSED
    )
    alone = judge([rfc_page(**{**shown, "rfcAbove": ""})], TODAY)
    assert Reason.CHECK_DIGIT_WRONG in field(alone, "rfc").reasons
    assert alone.outcome is DocumentOutcome.REVIEW


def test_a_workflow_that_takes_tax_certificates_takes_their_second_page():
    annex = page(PageKind.RFC_CERTIFICATE_ANNEX, {"taxRegime1": "605"}, CHAIN)
    sent = [(DocumentRole.FRONT, rfc_page(CARD)), (DocumentRole.FRONT, annex)]
    assert misplaced(sent, ["rfc"]) == set()
    assert misplaced(sent, ["curp"]) == {DocumentReason.WRONG_DOCUMENT}


def test_a_name_in_two_lines_is_one_name():
    shown = {"companyName": "TRANSPORTES PEÑASCO", "companyName2": "DEL NORTE"}
    verdict = judge([page(PageKind.RFC_CERTIFICATE, ON_COMPANY, **shown)], TODAY)
    assert (field(verdict, "companyName").value, verdict.outcome) == (
        COMPANY,
        DocumentOutcome.PASSED,
    )
    cut = {"fullName": "MARIA FERNANDA CASTAÑEDA", "fullName2": "DE LA PEÑA"}
    verdict = judge([curp_page(PIPES, **cut)], TODAY)
    assert (verdict.result["name"], verdict.outcome) == (NAME.full, DocumentOutcome.PASSED)


def test_a_taxpayer_who_is_suspended_is_a_warning():
    verdict = judge([rfc_page(CARD, taxpayerStatus="SUSPENDIDO")], TODAY)
    assert (verdict.outcome, verdict.result["warning"]) == (
        DocumentOutcome.PASSED,
        "TAXPAYER_NOT_ACTIVE",
    )


def test_what_the_codes_of_each_issuer_say():
    assert tax_code(coded("x", CARD, CHAIN)) == replace(
        tax_code(coded(CARD)), name=NAME.full, issued="2026-05-20"
    )
    told = curp_code(coded("https://gob.mx", PIPES))
    assert (told.curp, told.name, told.birth_date, told.sex) == (
        CURP, NAME, "1988-03-07", Sex.FEMALE,
    )  # fmt: skip
    behind = f"||Número de Validación Legal: 12345678901 |Nombre: {NAME.full} |CURP: {CURP}||"
    assert curp_code(coded(behind)).full_name == NAME.full
    assert has_foreign_address(coded("https://siat.sat.gob.mx.example/x"))
    assert not has_foreign_address(coded(CARD, PIPES, "https://www.gob.mx/curp", "tel:5555"))
    ampersand = f"{SAT}?D1=10&D2=1&D3=14097953331_M&A990621D2A"
    assert tax_code(coded(ampersand)).rfc == "M&A990621D2A"


@given(
    st.text(max_size=200) | st.text("|0123456789/ABCMXÑ:&=?[]@%", max_size=200),
    st.sampled_from(["{}", CARD + "{}", PIPES[:25] + "{}", "http://{}", CHAIN.replace(RFC, "{}")]),
)
def test_no_text_of_a_code_breaks_the_reading_of_it(text, shape):
    shown = shape.replace("{}", text)
    codes = coded(shown)
    tax_code(codes), curp_code(codes), has_foreign_address(codes), codes_disagree(codes)
    judge([curp_page(shown)], TODAY)
    judge([rfc_page(shown)], TODAY)


@given(st.dates(date(1000, 1, 1)))
def test_a_spelled_day_is_read_back(day):
    assert read_date(f"CENTRO, TABASCO A {spelled(day)}") == day.isoformat()
    assert read_date(spelled(day).lower().replace(" de ", "DE")) == day.isoformat()


def test_regimes_are_known_by_their_names_with_a_letter_lost():
    for code, name in TAX_REGIMES.items():
        assert regime_named(name) == code
        prefix = "" if name.startswith("Régimen") else "Régimen de las "
        assert regime_named(prefix + name[:-1]) == code
    assert regime_named("Actividad que nadie realiza") is None
