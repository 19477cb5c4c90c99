"""Simulations of policies on past verifications."""

import asyncio
from uuid import UUID

from sqlalchemy import text

from acredita.domain.verification import StepStatus
from acredita.jobs import Queue
from acredita.jobs.runner import Runner
from acredita.resources.policy_trials import jobs
from acredita.resources.policy_trials import past_verifications as past
from tests.api.verifications.test_history import decide as review
from tests.api.workflows.test_policy_routes import PATH, decide, rules
from tests.factories.organizations import make_verification, make_workflow, with_new_key

DUE = "UPDATE job SET run_at = now() WHERE state = 'pending' AND kind = 'policies.simulate'"


async def work(services):
    """Do the simulations' jobs that are due, once."""
    async with services.database.transaction() as session:
        await session.execute(text(DUE))
    runner = Runner(services, {Queue.LIGHT: 8})
    try:
        await runner.pull(Queue.LIGHT)
        while runner.in_flight:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    finally:
        await runner.stop(grace=5)


async def save(member, document):
    created = await member.post(PATH, json={"name": "Riesgo", **document})
    assert created.status_code == 201, created.text
    return created.json()["policy"]["id"]


async def start(member, policy_id, **body):
    answer = await member.post(f"{PATH}/{policy_id}/simulate", json=body)
    assert answer.status_code == 202, answer.text
    assert answer.json()["simulation"]["status"] == "RUNNING"
    return answer.headers["Location"]


async def found(member, address):
    answer = await member.get(address)
    assert answer.status_code == 200, answer.text
    return answer.json()["simulation"]


def cells(listed, *keys):
    return {tuple(cell[key] for key in keys): cell["verifications"] for cell in listed}


async def test_the_simulations_of_a_policy_are_listed_newest_first(banco, rival):
    policy_id = await save(banco, rules("true"))
    # Without a body too, and with one that cancels the one before.
    first = await banco.post(f"{PATH}/{policy_id}/simulate")
    assert first.status_code == 202, first.text
    assert first.json()["simulation"]["filters"]["most"] == 100_000
    await start(banco, policy_id, most=5)
    address = f"{PATH}/{policy_id}/simulations"
    reviewer = await with_new_key(banco, "REVIEWER")
    page = (await reviewer.get(address)).json()
    assert [each["status"] for each in page["simulations"]] == ["RUNNING", "CANCELLED"]
    assert page["simulations"][1]["id"] == first.json()["simulation"]["id"]
    assert page["pagination"]["total"] == 2
    second = (await reviewer.get(address, params={"limit": 1, "offset": 1})).json()
    assert second["simulations"] == page["simulations"][1:]
    assert (await rival.get(address)).status_code == 404
    assert (await banco.get(f"{PATH}/{await make_workflow(banco)}/simulations")).status_code == 404
    for path in (f"{PATH}/{policy_id}/simulate", f"{PATH}/{policy_id}/publish"):
        answer = await banco.post(path, content="{}", headers={"Content-Type": "text/plain"})
        assert answer.status_code == 415
    assert (await banco.post(f"{PATH}/{policy_id}/publish")).status_code == 415


async def test_a_draft_is_counted_on_past_verifications_and_goes_on_after_a_crash(
    banco, rival, services, monkeypatch
):
    workflow_id, other = await make_workflow(banco), await make_workflow(banco)
    approved = [(await decide(banco, services, workflow_id))[0] for _ in range(3)]
    doubtful = [
        (await decide(banco, services, workflow_id, StepStatus.REVIEW))[0] for _ in range(3)
    ]
    assert (await review(banco, doubtful[0], "REJECTED")).is_success
    assert (await review(banco, doubtful[1], "APPROVED")).is_success
    await decide(banco, services, other)
    await decide(rival, services, await make_workflow(rival))
    await make_verification(banco, workflow_id)  # not completed
    async with services.database.transaction() as session:
        purge = "UPDATE verification SET purged_at = now() WHERE id = :id"
        await session.execute(text(purge), {"id": UUID(approved[0])})
        spoil = "UPDATE verification_step SET result_sealed = '\\x00' WHERE verification_id = :id"
        await session.execute(text(spoil), {"id": UUID(approved[1])})
    before = await everything(services)

    policy_id = await save(banco, rules("steps.review > 0", then={"outcome": "REJECT"}))
    address = await start(banco, policy_id, workflowId=workflow_id)
    # The second batch of two crashes once: the first one's counts stay, and are not added twice.
    monkeypatch.setattr(jobs, "BATCH", 2)
    calls, judge_all = [], past.judge_all

    def crash_once(*arguments):
        calls.append(arguments)
        if len(calls) == 2:
            raise RuntimeError("a crash")
        return judge_all(*arguments)

    monkeypatch.setattr(past, "judge_all", crash_once)
    await work(services)
    half = await found(banco, address)
    assert (half["status"], half["total"], half["processed"]) == ("RUNNING", 6, 2)
    await work(services)
    done = await found(banco, address)
    assert (done["status"], done["processed"], done["evaluated"]) == ("DONE", 6, 4)
    assert done["changed"] == 3
    assert cells(done["matrix"], "decided", "simulated") == {
        ("APPROVED", "APPROVED"): 1,
        ("MANUAL_REVIEW", "REJECTED"): 3,
    }
    (rejected,) = [cell for cell in done["matrix"] if cell["simulated"] == "REJECTED"]
    assert set(rejected["examples"]) == set(doubtful)
    assert cells(done["reviewed"], "decided", "simulated", "reviewer") == {
        ("MANUAL_REVIEW", "REJECTED", "APPROVED"): 1,
        ("MANUAL_REVIEW", "REJECTED", "REJECTED"): 1,
    }
    assert (done["agreedBefore"], done["agreedSimulated"]) == (0, 1)
    assert cells(done["notEvaluated"], "reason") == {("PURGED",): 1, ("UNREADABLE",): 1}
    assert await everything(services) == before

    # Only the newest two; a condition without a result leads to review, and is counted.
    lost = await save(banco, rules("metadata['absent'] == 'x'", otherwise={"outcome": "APPROVE"}))
    address_of_two = await start(banco, lost, workflowId=workflow_id, most=2)
    await work(services)
    two = await found(banco, address_of_two)
    assert (two["status"], two["total"], two["withoutResult"]) == ("DONE", 2, 2)
    assert [cell["simulated"] for cell in two["matrix"]] == ["MANUAL_REVIEW"]
    # Nobody else's, and not under another policy.
    for member, path in ((rival, address), (banco, address.replace(policy_id, lost))):
        assert (await member.get(path)).status_code == 404
    for member, body in ((rival, {}), (banco, {"workflowId": policy_id}), (banco, {"version": 2})):
        assert (await member.post(f"{PATH}/{policy_id}/simulate", json=body)).status_code == 404


