"""Driver's licences and old voter cards, from an upload to a decision."""

import json

import cv2
import pytest

from acredita.domain.government.queries import Registry, plan
from acredita.domain.identifiers.ine import CardInputs, CitizenInputs, VoterKeyInputs
from acredita.engines.documents.licences.templates import dump_template, known_templates
from acredita.resources.verifications.registry_claims import claims_of_metadata
from acredita_synthetic.faces.people import face_of
from acredita_synthetic.faces.pictures import draw_selfie
from acredita_synthetic.ground_truth import SpecimenKind
from acredita_synthetic.people import CardModel, make_person
from acredita_synthetic.specimens import make_specimen
from tests.factories.organizations import make_verification, make_workflow
from tests.factories.samples import STATES, add_licence
from tests.pipeline.conftest import decided, picture, upload

LICENCE = SpecimenKind.DRIVER_LICENCE
SEED = 68  # a licence of Puebla, which prints a CURP
pytestmark = pytest.mark.slow


@pytest.mark.usefixtures("worker")
async def test_a_licence_is_read_its_portrait_compared_and_no_registry_of_voters_asked(banco):
    specimen = make_specimen(LICENCE, SEED)
    selfie = draw_selfie(face_of(make_person(SEED)), 1)
    workflow_id = await make_workflow(
        banco, "DOCUMENT_OCR", "FACE_MATCH", "GOVERNMENT_VERIFY", config={"registries": ["ine"]}
    )
    verification_id = await make_verification(banco, workflow_id)
    uploaded = await upload(
        banco,
        verification_id,
        front=specimen.image_bytes,
        selfie=cv2.imencode(".jpg", selfie)[1].tobytes(),
    )
    shown = await decided(banco, verification_id)
    read, compared, asked = shown["verification"]["steps"]
    assert (read["status"], compared["status"]) == ("PASSED", "PASSED")
    assert compared["result"]["similarity"] >= 0.8
    assert (asked["status"], asked["result"]["code"]) == ("REVIEW", "INSUFFICIENT_DATA")
    assert shown["verification"]["status"] == "MANUAL_REVIEW"

    truth = specimen.truth["values"]
    fields = {item["field"]: item for item in shown["extraction"]}
    for name in ("documentNumber", "licenceClass", "curp", "issueDate", "paternalSurname", "state"):
        assert fields[name]["value"] == truth[name]
        assert fields[name]["decision"] == "ACCEPTED"
        assert fields[name]["documentId"] == uploaded[0]["id"]
    assert (read["result"]["model"], read["result"]["state"]) == ("mx-pl", "PL")
    front = next(item for item in shown["documents"] if item["type"] == "front")
    assert sorted(item["kind"] for item in front["media"]) == ["page", "portrait"]


@pytest.mark.usefixtures("worker")
async def test_an_organizations_own_template_goes_before_those_that_come_along(banco, rival):
    template = next(it for it in known_templates() if it.state == "PL")
    own = json.loads(dump_template(template)) | {"id": "propia-pl"}
    truth = await add_licence(banco, state="PL", fields={})
    kept = await banco.patch(f"{STATES}/{truth['id']}", json={"template": own})
    assert kept.status_code == 200, kept.text
    for member, model in ((banco, "propia-pl"), (rival, "mx-pl")):
        verification_id = await make_verification(member)
        await upload(member, verification_id, front=picture(LICENCE, SEED))
        shown = await decided(member, verification_id)
        assert shown["verification"]["status"] == "APPROVED"
        assert shown["verification"]["steps"][0]["result"]["model"] == model


# tests/unit/engines/documents/test_licences.py reads and judges both sides of model D.
@pytest.mark.thorough
@pytest.mark.usefixtures("worker")
async def test_a_card_of_ife_without_a_zone_has_expired_and_says_which_model_it_is(banco):
    verification_id = await make_verification(banco)
    sides = {"front": SpecimenKind.INE_FRONT, "back": SpecimenKind.INE_BACK}
    pictures = {
        role: make_specimen(kind, SEED, model=CardModel.C).image_bytes
        for role, kind in sides.items()
    }
    uploaded = await upload(banco, verification_id, **pictures)
    shown = await decided(banco, verification_id)
    (step,) = shown["verification"]["steps"]
    assert (step["status"], step["result"]["code"]) == ("FAILED", "DOCUMENT_EXPIRED")
    assert step["result"]["model"] == "C"
    fields = {item["field"]: item for item in shown["extraction"]}
    assert fields["ineModel"]["decision"] == "ACCEPTED"
    expected = make_specimen(SpecimenKind.INE_BACK, SEED, model=CardModel.C).truth["values"]
    assert fields["ocr"]["value"] == expected["ocr"]
    by_role = {item["type"]: item["id"] for item in uploaded}
    assert fields["ocr"]["documentId"] == by_role["back"]


@pytest.mark.parametrize(
    ("model", "inputs"),
    [
        ("C", VoterKeyInputs), ("D", CardInputs), ("E", CitizenInputs), ("H", CitizenInputs),
        ("nonsense", CitizenInputs),
    ],
)  # fmt: skip
def test_each_model_is_asked_about_by_its_own_numbers_and_not_at_all_without_them(model, inputs):
    person = make_person(SEED)
    numbers = {
        "clave": str(person.clave_elector),
        "emission": f"{person.voter_card.emission_number:02}",
        "ocr": person.voter_card.ocr,
        "cic": person.voter_card.cic,
        "citizenId": person.voter_card.citizen_id,
    }
    question = plan(claims_of_metadata(numbers | {"ineModel": model}), [Registry.INE])[Registry.INE]
    assert isinstance(question, inputs)
    for left_out in {"C": ("clave", "emission", "ocr"), "D": ("cic", "ocr")}.get(model, ("cic",)):
        known = numbers | {"ineModel": model, left_out: ""}
        if model != "nonsense":
            assert plan(claims_of_metadata(known), [Registry.INE])[Registry.INE] is None
