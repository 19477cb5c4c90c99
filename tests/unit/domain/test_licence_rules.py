"""The rules of driver's licences and of the models of voter cards, over readings made up here."""

from dataclasses import replace
from datetime import date

import pytest

from acredita.domain.documents import (
    Barcode,
    Decision,
    DocumentOutcome,
    PageKind,
    PageReading,
    Quality,
    Reason,
    Sighting,
    judge,
)
from acredita.domain.documents.licence_templates import LicenceTemplate, TemplateField
from acredita.domain.documents.name_parts import read_name
from acredita.domain.identifiers import clave_elector, curp, rfc
from acredita.domain.identifiers.formatting import Sex
from acredita.domain.identifiers.states import BY_CODE
from acredita.domain.names import PersonName
from acredita.domain.reasons import DocumentReason
from acredita_synthetic import mrz_zones

TODAY = date(2026, 6, 1)
QUALITY = Quality(1012, 638, 900.0, 0.0, 150.0, 0.99)
NAME = PersonName("MARÍA FERNANDA", "CASTAÑEDA", "LÓPEZ")
BORN = date(1988, 3, 7)
CURP = curp.compose(NAME, BORN, Sex.FEMALE, BY_CODE["PL"])
IN_PARTS = {
    "paternalSurname": NAME.paterno,
    "maternalSurname": NAME.materno,
    "givenNames": NAME.given,
}
PRINTED = IN_PARTS | {
    "documentNumber": "AB1234567",
    "licenceClass": "AUTOMOVILISTA",
    "curp": str(CURP),
    "dateOfBirth": "1988-03-07",
    "issueDate": "2024-05-04",
    "expiryDate": "2027-05-04",
    "state": "PL",
}


def page(kind, values, **more):
    sightings = tuple(
        Sighting(field, (value, value), 0.99) for field, value in values.items() if value
    )
    return PageReading(kind, QUALITY, sightings, **more)


def licence(model="mx-pl", **changed):
    return page(PageKind.DRIVER_LICENCE, PRINTED | changed, model=model)


def verdict_of(*pages):
    verdict = judge(pages, TODAY)
    return verdict, {finding.field: finding for finding in verdict.fields}


def test_a_licence_that_agrees_with_itself_passes_and_names_its_layout():
    verdict, found = verdict_of(licence(address1="AV JUÁREZ 12", bloodGroup="O+"))
    assert (verdict.outcome, verdict.code) == (DocumentOutcome.PASSED, None)
    assert {f for f, finding in found.items() if not finding.accepted} == {"address", "bloodGroup"}
    assert verdict.result["name"] == "MARÍA FERNANDA CASTAÑEDA LÓPEZ"
    assert (verdict.result["model"], verdict.result["state"]) == ("mx-pl", "PL")
    assert verdict.page_of(found["curp"]) is PageKind.DRIVER_LICENCE


def test_of_a_layout_that_is_not_known_nothing_is_accepted():
    verdict, found = verdict_of(licence(model=None, state=None))
    assert (verdict.outcome, verdict.code) == (
        DocumentOutcome.REVIEW,
        DocumentReason.DOCUMENT_LAYOUT_UNKNOWN,
    )
    assert found["curp"].value == str(CURP)
    assert not any(finding.accepted for finding in found.values())
    expired, _ = verdict_of(licence(model=None, issueDate="2015-05-04", expiryDate="2018-05-04"))
    assert (expired.outcome, expired.code) == (
        DocumentOutcome.REVIEW,
        DocumentReason.DOCUMENT_LAYOUT_UNKNOWN,
    )


def test_a_licence_whose_last_day_is_over_fails():
    verdict, _ = verdict_of(licence(issueDate="2023-05-31", expiryDate="2026-05-31"))
    assert (verdict.outcome, verdict.code) == (
        DocumentOutcome.FAILED,
        DocumentReason.DOCUMENT_EXPIRED,
    )
    last_day, _ = verdict_of(licence(issueDate="2023-06-01", expiryDate="2026-06-01"))
    assert last_day.outcome is DocumentOutcome.PASSED


def test_a_permanent_licence_has_no_last_day_and_one_without_either_is_reviewed():
    verdict, found = verdict_of(licence(expiryDate=None, validity="PERMANENT"))
    assert verdict.outcome is DocumentOutcome.PASSED
    assert "expiryDate" not in found
    verdict, found = verdict_of(licence(expiryDate=None))
    assert (verdict.outcome, verdict.code) == (
        DocumentOutcome.REVIEW,
        DocumentReason.DOCUMENT_UNREADABLE,
    )
    verdict, found = verdict_of(licence(validity="PERMANENT"))
    assert verdict.code is DocumentReason.FIELDS_CONTRADICT
    assert found["expiryDate"].reasons == (Reason.CONTRADICTS_PRINT,)


