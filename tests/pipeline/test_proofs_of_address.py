"""A bill beside a voter card, from the upload to the decision, in both APIs."""

from datetime import UTC, datetime

import pytest

from acredita_synthetic.bills import BillKind, make_bill
from acredita_synthetic.ground_truth import SpecimenKind
from acredita_synthetic.people import make_person
from tests.api.metamap.recorded import Integration, photo
from tests.factories.organizations import make_verification, make_workflow
from tests.pipeline.conftest import decided, picture

FRONT, SEED = SpecimenKind.INE_FRONT, 20
PDF = "application/pdf"
STEPS = ("DOCUMENT_OCR", "PROOF_OF_ADDRESS")
pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("worker")]


def bill(kind=BillKind.ELECTRICITY, person=SEED, **options):
    return make_bill(kind, make_person(person), person, on=datetime.now(UTC).date(), **options)


@pytest.mark.parametrize(
    "codes",
    [
        pytest.param(["PROOF_ADDRESS_DIFFERS"], id="some"),
        pytest.param(
            [None, "PROOF_TOO_OLD", "PROOF_NAME_DIFFERS"], id="more", marks=pytest.mark.thorough
        ),
    ],
)
async def test_a_bill_is_compared_with_the_card(banco, services, codes):
    workflow_id = await make_workflow(banco, *STEPS, config={"backGraceSeconds": 0})
    bills = {
        None: bill(),
        "PROOF_TOO_OLD": bill(BillKind.TELEPHONE, days_old=150),
        "PROOF_NAME_DIFFERS": bill(person=22, address=make_person(SEED).voter_card.address),
        "PROOF_ADDRESS_DIFFERS": bill(BillKind.BANK, address=make_person(22).voter_card.address),
    }
    sent = {}
    for code in codes:
        made = bills[code]
        sent[code] = await make_verification(banco, workflow_id)
        answer = await banco.post(
            f"/v1/verifications/{sent[code]}/inputs",
            files=[
                ("front", ("ine.jpg", picture(FRONT, SEED), "image/jpeg")),
                ("proofOfAddress", ("recibo.pdf", made.pdf, PDF)),
            ],
        )
        assert answer.status_code == 202, answer.text
    for code, verification_id in sent.items():
        shown = await decided(banco, verification_id)
        step = shown["verification"]["steps"][1]
        assert step["result"].get("code") == code, step["result"]["reasons"]
        assert shown["verification"]["status"] == ("MANUAL_REVIEW" if code else "APPROVED")
    if None in sent:
        check_approved(await decided(banco, sent[None]), bills[None])


def check_approved(approved, bill):
    result = approved["verification"]["steps"][1]["result"]
    assert (result["issuer"], result["service"]) == ("CFE", "electricity")
    assert (result["nameMatch"], result["addressMatch"], result["source"]) == (
        "same", "same", "documents",
    )  # fmt: skip
    proof = next(each for each in approved["documents"] if each["type"] == "proofOfAddress")
    read = {
        item["field"]: item for item in approved["extraction"] if item["documentId"] == proof["id"]
    }
    assert read["fullName"]["value"] == bill.values["fullName"]
    assert read["periodEnd"]["decision"] == "ACCEPTED"
    assert read["periodEnd"]["value"] == bill.values["periodEnd"]
    assert read["address"]["value"] == bill.values["address"]


async def test_metamaps_clients_send_it_as_proof_of_residency(client, banco):
    workflow_id = await make_workflow(banco, *STEPS, config={"backGraceSeconds": 0})
    integration = Integration(
        client, "http://test/v1/metamap", banco.organization_id.replace("-", "")[:24], banco.api_key
    )
    started = await integration.start(workflow_id.replace("-", "")[:24])
    groups = [each.get("group") for each in started["inputs"] if each["id"] == "document-photo"]
    assert groups == [0, 1]
    assert started["steps"] == [{"status": 0, "id": "document"}]
    made = bill(BillKind.WATER, days_old=150)
    sent = await integration.send(
        started["identity"],
        (photo("front", "recibo.pdf", "proof-of-residency"), made.pdf),
        (photo("front", "INE-front.jpg"), picture(FRONT, SEED)),
        (photo("back", "recibo-2.pdf", "proof-of-residency"), made.pdf),
    )
    assert [each.get("result") for each in sent] == [True, True, None]
    assert sent[2]["error"]["code"] == "documentPhoto.typeNotSupported"
    shown = await decided(
        banco, (await banco.get("/v1/verifications")).json()["verifications"][0]["id"]
    )
    found = (await integration.call("GET", f"/v2/verifications/{started['id']}")).json()
    card, proof = found["documents"]
    assert (card["type"], proof["type"]) == ("national-id", "proof-of-residency")
    steps = ["document-reading", "template-matching", "alteration-detection"]
    for document in (card, proof):
        assert [step["id"] for step in document["steps"]] == steps
    assert card["steps"][0]["error"] is None
    assert proof["steps"][0]["error"]["code"] == "document.proofTooOld"
    assert proof["fields"]["fullName"] == {"value": made.values["fullName"], "label": "Name"}
    assert proof["fields"]["address"]["value"] == made.values["address"]
    assert proof["fields"]["emissionDate"]["value"] == made.values["issueDate"]
    assert "curp" in card["fields"]
    assert found["computed"]["isDocumentExpired"]["data"]["proof-of-residency"] is True
    assert found["identity"]["status"] == "reviewNeeded"
    assert len(proof["photos"]) == 1
    assert shown["verification"]["status"] == "MANUAL_REVIEW"
