import pytest

from tests.factories.organizations import make_workflow


async def test_a_created_workflow_answers_with_its_steps_in_the_order_of_execution(banco):
    steps = [
        {"type": "GOVERNMENT_VERIFY", "order": 2},
        {"type": "DOCUMENT_OCR", "order": 0, "config": {"requireBack": True}},
        {"type": "LIVENESS", "order": 2, "config": None},
    ]
    answer = await banco.post(
        "/v1/workflows", json={"name": "Alta", "description": None, "steps": steps}
    )
    assert answer.status_code == 201
    workflow = answer.json()["workflow"]
    assert set(workflow) == {
        *("id", "name", "isActive", "steps", "createdAt"),
        *("policyId", "shadowPolicyId", "allowFiles"),
    }
    assert workflow["isActive"] is True
    assert [step["type"] for step in workflow["steps"]] == [
        "DOCUMENT_OCR",
        "GOVERNMENT_VERIFY",
        "LIVENESS",
    ]
    assert all(set(step) == {"id", "type", "order"} for step in workflow["steps"])
    assert answer.headers["location"] == f"/v1/workflows/{workflow['id']}"

    shown = (await banco.get(f"/v1/workflows/{workflow['id']}")).json()
    policies = {"policyId", "shadowPolicyId", "allowFiles"}
    assert set(shown) - policies == {"id", "name", "description", "isActive", "steps", "createdAt"}
    assert (shown["policyId"], shown["shadowPolicyId"]) == (None, None)
    assert shown["allowFiles"] is True
    assert shown["steps"][0]["config"] == {"requireBack": True}
    assert shown["steps"][1]["config"] == {}


async def test_the_list_is_newest_first_and_the_organizations_own(banco, rival):
    first, second = await make_workflow(banco), await make_workflow(banco)
    foreign = await make_workflow(rival)
    listed = (await banco.get("/v1/workflows")).json()["workflows"]
    assert [workflow["id"] for workflow in listed] == [second, first]
    assert (await banco.get(f"/v1/workflows/{foreign}")).status_code == 404


STEP = {"type": "DOCUMENT_OCR", "order": 0}


@pytest.mark.parametrize(
    "body",
    [
        {"steps": [STEP]},
        {"name": None, "steps": [STEP]},
        {"name": "", "steps": [STEP]},
        {"name": "x" * 201, "steps": [STEP]},
        {"name": "x", "description": "x" * 1001, "steps": [STEP]},
        {"name": "x"},
        {"name": "x", "steps": []},
        {"name": "x", "steps": [STEP | {"type": "OTHER"}]},
        {"name": "x", "steps": [STEP | {"order": -1}]},
        {"name": "x", "steps": [STEP | {"order": "1"}]},
        {"name": "x", "steps": [STEP | {"order": True}]},
        {"name": "x", "steps": [STEP | {"order": 1.5}]},
        {"name": "x", "steps": [STEP | {"config": []}]},
        {"name": "x", "steps": [STEP | {"config": {"x": "y" * 16_384}}]},
        {"name": "x", "steps": [STEP | {"extra": 1}]},
        {"name": "x", "steps": [STEP], "isActive": True},
        {"name": "x", "steps": [STEP], "id": "0b6a4c3e-1f7b-4c55-9a51-2f9b8f0d3a11"},
    ],
)
async def test_a_workflow_out_of_bounds_is_refused_and_not_stored(banco, body):
    answer = await banco.post("/v1/workflows", json=body)
    assert answer.status_code == 422, answer.text
    assert (await banco.get("/v1/workflows")).json() == {"workflows": []}