@pytest.mark.parametrize(
    ("changed", "field", "reason"),
    [
        ({"dateOfBirth": "1988-03-08"}, "dateOfBirth", Reason.CONTRADICTS_CURP),
        ({"dateOfBirth": "1988-13-08"}, "dateOfBirth", Reason.INVALID),
        ({"paternalSurname": "GUTIÉRREZ"}, "paternalSurname", Reason.CONTRADICTS_CURP),
        ({"paternalSurname": "GUTIÉRREZ"}, "curp", Reason.CONTRADICTS_NAME),
        ({"curp": f"{str(CURP)[:17]}{(int(str(CURP)[17]) + 1) % 10}"}, "curp",
         Reason.CHECK_DIGIT_WRONG),
        ({"issueDate": "2026-06-02", "expiryDate": "2029-06-02"}, "issueDate",
         Reason.CONTRADICTS_PRINT),
        ({"issueDate": "2001-05-04", "expiryDate": "2028-05-04"}, "issueDate",
         Reason.CONTRADICTS_PRINT),
        ({"expiryDate": "2024-05-03"}, "expiryDate", Reason.CONTRADICTS_PRINT),
        ({"issueDate": "2024-02-31"}, "issueDate", Reason.INVALID),
        ({"documentNumber": None}, "documentNumber", Reason.NOT_FOUND),
        ({"curp": None}, "givenNames", Reason.UNCONFIRMED),
    ],
)  # fmt: skip
def test_what_contradicts_or_is_missing_passes_nothing(changed, field, reason):
    verdict, found = verdict_of(licence(**changed))
    assert verdict.outcome is not DocumentOutcome.PASSED
    assert reason in found[field].reasons
    assert found[field].decision is not Decision.ACCEPTED


def test_a_birth_date_that_is_not_printed_is_the_curps():
    verdict, found = verdict_of(licence(dateOfBirth=None))
    assert verdict.outcome is DocumentOutcome.PASSED
    assert (found["dateOfBirth"].value, found["dateOfBirth"].accepted) == ("1988-03-07", True)


def test_without_a_curp_an_rfc_confirms_the_birth_date_and_nothing_the_name():
    tax_id = str(rfc.compose_person(NAME, BORN))
    verdict, found = verdict_of(licence(curp=None, rfc=tax_id))
    assert verdict.code is DocumentReason.FIELDS_UNCERTAIN
    assert found["dateOfBirth"].accepted
    _, found = verdict_of(licence(curp=None, rfc=tax_id, dateOfBirth="1988-03-17"))
    assert Reason.CONTRADICTS_PRINT in found["dateOfBirth"].reasons


@pytest.mark.parametrize(
    "whole",
    ["CASTAÑEDA LÓPEZ MARÍA FERNANDA", "MARÍA FERNANDA CASTAÑEDA LÓPEZ"],
)
def test_a_name_in_one_piece_is_parted_by_the_curp_whichever_way_it_runs(whole):
    pieces = {"paternalSurname": None, "maternalSurname": None, "givenNames": None}
    verdict, found = verdict_of(licence(**pieces, fullName=whole))
    assert verdict.outcome is DocumentOutcome.PASSED
    assert {field: found[field].value for field in IN_PARTS} == IN_PARTS
    verdict, found = verdict_of(licence(**pieces, fullName=whole, curp=None))
    assert verdict.outcome is DocumentOutcome.REVIEW
    assert verdict.result["name"] == whole
    assert "givenNames" not in found


def test_a_name_that_the_curp_does_not_fit_stays_in_one_piece():
    read = read_name({"fullName": "ROSA GUTIÉRREZ PEÑA"}, CURP)
    assert (read.piece, dict(read.parts), read.contradicts(CURP)) == ("fullName", {}, True)
    whole = {"surnames": "CASTAÑEDA LÓPEZ", "givenNames": NAME.given}
    assert read_name(whole, CURP).person == NAME


@pytest.mark.parametrize(
    "wrong",
    [
        {"state": "XX"},
        {"issuers": ()},
        {"issuers": ("PUEBLA",)},
        {"fields": {}},
        {"fields": {"shoeSize": TemplateField(captions=("TALLA",))}},
        {"fields": {"documentNumber": TemplateField(captions=("NÚMERO",))}},
        {"permanent": ("SI",)},
    ],
)
def test_a_template_that_could_not_be_used_is_refused(wrong):
    good = LicenceTemplate(
        id="mx-sr-2024",
        state="SR",
        issuers=("GOBIERNO DEL ESTADO DE SONORA",),
        fields={"curp": TemplateField(captions=("CURP",))},
    )
    with pytest.raises(ValueError, match=r"\w"):
        replace(good, **wrong)


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"captions": ("ID",)},
        {"captions": ("CURP",), "shapes": ("[0-9]+",)},
        {"captions": ("CURP",), "lines": 9},
        {"box": (0.5, 0.1, 0.4, 0.2)},
        {"captions": ("CURP" * 30,)},
    ],
)
def test_a_field_of_a_template_that_could_not_be_found_is_refused(wrong):
    with pytest.raises(ValueError, match=r"\w"):
        TemplateField(**wrong)


