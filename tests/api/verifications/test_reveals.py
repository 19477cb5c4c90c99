"""`revealsOnDemand`: users see personal data when they reveal them, and the audit log says who."""

from uuid import UUID

from acredita.domain.verification import PersonalData
from acredita.models import Document
from acredita.resources.verifications.case.masking import MASK, mask
from tests.api.verifications.test_history import ME, as_owner, history_of, path, second_user
from tests.factories.belongings import METAMAP
from tests.factories.organizations import with_new_key
from tests.factories.samples import picture
from tests.factories.training import CURP, make_read_document

EVERYTHING = list(PersonalData)


async def test_users_see_personal_data_when_they_reveal_them_and_the_audit_log_says_who(
    client, banco, rival, services
):
    document_id = await make_read_document(services, banco, picture())
    async with services.database.transaction() as session:
        found = await session.get_one(Document, UUID(document_id))
        verification_id = str(found.verification_id)
    user, reviewer = await as_owner(banco), await second_user(banco, services)
    where, image = path(verification_id), f"/v1/documents/{document_id}/image"
    compatible = f"{METAMAP}/v2/verifications/{verification_id}"
    before = (await reviewer.get(where)).json()
    assert "masked" not in before
    assert (await reviewer.get(image)).status_code == 200
    assert (await user.patch(ME, json={"revealsOnDemand": True})).json()["org"]["revealsOnDemand"]

    masked = (await reviewer.get(where)).json()
    assert masked["masked"] == ["FIELDS", "PICTURES"]
    assert {each["value"] for each in masked["extraction"]} == {MASK}
    assert [each["field"] for each in masked["extraction"]] == [
        each["field"] for each in before["extraction"]
    ]
    (document,) = masked["documents"]
    assert document["imageUrl"] == document["media"][0]["imageUrl"] == ""
    located = await reviewer.get(path(verification_id, "/fields"))
    assert located.json()["fields"][0]["sources"][0]["box"]
    media = f"/v1/passport-image/{document['media'][0]['id']}"
    for refused in (image, media, compatible, f"{METAMAP}/file?location={document_id}"):
        assert (await reviewer.get(refused)).status_code == 403, refused
    assert CURP not in f"{masked}{located.text}"
    # Servers see what they saw before.
    whole = (await banco.get(where)).json()
    assert "masked" not in whole
    assert whole["extraction"] == before["extraction"]
    assert CURP in (await banco.get(path(verification_id, "/fields"))).text
    assert (await banco.get(image)).status_code == (await banco.get(compatible)).status_code == 200

    reveal = path(verification_id, "/reveal")
    fields = (await reviewer.post(reveal, json={"kinds": ["FIELDS"]})).json()
    assert fields["masked"] == ["PICTURES"]
    assert fields["extraction"] == before["extraction"]
    assert fields["documents"][0]["imageUrl"] == ""
    pictures = (await reviewer.post(reveal, json={"kinds": ["PICTURES"]})).json()
    assert pictures["masked"] == ["FIELDS"]
    assert CURP not in f"{pictures}"
    assert (await client.get(pictures["documents"][0]["imageUrl"])).status_code == 200
    assert (await reviewer.get(where)).json()["masked"] == ["FIELDS", "PICTURES"]
    log = await banco.get("/v1/audit-logs", params={"action": "verification.revealed"})
    by_pictures, by_fields = log.json()["auditLogs"]
    assert [each["details"] for each in (by_fields, by_pictures)] == [
        {"kinds": ["FIELDS"]},
        {"kinds": ["PICTURES"]},
    ]
    assert {each["resourceId"] for each in (by_fields, by_pictures)} == {verification_id}
    assert by_fields["actor"]["type"] == "user"
    assert by_fields["actor"] != {"type": "user", "id": banco.registration["user"]["id"]}
    kinds = [each["kind"] for each in (await history_of(banco, verification_id))["history"]]
    assert kinds.count("verification.revealed") == 2

    await only_reviewers_reveal_and_only_owners_turn_it_off(banco, rival, services, user, reveal)
    assert (await reviewer.get(where)).json()["extraction"] == before["extraction"]


async def only_reviewers_reveal_and_only_owners_turn_it_off(banco, rival, services, user, reveal):
    everything = {"kinds": ["FIELDS", "PICTURES"]}
    assert (await rival.post(reveal, json=everything)).status_code == 404
    assert (await user.post(reveal, json={"kinds": []})).status_code == 422
    member = await second_user(banco, services, "MEMBER")
    masked = await member.get(reveal.removesuffix("/reveal"))
    assert masked.json()["masked"] == ["FIELDS", "PICTURES"]
    assert (await member.post(reveal, json=everything)).status_code == 403
    off = {"revealsOnDemand": False}
    administrator = await with_new_key(banco)
    assert (await administrator.patch(ME, json=off)).status_code == 403
    assert (await user.patch(ME, json=off)).status_code == 200


def step(kind, **result):
    return {"id": "1", "type": kind, "status": "REVIEW", "requires": [], "result": result}


def test_results_keep_codes_and_measures_and_no_value_of_the_person():
    signal = {"signal": "tampering.x", "raised": True, "measure": 0.9, "box": [0, 0, 1, 1]}
    match = {"matchId": "m", "matchedName": "ANA RUIZ", "list": "ofac", "score": 0.93}
    renapo = {"outcome": "match", "askedCurp": CURP, "registered": {"given": "ANA", "code": "DF"}}
    view = {
        "verification": {
            "metadata": {"email": "ana@correo.example", "code": "x", "age": 40},
            "externalId": "cliente-1",
            "steps": [
                step("DOCUMENT_OCR", code="UNDERAGE", age=17, curp=CURP, signals=[signal]),
                step("AML_SCREEN", matches=[match]),
                step("GOVERNMENT_VERIFY", registries={"renapo": renapo}),
                step("FORM", answers={"code": "panadera", "score": 3, "list": ["una"]}),
                step("CREDIT", score=712, scores=[{"name": "BC", "value": 712}]),
                {**step("OTP"), "result": None},
            ],
        },
        "documents": [],
        "extraction": [],
    }
    masked = mask(view, EVERYTHING)
    assert masked["verification"] == {
        "metadata": {"email": MASK, "code": MASK, "age": None},
        "externalId": "cliente-1",
        "steps": [
            step("DOCUMENT_OCR", code="UNDERAGE", age=None, curp=MASK, signals=[signal]),
            step("AML_SCREEN", matches=[match | {"matchedName": MASK}]),
            step(
                "GOVERNMENT_VERIFY",
                registries={
                    "renapo": {
                        "outcome": "match",
                        "askedCurp": MASK,
                        "registered": {"given": MASK, "code": MASK},
                    }
                },
            ),
            step("FORM", answers={"code": MASK, "score": None, "list": [MASK]}),
            step("CREDIT", score=None, scores=[{"name": MASK, "value": None}]),
            {**step("OTP"), "result": None},
        ],
    }
    assert mask(view, []) == view
