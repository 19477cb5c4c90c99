from pathlib import Path
from uuid import uuid4

import pytest

from acredita.domain import steps
from tests.factories.organizations import make_verification, make_workflow, with_new_key

STEP = {"type": "DOCUMENT_OCR", "order": 0}


async def show(member, workflow_id):
    return (await member.get(f"/v1/workflows/{workflow_id}")).json()


async def step_types(member, verification_id):
    shown = (await member.get(f"/v1/verifications/{verification_id}")).json()["verification"]
    return [step["type"] for step in shown["steps"]]


async def test_a_change_can_deactivate_like_a_deletion(banco):
    workflow_id = await make_workflow(banco)
    path = f"/v1/workflows/{workflow_id}"
    assert (await banco.patch(path, json={"isActive": True})).json()["isActive"] is True
    changed = await banco.patch(path, json={"name": "Antiguo", "isActive": False})
    assert (changed.json()["name"], changed.json()["isActive"]) == ("Antiguo", False)
    for _ in range(2):
        again = await banco.patch(path, json={"isActive": False})
        assert again.json() == await show(banco, workflow_id)
    for body in ({"isActive": True}, {"name": "Otra"}, {"name": "Otra", "isActive": False}):
        refused = await banco.patch(path, json=body)
        assert refused.json()["error"]["code"] == "WORKFLOW_INACTIVE"
    started = await banco.post("/v1/verifications", json={"workflowId": workflow_id})
    assert started.json()["error"]["code"] == "WORKFLOW_INACTIVE"
    actions = [each["action"] for each in (await banco.get("/v1/audit-logs")).json()["auditLogs"]]
    assert actions.count("workflow.deleted") == actions.count("workflow.updated") == 1


async def test_what_is_left_out_stays_and_the_answer_is_the_workflow(banco):
    workflow_id = await make_workflow(banco)
    before = await show(banco, workflow_id)
    path = f"/v1/workflows/{workflow_id}"
    answer = await banco.patch(path, json={"description": "Para cuentas nuevas"})
    assert answer.status_code == 200
    assert answer.json() == before | {"description": "Para cuentas nuevas"}
    answer = await banco.patch(path, json={"name": "Otra", "description": None})
    assert answer.json() == before | {"name": "Otra"}
    steps = [{"type": "LIVENESS", "order": 7}, {"type": "FACE_MATCH", "order": 3}]
    changed = (await banco.patch(path, json={"steps": steps})).json()
    assert [(s["type"], s["order"]) for s in changed["steps"]] == [
        ("FACE_MATCH", 3),
        ("LIVENESS", 7),
    ]
    assert changed == await show(banco, workflow_id)
    assert (await banco.patch(path, json={})).json() == changed
    logs = (await banco.get(f"/v1/audit-logs?resourceId={workflow_id}")).json()["auditLogs"]
    assert [entry["details"].get("changes") for entry in logs] == [
        ["steps"],
        ["description", "name"],
        ["description"],
        None,
    ]


@pytest.mark.parametrize(
    "body",
    [
        {"name": None},
        {"name": ""},
        {"name": "x" * 201},
        {"description": "x" * 1001},
        {"steps": None},
        {"steps": []},
        {"steps": [STEP | {"config": {"requireBack": "yes"}}]},
        {"isActive": None},
        {"id": str(uuid4())},
        {"organizationId": str(uuid4())},
        {"createdAt": "2026-01-01T00:00:00Z"},
    ],
)
async def test_a_change_out_of_bounds_changes_nothing(banco, body):
    """TEN-05, in part: a caller cannot set a field that is not theirs."""
    workflow_id = await make_workflow(banco)
    before = await show(banco, workflow_id)
    answer = await banco.patch(f"/v1/workflows/{workflow_id}", json={"name": "Otra"} | body)
    assert answer.status_code == 422, answer.text
    assert await show(banco, workflow_id) == before


async def test_a_change_is_for_later_verifications_alone(banco):
    workflow_id = await make_workflow(banco, "DOCUMENT_OCR", "FACE_MATCH")
    earlier = await make_verification(banco, workflow_id)
    await banco.patch(f"/v1/workflows/{workflow_id}", json={"steps": [STEP]})
    later = await make_verification(banco, workflow_id)
    assert await step_types(banco, earlier) == ["DOCUMENT_OCR", "FACE_MATCH"]
    assert await step_types(banco, later) == ["DOCUMENT_OCR"]


async def test_a_process_that_remembers_a_workflow_creates_as_it_is_now(banco, rival):
    """Also within the transaction of an Idempotency-Key."""
    workflow_id = await make_workflow(banco, "DOCUMENT_OCR", "FACE_MATCH")
    body, path = {"workflowId": workflow_id}, f"/v1/workflows/{workflow_id}"
    keys = ({}, {"Idempotency-Key": "1"})
    for headers in keys:
        await make_verification(banco, workflow_id)
        foreign = await rival.post("/v1/verifications", json=body, headers=headers)
        assert (foreign.status_code, foreign.json()["error"]["code"]) == (404, "NOT_FOUND")
        await banco.patch(path, json={"steps": [STEP]})
        created = await banco.post("/v1/verifications", json=body, headers=headers)
        assert await step_types(banco, created.json()["verification"]["id"]) == ["DOCUMENT_OCR"]
        await banco.patch(path, json={"steps": [STEP, STEP | {"type": "FACE_MATCH", "order": 1}]})
    total = (await banco.get("/v1/verifications")).json()["pagination"]["total"]
    await banco.delete(path)
    for headers in ({}, {"Idempotency-Key": "2"}):
        refused = await banco.post("/v1/verifications", json=body, headers=headers)
        assert (refused.status_code, refused.json()["error"]["code"]) == (409, "WORKFLOW_INACTIVE")
    assert (await banco.get("/v1/verifications")).json()["pagination"]["total"] == total == 4


