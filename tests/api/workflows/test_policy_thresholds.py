"""A threshold that keeps a share of wrong approvals, proposed as the draft of a policy."""

from uuid import UUID

import orjson
from sqlalchemy import text

from acredita.domain.risk_control import Scores
from acredita.domain.verification import StepStatus
from acredita.resources.verifications import queries
from tests.api.verifications.test_history import decide as review
from tests.api.workflows.test_policy_routes import APPROVE, PATH, decide, rules
from tests.api.workflows.test_policy_simulations import found, save, start, work
from tests.factories.organizations import make_workflow


async def reviewed(member, services, workflow_id, similarity, outcome):
    """A verification in review with this similarity, which a reviewer decided."""
    verification_id, _ = await decide(member, services, workflow_id, StepStatus.REVIEW)
    async with services.database.transaction() as session:
        (step,) = await queries.list_steps(session, UUID(verification_id))
        step.result.seal(services.keys, {"similarity": similarity})
    assert (await review(member, verification_id, outcome)).is_success


async def count_instead(services, address, scores):
    """As if the simulation had found these scores."""
    statement = (
        "UPDATE policy_simulation SET counts = jsonb_set(counts, '{scores}', CAST(:new AS jsonb))"
        " WHERE id = :id"
    )
    arguments = {"new": orjson.dumps(scores.document()).decode(), "id": address.split("/")[-1]}
    async with services.database.transaction() as session:
        await session.execute(text(statement), arguments | {"id": UUID(arguments["id"])})


async def test_a_threshold_is_proposed_with_its_data_and_withholds_what_is_below(
    banco, rival, services
):
    workflow_id = await make_workflow(banco, "FACE_MATCH")
    await reviewed(banco, services, workflow_id, 0.935, "APPROVED")
    await reviewed(banco, services, workflow_id, 0.5, "REJECTED")
    await decide(banco, services, workflow_id)  # no reviewer decided it
    policy_id = await save(banco, rules("steps.codes == ['DOCUMENT_EXPIRED']", then=APPROVE))
    unmeasured = await start(banco, policy_id)
    body = {"name": "Con umbral"}
    for _ in range(2):
        refused = await banco.post(f"{unmeasured}/threshold", json=body)
        assert refused.json()["error"]["code"] == "SIMULATION_NOT_MEASURED"
        await work(services)
    for measure in ("screening.score", "person.age", "x"):
        answer = await banco.post(f"{PATH}/{policy_id}/simulate", json={"measure": measure})
        assert answer.status_code == 422
    address = await start(banco, policy_id, measure="face.similarity")
    await work(services)
    assert (await found(banco, address))["measure"] == "face.similarity"
    # Two scores are too few.
    none = (await banco.post(f"{address}/threshold", json=body)).json()
    assert (none["policyId"], none["proposal"]["threshold"]) == (None, None)
    assert none["proposal"]["tested"] + none["proposal"]["pilot"] == 2
    assert none["proposal"]["needed"] == 598
    scores = Scores({187: 1000, 120: 300}, {120: 200}, {187: 250, 120: 120})
    await count_instead(services, address, scores)
    answer = await banco.post(f"{address}/threshold", json=body | {"limit": 0.01})
    assert answer.status_code == 200, answer.text
    proposal, created = answer.json()["proposal"], answer.json()["policyId"]
    # All 1,000 from 0.935 on are right; the next scores are at 0.6.
    assert (proposal["threshold"], proposal["tested"], proposal["pilot"]) == (0.605, 1500, 370)
    assert 0 < proposal["upperBound"] < 0.01
    assert (proposal["tests"][-1]["threshold"], proposal["tests"][-1]["wrong"]) == (0.6, 200)
    assert proposal["notCovered"]
    draft = (await banco.get(f"{PATH}/{created}")).json()["policy"]["versions"][0]
    assert (draft["status"], draft["basis"]) == ("DRAFT", proposal)
    assert [rule["when"] for rule in draft["rules"]] == [
        "(steps.codes == ['DOCUMENT_EXPIRED']) && (!face.known || face.similarity < 0.605)",
        "steps.codes == ['DOCUMENT_EXPIRED']",
        "(!face.known || face.similarity < 0.605) && steps.failed == 0 && steps.review == 0",
    ]
    # The draft approves the one above the threshold, and sends the rest to review.
    trial = await start(banco, created)
    await work(services)
    cells = (await found(banco, trial))["reviewed"]
    assert {(cell["simulated"], cell["reviewer"]) for cell in cells} == {
        ("APPROVED", "APPROVED"),
        ("MANUAL_REVIEW", "REJECTED"),
    }
    # Other rules rest on nothing.
    await banco.put(f"{PATH}/{created}/draft", json=rules("true"))
    changed = (await banco.get(f"{PATH}/{created}")).json()["policy"]["versions"][0]
    assert changed["basis"] is None
    assert (await rival.post(f"{address}/threshold", json=body)).status_code == 404
