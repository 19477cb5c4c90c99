"""Driver's licences whose content is known: kept, corrected, exported, deleted."""

import csv
import io
import json
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

from sqlalchemy import update

from acredita.jobs import JobContext
from acredita.models import LicenceTruth, TrialStatus
from acredita.resources.ground_truth.jobs import count as count_fields
from acredita.resources.retention import jobs as retention
from tests.factories.clocks import ShiftedClock
from tests.factories.organizations import with_new_key
from tests.factories.samples import KNOWN, LICENCES, STATES, TEMPLATE, add_licence, picture
from tests.retention.conftest import count, set_retention


async def read(services, truth_id, **values):
    """Let it have been read, with these values, without the engine."""
    async with services.database.transaction() as session:
        truth = await session.get(LicenceTruth, UUID(truth_id))
        fields = {name: (value, 0.97) for name, value in values.items()}
        truth.reading.seal(services.keys, fields)
        truth.read_by = {
            "engine": "e",
            "rules": "r",
            "kind": "DRIVER_LICENCE",
            "state": "JC",
            "model": None,
            "at": "2026-11-21T00:00:00.000Z",
        }
        truth.status = TrialStatus.DONE.value
        count_fields(services.keys, truth)


async def test_a_licence_is_kept_and_waits_to_be_read(banco, rival):
    added = await add_licence(banco)
    assert (added["state"], added["fields"], added["status"]) == ("JC", KNOWN, "PENDING")
    assert (await banco.get(f"{LICENCES}/{added['id']}")).json() == added
    listed = (await banco.get(LICENCES)).json()
    assert [each["id"] for each in listed["licences"]] == [added["id"]]
    assert (await rival.get(LICENCES)).json()["licences"] == []
    image = await banco.get(f"{LICENCES}/{added['id']}/image")
    assert image.headers["content-type"] == "image/jpeg"
    assert image.headers["cache-control"] == "no-store"


async def test_what_is_known_is_sealed(banco, services):
    await add_licence(banco)
    plain = "position('R0012345'::bytea IN truth_sealed) > 0"
    assert await count(services, "licence_truth", plain) == 0


async def test_faulty_truths_are_named_and_leave_nothing(banco, services):
    for truth, fault in (
        ({"state": "XX"}, "body.truth.state"),
        ({"fields": {"shoeSize": "43"}}, "body.truth.fields.shoeSize"),
        ({"fields": {"curp": ""}}, "body.truth.fields.curp"),
        ({"unknown": 1}, "body.truth.unknown"),
        ([], "body.truth"),
    ):
        answer = await banco.post(
            f"{LICENCES}/upload",
            files={"document": ("a.png", picture())},
            data={"truth": json.dumps(truth)},
        )
        assert answer.status_code == 422, answer.text
        assert answer.json()["error"]["details"][0].startswith(fault)
    torn = await banco.post(
        f"{LICENCES}/upload", files={"document": ("a.png", picture())}, data={"truth": "{"}
    )
    assert torn.status_code == 422
    text = await banco.post(
        f"{LICENCES}/upload", files={"document": ("a.jpg", b"text")}, data={"truth": "{}"}
    )
    assert text.status_code == 415
    assert await count(services, "licence_truth") == await count(services, "truth_file") == 0
    assert (await services.storage.list()).files == []


async def test_a_correction_is_held_against_the_last_reading(banco, services):
    truth_id = (await add_licence(banco))["id"]
    await read(services, truth_id, documentNumber="r0012345", dateOfBirth="1990-05-18")
    shown = (await banco.get(f"{LICENCES}/{truth_id}")).json()
    assert (shown["compared"], shown["correct"]) == (2, 1)
    verdicts = {trial["field"]: trial["isCorrect"] for trial in shown["trials"]}
    assert verdicts == {"documentNumber": True, "dateOfBirth": False}
    fields = KNOWN | {"dateOfBirth": "1990-05-18"}
    changed = (await banco.patch(f"{LICENCES}/{truth_id}", json={"fields": fields})).json()
    assert (changed["compared"], changed["correct"]) == (2, 2)
    assert (changed["state"], changed["notes"]) == ("JC", "Lote uno")
    cleared = (await banco.patch(f"{LICENCES}/{truth_id}", json={"notes": None})).json()
    assert (cleared["notes"], cleared["fields"]) == (None, fields)