async def test_a_workflow_that_asks_a_registry_no_more_needs_none(banco, app, monkeypatch):
    """What a process remembers of it refuses nothing."""
    workflow_id = await make_workflow(banco, "GOVERNMENT_VERIFY")
    await make_verification(banco, workflow_id)
    settings = type(app.state.services.settings)
    await banco.patch(f"/v1/workflows/{workflow_id}", json={"steps": [STEP]})
    monkeypatch.setattr(settings, "has_registries", False)
    await make_verification(banco, workflow_id)


async def test_a_deleted_workflow_is_shown_inactive_and_serves_what_is_in_flight(banco):
    workflow_id = await make_workflow(banco, "DOCUMENT_OCR", "FACE_MATCH")
    in_flight = await make_verification(banco, workflow_id)
    path = f"/v1/workflows/{workflow_id}"
    for _ in range(2):
        answer = await banco.delete(path)
        assert (answer.status_code, answer.content) == (204, b"")
    assert (await show(banco, workflow_id))["isActive"] is False
    assert [w["id"] for w in (await banco.get("/v1/workflows")).json()["workflows"]] == [
        workflow_id
    ]
    refused = await banco.post("/v1/verifications", json={"workflowId": workflow_id})
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "WORKFLOW_INACTIVE")
    changed = await banco.patch(path, json={"name": "Otra"})
    assert (changed.status_code, changed.json()["error"]["code"]) == (409, "WORKFLOW_INACTIVE")
    assert await step_types(banco, in_flight) == ["DOCUMENT_OCR", "FACE_MATCH"]
    deletions = (await banco.get("/v1/audit-logs?action=workflow.deleted")).json()
    assert deletions["pagination"]["total"] == 1


THEME = {
    "logoUrl": "https://banco.example/logo.svg",
    "fontFamily": "Inter",
    "accentColor": "#0A84ff",
    "errorColor": "#000000",
    "warningColor": "#ffffff",
    "successColor": "#123456",
    "backgroundColor": "#abcdef",
    "bodyTextColor": "#ABCDEF",
    "titleTextColor": "#111111",
    "subtitleColor": "#222222",
    "borderColor": "#333333",
}


async def test_a_theme_is_set_as_a_whole_and_anyone_sees_it(client, banco):
    path = f"/v1/workflows/{await make_workflow(banco)}/theme"
    unset = dict.fromkeys(THEME)
    assert (await client.get(path)).json() == unset
    answer = await banco.put(path, json=THEME)
    assert (answer.status_code, answer.json()) == (200, THEME)
    assert (await client.get(path)).json() == THEME
    answer = await banco.put(path, json={"accentColor": "#000000", "logoUrl": None})
    assert answer.json() == unset | {"accentColor": "#000000"}
    assert (await client.get(path)).json() == answer.json()
    assert (await banco.put(path, json={})).json() == unset


@pytest.mark.parametrize(
    "body",
    [
        {"accentColor": "#fff"},
        {"accentColor": "red"},
        {"accentColor": "#0A84fg"},
        {"accentColor": "#0A84ff\n"},
        {"accentColor": 0},
        {"fontFamily": "x" * 101},
        {"logoUrl": "http://banco.example/logo.svg"},
        {"logoUrl": "javascript:alert(1)"},
        {"logoUrl": "https://"},
        {"logoUrl": "https://user:secret@banco.example/"},
        {"logoUrl": 'https://banco.example/" onload="x'},
        {"logoUrl": "https://banco.example/" + "x" * 2048},
        {"logoUrl": "//banco.example/logo.svg"},
        {"primaryColor": "#000000"},
    ],
)
async def test_a_theme_out_of_bounds_changes_nothing(client, banco, body):
    path = f"/v1/workflows/{await make_workflow(banco)}/theme"
    await banco.put(path, json=THEME)
    assert (await banco.put(path, json=THEME | body)).status_code == 422
    assert (await client.get(path)).json() == THEME


async def test_setting_a_theme_takes_an_admin_of_the_organization(client, banco, rival):
    path = f"/v1/workflows/{await make_workflow(banco)}/theme"
    assert (await client.put(path, json=THEME)).status_code == 401
    assert (await rival.put(path, json=THEME)).status_code == 404
    for role in ("REVIEWER", "MEMBER"):
        lower = await with_new_key(banco, role)
        assert (await lower.put(path, json=THEME)).status_code == 403
    assert (await client.get(path)).json() == dict.fromkeys(THEME)


@pytest.mark.parametrize(
    "table", [steps.options_table(), Path("docs/integrators/workflow-steps.md").read_text()]
)
def test_the_documented_options_are_those_that_are_checked(table):
    rows = [line.split("|")[1:3] for line in table.splitlines() if line.count("|") == 6]
    documented = {(step.strip(), option.strip()) for step, option in rows[2:]}
    assert documented == {
        (kind.type, option.name) for kind in steps.KINDS.values() for option in kind.options
    }
