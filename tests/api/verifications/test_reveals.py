"""`revealsOnDemand`: users see personal data when they reveal them, and the audit log says who."""

from uuid import UUID

from acredita.domain.verification import PersonalData
from acredita.models import Document
from acredita.resources.organizations.masking import MASK
from acredita.resources.verifications.case.masking import mask
from tests.api.verifications.test_evidence_file import chain, decided, members_of
from tests.api.verifications.test_history import (
    ME,
    as_owner,
    decide,
    history_of,
    path,
    second_user,
)
from tests.factories.belongings import METAMAP
from tests.factories.organizations import with_new_key
from tests.factories.samples import picture
from tests.factories.training import CURP, make_read_document

EVERYTHING = list(PersonalData)
NOTE = "Llamó Ana Ruiz"


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
    assert masked["masked"] == EVERYTHING
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
    assert fields["masked"] == ["PICTURES", "NOTES"]
    assert "notes" not in fields
    assert fields["extraction"] == before["extraction"]
    assert fields["documents"][0]["imageUrl"] == ""
    pictures = (await reviewer.post(reveal, json={"kinds": ["PICTURES"]})).json()
    assert pictures["masked"] == ["FIELDS", "NOTES"]
    assert CURP not in f"{pictures}"
    assert (await client.get(pictures["documents"][0]["imageUrl"])).status_code == 200
    assert (await reviewer.get(where)).json()["masked"] == EVERYTHING
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

    await notes_are_masked_until_they_are_revealed(banco, reviewer, verification_id)
    await labelling_reveals_and_no_mask_becomes_a_label(banco, reviewer, document_id)
    await only_reviewers_reveal_and_only_owners_turn_it_off(banco, rival, services, user, reveal)
    assert (await reviewer.get(where)).json()["extraction"] == before["extraction"]


async def notes_are_masked_until_they_are_revealed(banco, reviewer, verification_id):
    def noted(page):
        return [item["note"] for item in page["history"] if item["note"] is not None]

    await banco.post(path(verification_id, "/notes"), json={"note": NOTE})
    assert noted(await history_of(reviewer, verification_id)) == [MASK]
    whole = await history_of(banco, verification_id)
    assert noted(whole) == [NOTE]
    answer = await reviewer.post(path(verification_id, "/reveal"), json={"kinds": ["NOTES"]})
    entry = next(item for item in whole["history"] if item["note"])
    assert answer.json()["notes"] == [{"id": entry["id"], "note": NOTE}]
    assert answer.json()["masked"] == ["FIELDS", "PICTURES"]
    assert CURP not in answer.text


async def labelling_reveals_and_no_mask_becomes_a_label(banco, reviewer, document_id):
    where = f"/v1/training/docs/{document_id}"
    label = {"fieldName": "curp", "confirmedValue": CURP, "notes": "Gastada"}
    first = await banco.post(f"{where}/labels", json={"fields": [label], "reviewNotes": "Ana"})
    assert first.status_code == 201, first.text
    masked = (await reviewer.get(where)).json()["document"]
    assert masked["masked"]
    assert (masked["imageUrl"], masked["media"][0]["url"]) == ("", "")
    assert {each["value"] for each in masked["fields"]} <= {MASK, None}
    assert masked["fields"][0]["sources"][0]["box"]
    (said,) = masked["label"]["fields"]
    assert (said["fieldName"], said["confirmedValue"], said["notes"]) == ("curp", MASK, MASK)
    assert masked["label"]["reviewNotes"] == MASK
    again = await reviewer.post(f"{where}/labels", json={"fields": [said]})
    assert again.status_code == 422
    answer = await reviewer.post(f"{where}/reveal")
    assert answer.status_code == 200, answer.text
    shown = answer.json()["document"]
    assert shown == (await banco.get(where)).json()["document"] | {
        name: shown[name] for name in ("imageUrl", "media")
    }
    assert shown["imageUrl"] != ""
    log = await banco.get("/v1/audit-logs", params={"action": "verification.revealed"})
    details = {"kinds": ["FIELDS", "PICTURES"], "document": document_id}
    assert log.json()["auditLogs"][0]["details"] == details


async def test_the_evidence_file_reveals_where_the_user_asks_for_it(banco, services):
    verification_id = await decided(banco, services)
    await decide(banco, verification_id, "REJECTED", notes=NOTE)
    await chain(services)
    user = await as_owner(banco)
    await user.patch(ME, json={"revealsOnDemand": True})
    evidence = path(verification_id, "/evidence")
    assert (await user.get(evidence)).status_code == 403
    assert (await banco.get(evidence)).status_code == 200
    answer = await user.get(evidence, params={"reveal": "true"})
    assert answer.status_code == 200
    assert NOTE.encode() not in b"".join(members_of(answer.content).values())
    last = [item["kind"] for item in (await history_of(banco, verification_id))["history"][-3:]]
    assert last == [
        "verification.evidence_exported",
        "verification.revealed",
        "verification.evidence_exported",
    ]


async def only_reviewers_reveal_and_only_owners_turn_it_off(banco, rival, services, user, reveal):
    everything = {"kinds": ["FIELDS", "PICTURES"]}
    assert (await rival.post(reveal, json=everything)).status_code == 404
    assert (await user.post(reveal, json={"kinds": []})).status_code == 422
    member = await second_user(banco, services, "MEMBER")
    masked = await member.get(reveal.removesuffix("/reveal"))
    assert masked.json()["masked"] == EVERYTHING
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