CLAVE = clave_elector.compose(NAME, BORN, Sex.FEMALE, BY_CODE["PL"], assigned="100")
SECTION, CITIZEN = "0812", "000567890"


def card(model, issued, **changed):
    printed = IN_PARTS | {
        "curp": str(CURP),
        "clave": str(CLAVE),
        "dateOfBirth": None if model == "C" else "1988-03-07",
        "sex": "M",
        "section": SECTION,
        "registrationYear": "2006",
        "emission": "01",
        "emissionYear": str(issued),
        "expiryYear": str(issued + 10),
    }
    return page(PageKind.INE_FRONT, printed | changed, model=model)


def zone(issued, *symbologies):
    lines = mrz_zones.compose_ine(
        NAME,
        BORN,
        Sex.FEMALE,
        cic="223456789",
        ocr=SECTION + CITIZEN,
        expiry=date(issued + 10, 12, 31),
        emission="01",
    )
    codes = tuple(Barcode(symbology, "MUESTRA") for symbology in symbologies)
    return page(
        PageKind.INE_BACK, {"cic": "223456789"}, mrz=(lines, lines), mrz_confidence=0.99,
        codes=codes,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("model", "issued", "codes"),
    [
        ("D", 2013, ()),
        ("E", 2017, ("PDF_417",)),
        ("F", 2018, ()),
        ("G", 2021, ("QR_CODE", "QR_CODE")),
        ("H", 2019, ("QR_CODE",)),
    ],
)
def test_a_model_is_accepted_where_its_back_bears_it_out(model, issued, codes):
    verdict = judge([card(model, issued), zone(issued, *codes)], date(2019, 6, 1))
    assert verdict.result["model"] == model
    found = {finding.field: finding for finding in verdict.fields}
    assert found["ineModel"].accepted
    alone = judge([card(model, issued)], date(2019, 6, 1))
    assert alone.outcome is DocumentOutcome.PASSED
    assert next(f for f in alone.fields if f.field == "ineModel").reasons == (Reason.UNCONFIRMED,)


@pytest.mark.parametrize(
    ("front", "back"),
    [
        (card("E", 2017), zone(2017, "QR_CODE")),
        (card("G", 2021), zone(2021, "PDF_417")),
        (card("D", 2017), zone(2017)),
        (card("G", 2015), zone(2015)),
        (card("C", 2012), zone(2012)),
    ],
)
def test_a_front_of_another_model_than_its_back_or_its_year_is_a_contradiction(front, back):
    verdict = judge([front, back], date(2020, 6, 1))
    assert (verdict.outcome, verdict.code) == (
        DocumentOutcome.REVIEW,
        DocumentReason.FIELDS_CONTRADICT,
    )
    assert not next(f for f in verdict.fields if f.field == "ineModel").accepted


def test_model_c_is_no_longer_valid_and_its_numbers_are_read():
    back = page(PageKind.INE_BACK, {"ocr": SECTION + CITIZEN}, model="C")
    # Even where the card names a year that is yet to come.
    verdict = judge([card("C", 2012), back], date(2015, 6, 1))
    assert (verdict.outcome, verdict.code) == (
        DocumentOutcome.FAILED,
        DocumentReason.DOCUMENT_EXPIRED,
    )
    found = {finding.field: finding for finding in verdict.fields}
    assert (found["ocr"].value, found["ocr"].accepted) == (SECTION + CITIZEN, True)
    assert (found["dateOfBirth"].value, found["dateOfBirth"].accepted) == ("1988-03-07", True)
    assert verdict.page_of(found["ocr"]) is PageKind.INE_BACK
    alone = judge([card("C", 2012)], date(2015, 6, 1))
    assert (alone.outcome, alone.code) == (
        DocumentOutcome.REVIEW,
        DocumentReason.DOCUMENT_NOT_SUPPORTED,
    )
    foreign = page(PageKind.INE_BACK, {"ocr": "9" * 13}, model="C")
    other = {f.field: f for f in judge([card("C", 2012), foreign], TODAY).fields}
    assert other["ocr"].reasons == (Reason.CONTRADICTS_PRINT,)
