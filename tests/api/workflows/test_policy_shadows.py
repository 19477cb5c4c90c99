"""A draft as a shadow: it is compared with live decisions and has no effect on them."""

from uuid import UUID

from sqlalchemy import text

from acredita.domain.verification import StepStatus
from acredita.kit.crypto import KeyRing
from acredita.resources.verifications import policy_decisions
from tests.api.verifications.test_history import history_of
from tests.api.workflows.test_policy_routes import PATH, decide, publish, rules, with_policy
from tests.api.workflows.test_policy_simulations import cells, save
from tests.factories.organizations import make_workflow

REJECT = {"outcome": "REJECT"}


async def shadow(member, workflow_id, policy_id):
    answer = await member.patch(f"/v1/workflows/{workflow_id}", json={"shadowPolicyId": policy_id})
    assert answer.status_code == 200, answer.text
    assert answer.json()["shadowPolicyId"] == policy_id


async def compared(member, workflow_id):
    answer = await member.get(f"/v1/workflows/{workflow_id}/shadow")
    assert answer.status_code == 200, answer.text
    return answer.json()["shadow"]


async def test_a_shadow_is_counted_beside_what_decides_and_changes_nothing(banco, rival, services):
    workflow_id = await with_policy(banco, await publish(banco, rules("steps.review > 0")))
    assert await compared(banco, workflow_id) is None
    _, alone = await decide(banco, services, workflow_id)
    draft = await save(banco, rules("steps.passed == 1", then=REJECT))
    await shadow(banco, workflow_id, draft)
    passed, beside = await decide(banco, services, workflow_id)
    doubtful, _ = await decide(banco, services, workflow_id, StepStatus.REVIEW)
    # The same decision as without the shadow, in the same words.
    assert beside["details"] == alone["details"]
    assert (await history_of(banco, passed))["history"][-1]["details"]["newStatus"] == "APPROVED"
    counts = await compared(banco, workflow_id)
    assert (counts["compared"], counts["changed"], counts["withoutResult"]) == (2, 1, 0)
    assert cells(counts["matrix"], "decided", "proposed") == {
        ("APPROVED", "REJECTED"): 1,
        ("MANUAL_REVIEW", "MANUAL_REVIEW"): 1,
    }
    assert [cell["examples"] for cell in counts["matrix"]] == [[passed], [doubtful]]
    # Other rules are compared from the beginning, also beside no policy at all.
    await banco.put(f"{PATH}/{draft}/draft", json=rules("metadata['absent'] == 'x'"))
    await banco.patch(f"/v1/workflows/{workflow_id}", json={"policyId": None})
    assert (await compared(banco, workflow_id))["compared"] == 0
    _, without = await decide(banco, services, workflow_id)
    assert "policy" not in without["details"]
    counts = await compared(banco, workflow_id)
    assert (counts["compared"], counts["withoutResult"]) == (1, 1)
    # Nobody else's.
    assert (await rival.get(f"/v1/workflows/{workflow_id}/shadow")).status_code == 404
    theirs = await rival.patch(
        f"/v1/workflows/{await make_workflow(rival)}", json={"shadowPolicyId": draft}
    )
    assert theirs.status_code == 404


async def test_a_shadow_that_fails_ends_no_decision(banco, services, monkeypatch):
    for fault in ("document", "statement", "judging"):
        workflow_id, draft = await make_workflow(banco), await save(banco, rules("true"))
        await shadow(banco, workflow_id, draft)
        with monkeypatch.context() as patch:
            if fault == "document":
                async with services.database.transaction() as session:
                    spoil = "UPDATE policy_version SET document = '{}' WHERE policy_id = :id"
                    await session.execute(text(spoil), {"id": UUID(draft)})
            elif fault == "statement":
                # A fault of PostgreSQL ends the transaction without a savepoint.
                async def fail(session, *_):
                    await session.execute(text("SELECT 1 / 0"))

                patch.setattr(policy_decisions, "facts_of", fail)
            else:
                patch.setattr(policy_decisions, "judge", lambda *_: 1 // 0)
            _, decided = await decide(banco, services, workflow_id)
        assert decided["details"]["newStatus"] == "APPROVED", fault
        assert (await compared(banco, workflow_id))["compared"] == 0, fault


async def test_a_shadow_opens_nothing_a_second_time(banco, services, monkeypatch):
    opened, unseal = [], KeyRing.unseal

    def counting(self, sealed, *, context):
        opened.append(context)
        return unseal(self, sealed, context=context)

    monkeypatch.setattr(KeyRing, "unseal", counting)
    workflow_id = await with_policy(banco, await publish(banco, rules("steps.failed > 9")))
    await decide(banco, services, workflow_id)
    alone = len(opened)
    await shadow(banco, workflow_id, await save(banco, rules("steps.passed == 1")))
    opened.clear()
    await decide(banco, services, workflow_id)
    assert alone
    assert len(opened) == alone
    assert (await compared(banco, workflow_id))["changed"] == 1