async def test_the_list_is_filtered_and_paged(banco, services):
    ids = [(await add_licence(banco, state=state))["id"] for state in ("JC", "NL", "JC")]
    await read(services, ids[0], documentNumber="R0012345")
    of_state = (await banco.get(LICENCES, params={"state": "JC", "limit": 1})).json()
    assert of_state["licences"][0]["id"] == ids[2]
    assert of_state["pagination"]["total"] == 2
    done = (await banco.get(LICENCES, params={"status": "DONE"})).json()
    assert [each["id"] for each in done["licences"]] == [ids[0]]
    assert (await banco.get(LICENCES, params={"state": "XX"})).status_code == 422
    states = (await banco.get(f"{LICENCES}/states")).json()["states"]
    assert len(states) == 32
    assert {each["state"]: each["licences"] for each in states}["JC"] == 2
    stats = (await banco.get(f"{STATES}/stats")).json()["states"]
    of_jalisco = next(each for each in stats if each["state"] == "JC")
    assert (of_jalisco["licences"], of_jalisco["read"], of_jalisco["stateCorrect"]) == (2, 1, 1)
    assert of_jalisco["accuracy"] == 0.5


async def test_no_data_gives_no_statistics(banco):
    assert (await banco.get(f"{STATES}/stats")).json() == {"states": []}
    assert (await banco.get(f"{LICENCES}/export")).text == ""


async def test_an_export_has_every_row_and_no_formula(banco, rival, services, monkeypatch):
    monkeypatch.setattr("acredita.resources.ground_truth.export.PAGE", 2)
    formula = "=HYPERLINK(1)"
    ids = [
        (await add_licence(banco, notes=f"{formula} {number}", fields={"address": formula}))["id"]
        for number in range(5)
    ]
    await add_licence(rival)
    lines = (await banco.get(f"{LICENCES}/export")).text.splitlines()
    assert [json.loads(line)["id"] for line in lines] == ids
    answer = await banco.get(f"{LICENCES}/export", params={"format": "csv"})
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert [row["id"] for row in rows] == ids
    assert {row["address"] for row in rows} == {f"'{formula}"}


async def test_a_deleted_licence_takes_its_picture_and_template_along(banco, services):
    truth_id = (await add_licence(banco))["id"]
    kept = await banco.patch(f"{STATES}/{truth_id}", json={"template": TEMPLATE})
    assert kept.json()["template"]["id"] == "JC-propia"
    assert (await banco.delete(f"{LICENCES}/{truth_id}")).status_code == 204
    assert (await banco.get(f"{LICENCES}/{truth_id}")).status_code == 404
    for table in ("licence_truth", "truth_file", "licence_template"):
        assert await count(services, table) == 0
    assert await count(services, "job", "kind = 'retention.delete_file'") == 1


async def test_templates_are_for_admins_and_checked(banco, rival):
    truth_id = (await add_licence(banco))["id"]
    path = f"{STATES}/{truth_id}"
    reviewer = await with_new_key(banco, role="REVIEWER")
    assert (await reviewer.patch(path, json={"template": TEMPLATE})).status_code == 403
    assert (await reviewer.patch(path, json={"state": "JC"})).status_code == 200
    for change, fault in (
        ({"state": "NL"}, "body.template.state"),
        ({"fields": {}}, "body.template"),
        ({"fields": {"documentNumber": {"captions": ["FOLIO"]}}}, "body.template"),
        ({"extra": 1}, "body.template.extra"),
    ):
        refused = await banco.patch(path, json={"template": TEMPLATE | change})
        assert refused.status_code == 422, refused.text
        assert refused.json()["error"]["details"][0].startswith(fault)
    assert (await banco.patch(path, json={"template": TEMPLATE})).status_code == 200
    another = (await add_licence(banco))["id"]
    twice = await banco.patch(f"{STATES}/{another}", json={"template": TEMPLATE})
    assert twice.json()["error"]["details"] == [
        "body.template.id: another licence's template has it"
    ]
    theirs = (await add_licence(rival))["id"]
    free = await rival.patch(f"{STATES}/{theirs}", json={"template": TEMPLATE})
    assert free.status_code == 200
    listed = (await banco.get(STATES)).json()["licences"]
    assert {each["id"]: each["hasTemplate"] for each in listed} == {truth_id: True, another: False}
    gone = (await banco.patch(path, json={"template": None})).json()
    assert (gone["template"], gone["hasTemplate"]) == (None, False)


async def test_members_may_not_see_ground_truth(banco):
    member = await with_new_key(banco, role="MEMBER")
    assert (await member.get(LICENCES)).status_code == 403


async def test_samples_go_with_their_organizations_retention(banco, rival, services):
    await set_retention(banco, 30)
    await add_licence(banco)
    theirs = (await add_licence(rival))["id"]
    async with services.database.transaction() as session:
        old = services.clock.now() - timedelta(days=31)
        await session.execute(update(LicenceTruth).values(created_at=old))
    await retention.purge(JobContext(replace(services, clock=ShiftedClock(timedelta(0))), None))
    assert (await banco.get(LICENCES)).json()["licences"] == []
    assert (await rival.get(f"{LICENCES}/{theirs}")).status_code == 200
    assert await count(services, "truth_file") == 1