async def test_a_cancelled_simulation_keeps_its_counts_and_adds_none(
    banco, rival, services, monkeypatch
):
    workflow_id = await make_workflow(banco)
    for _ in range(4):
        await decide(banco, services, workflow_id)
    policy_id = await save(banco, rules("true", then={"outcome": "REJECT"}))
    address = await start(banco, policy_id)
    path = f"{address}/cancel"
    reviewer = await with_new_key(banco, "REVIEWER")
    assert [(await each.post(path)).status_code for each in (rival, reviewer)] == [404, 403]
    assert (await found(banco, address))["status"] == "RUNNING"
    # While the second batch of two is judged.
    monkeypatch.setattr(jobs, "BATCH", 2)
    loop, judge_all, answers = asyncio.get_running_loop(), past.judge_all, []

    def cancel_later(*arguments):
        if (judged := len(answers)) == 1:
            cancelling = asyncio.run_coroutine_threadsafe(banco.post(path), loop)
            answers.append(cancelling.result(10).json()["simulation"])
        elif judged == 0:
            answers.append(None)
        return judge_all(*arguments)

    monkeypatch.setattr(past, "judge_all", cancel_later)
    await work(services)
    ended = await found(banco, address)
    assert answers == [None, ended]
    assert (ended["status"], ended["processed"], ended["total"]) == ("CANCELLED", 2, 4)
    assert cells(ended["matrix"], "decided", "simulated") == {("APPROVED", "REJECTED"): 2}
    # Once more changes nothing, and is not recorded again.
    again = await banco.post(path)
    assert (again.status_code, again.json()["simulation"]) == (200, ended)
    log = await banco.get("/v1/audit-logs", params={"action": "policy.simulation_cancelled"})
    (entry,) = log.json()["auditLogs"]
    assert entry["details"] == {"simulation": ended["id"], "processed": 2}
    # The next one is free to begin, and one that is done stays done.
    address = await start(banco, policy_id)
    await work(services)
    done = await found(banco, address)
    assert (done["status"], done["processed"]) == ("DONE", 4)
    assert (await banco.post(f"{address}/cancel")).json()["simulation"] == done


async def everything(services):
    async with services.database.reading() as connection:
        rows = await connection.execute(
            text(
                "SELECT to_jsonb(v)::text FROM verification v UNION ALL"
                " SELECT to_jsonb(s)::text FROM verification_step s UNION ALL"
                " SELECT to_jsonb(h)::text FROM verification_history h"
            )
        )
        return sorted(row[0] for row in rows)


async def test_a_simulation_ends_when_its_draft_changes_or_another_one_begins(banco, services):
    await decide(banco, services, await make_workflow(banco))
    policy_id = await save(banco, rules("true"))
    first = await start(banco, policy_id)
    second = await start(banco, policy_id)
    assert (await found(banco, first))["status"] == "CANCELLED"
    assert (await banco.put(f"{PATH}/{policy_id}/draft", json=rules("false"))).is_success
    await work(services)
    ended = await found(banco, second)
    assert (ended["status"], ended["processed"], ended["matrix"]) == ("CANCELLED", 0, [])
    assert ended["finishedAt"] is not None
    third = await start(
        banco, policy_id, since="2020-01-01T00:00:00Z", until="2021-01-01T00:00:00Z"
    )
    await work(services)
    none = await found(banco, third)
    assert (none["status"], none["total"], none["matrix"]) == ("DONE", 0, [])
