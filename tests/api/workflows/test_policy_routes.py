"""Policies: versions, faults with their place, and what they decide."""

import time
from uuid import UUID

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from acredita.domain.documents import PageKind
from acredita.domain.reasons import DocumentReason
from acredita.domain.subject import Field, Page, Subject
from acredita.domain.verification import StepStatus
from acredita.engines import digests
from acredita.resources.verifications import pipeline
from acredita.resources.verifications.outcome import StepOutcome
from acredita.resources.verifications.steps import running
from tests.api.verifications.test_history import as_owner, history_of, second_user
from tests.api.verifications.test_override import begin, finish, shown
from tests.factories.organizations import make_verification, make_workflow, with_new_key
from tests.factories.pages import block

PATH = "/v1/policies"
PASSED = StepStatus.PASSED
APPROVE, DEFAULT = {"outcome": "APPROVE"}, {"outcome": "DEFAULT"}
REVIEW = {"outcome": "REVIEW", "queue": "fraude", "reasons": ["RISK_ABOVE_LIMIT"]}


def rules(*conditions, then=REVIEW, otherwise=DEFAULT):
    listed = [
        {"name": f"rule {n}", "when": when, "then": then} for n, when in enumerate(conditions)
    ]
    return {"rules": listed, "otherwise": otherwise}


async def publish_draft(member, policy_id):
    """Publish what the newest version holds."""
    policy = (await member.get(f"{PATH}/{policy_id}")).json()["policy"]
    body = {"digest": policy["versions"][0]["digest"]}
    return await member.post(f"{PATH}/{policy_id}/publish", json=body)


async def publish(member, document):
    """A published policy; its id."""
    created = await member.post(PATH, json={"name": "Riesgo", **document})
    assert created.status_code == 201, created.text
    policy_id = created.json()["policy"]["id"]
    published = await publish_draft(member, policy_id)
    assert published.status_code == 200, published.text
    return policy_id


async def with_policy(member, policy_id, *step_types):
    workflow_id = await make_workflow(member, *step_types)
    named = await member.patch(f"/v1/workflows/{workflow_id}", json={"policyId": policy_id})
    assert named.status_code == 200, named.text
    assert named.json()["policyId"] == policy_id
    return workflow_id


async def decide(member, services, workflow_id, status=StepStatus.PASSED):
    verification_id = await make_verification(member, workflow_id)
    assert await finish(services, await begin(services, UUID(verification_id)), status)
    decided = (await history_of(member, verification_id))["history"][-1]
    return verification_id, decided


async def test_a_version_is_a_draft_then_published_and_then_never_changes(banco, rival, services):
    created = (await banco.post(PATH, json={"name": "Riesgo", **rules("true")})).json()["policy"]
    address = f"{PATH}/{created['id']}"
    assert [v["status"] for v in created["versions"]] == ["DRAFT"]
    # A workflow cannot name what decides nothing yet.
    workflow_id = await make_workflow(banco)
    body = {"policyId": created["id"]}
    refused = await banco.patch(f"/v1/workflows/{workflow_id}", json=body)
    assert refused.json()["error"]["code"] == "POLICY_NOT_PUBLISHED"
    saved = await banco.put(f"{address}/draft", json=rules("false"))
    assert [v["version"] for v in saved.json()["policy"]["versions"]] == [1]
    renamed = await banco.put(f"{address}/draft", json={"name": "Alta", **rules("false")})
    assert (saved.json()["policy"]["name"], renamed.json()["policy"]["name"]) == ("Riesgo", "Alta")
    assert (
        renamed.json()["policy"]["versions"][0]["digest"]
        == (saved.json()["policy"]["versions"][0]["digest"])
    )
    assert (await publish_draft(banco, created["id"])).status_code == 200
    assert (await publish_draft(banco, created["id"])).json()["error"]["code"] == "NO_DRAFT"
    await banco.put(f"{address}/draft", json=rules("steps.failed > 0"))
    versions = (await publish_draft(banco, created["id"])).json()["policy"]["versions"]
    assert [(v["version"], v["status"]) for v in versions] == [(2, "PUBLISHED"), (1, "RETIRED")]
    assert versions[1]["rules"][0]["when"] == "false"
    for change in (
        "UPDATE policy_version SET document = '{}'",
        "UPDATE policy_version SET status = 'DRAFT'",
        "DELETE FROM policy_version",
    ):
        with pytest.raises(DBAPIError, match="does not change"):
            async with services.database.transaction() as session:
                await session.execute(text(change))
    assert (await rival.get(address)).status_code == 404
    assert (await rival.get(PATH)).json() == {"policies": []}
    named = await rival.patch(f"/v1/workflows/{await make_workflow(rival)}", json=body)
    assert named.status_code == 404


async def test_faults_are_told_by_rule_line_and_column_when_it_is_saved(banco):
    faulty = rules("true", "face.similaritty <\n 0.5", "person.age > 'x'", "metadata")
    answer = await banco.post(PATH, json={"name": "Riesgo", **faulty})
    assert answer.status_code == 422
    first, second, third = answer.json()["error"]["details"]
    on_the_page = block("docs/compliance/policies.md", "a fault").strip()
    assert first == "body: " + on_the_page.replace("rules.0", "rules.1")
    assert "rules.2.when, line 1, column 12: found no matching overload" in second
    assert "rules.3.when, line 1, column 1: the condition is of the type" in third
    for then, expected in (
        ({"outcome": "REQUIRE_STEP"}, "the outcome REQUIRE_STEP needs `step`"),
        ({"outcome": "ASK_AGAIN"}, "the outcome ASK_AGAIN needs `pictures`"),
        (
            {"outcome": "APPROVE", "step": {"type": "LIVENESS"}},
            "`step` is only for the outcome REQUIRE_STEP",
        ),
        (
            {"outcome": "REVIEW", "pictures": ["selfie"]},
            "`pictures` is only for the outcome ASK_AGAIN",
        ),
        (
            {"outcome": "REQUIRE_STEP", "step": {"type": "LIVENESS", "config": {"mode": 1}}},
            "mode must be",
        ),
        ({"outcome": "REJECT", "reasons": ["SURPRISE"]}, "is not a reason code"),
        ({"outcome": "MAYBE"}, "ASK_AGAIN"),
    ):
        answer = await banco.post(PATH, json={"name": "Riesgo", **rules("true", then=then)})
        assert answer.status_code == 422, then
        (said,) = answer.json()["error"]["details"]
        assert expected in said
    assert (await banco.get(PATH)).json() == {"policies": []}


async def test_a_hostile_policy_is_refused_at_the_cost_of_two_honest_ones(banco):
    async def processor_seconds(document, expected_status):
        started = time.process_time()
        answer = await banco.post(PATH, json=document)
        assert answer.status_code == expected_status
        return time.process_time() - started

    honest = "earlier.rejected > {} || steps.codes.exists(c, c in ['DOCUMENT_EXPIRED', 'AÑO'])"
    document = {"name": "Riesgo", **rules(*map(honest.format, range(100)))}
    of_an_honest_one = await processor_seconds(document, 201)
    nested = "[1,2,3,4,5,6,7,8,9,10].all(a, " * 7 + "true" + ")" * 7
    listed = ",".join(map(str, range(450)))
    for condition in (
        nested + " || {} > 0",
        # Compiling these takes 5 and 10 ms each: no evaluation is dear.
        "'" + "\N{GRINNING FACE}" * 1900 + "' == '{}'",
        f"{{}} in [{listed}]",
        # Each is cheap, and as dear on a small input as on the largest.
        " || ".join(
            f"field.name.value.matches(r'(x|y)*x(x|y){{{{{n}}}}}{{0}}q')" for n in (20, 21, 22)
        ),
        # Dearer with each entry.
        "metadata.exists(k, metadata[k].matches(r'(x|y)*x(x|y){{9}}{}q'))",
    ):
        document = {"name": "Riesgo", **rules(*map(condition.format, range(100)))}
        # Refused by what they cost. Compiled whole, the list of numbers costs fourteen times this.
        assert await processor_seconds(document, 422) < 2 * of_an_honest_one, condition[:40]
    tiny = {"name": "Riesgo", "rules": [{"name": "a", "when": "true", "then": 1}] * 60_000}
    assert (await banco.post(PATH, json=tiny)).status_code == 413


async def test_the_policy_of_a_workflow_decides_and_says_by_which_rule(banco, services):
    policy_id = await publish(banco, rules("person.age > 200", "steps.passed == 1"))
    workflow_id = await with_policy(banco, policy_id)
    verification_id, decided = await decide(banco, services, workflow_id)
    assert (await shown(banco, verification_id))["status"] == "MANUAL_REVIEW"
    details = decided["details"]
    assert (details["rules"], details["reasons"]) == ("policy/1", ["POLICY: RISK_ABOVE_LIMIT"])
    about = details["policy"]
    assert (about["id"], about["version"], about["rule"]) == (policy_id, 1, "rule 1")
    assert (about["queue"], about["withoutPolicy"]) == ("fraude", "APPROVED")
    # The verification itself says it, to those who may read its history, and so does the queue.
    decision = (await shown(banco, verification_id))["decision"]
    assert (decision["status"], decision["reasons"], decision["rules"]) == (
        "MANUAL_REVIEW",
        ["POLICY: RISK_ABOVE_LIMIT"],
        "policy/1",
    )
    assert decision["policy"] == {name: about[name] for name in decision["policy"]}
    assert set(about) - set(decision["policy"]) == {"acts", "circumstances"}
    assert (await shown(await with_new_key(banco, "MEMBER"), verification_id))["decision"] is None
    (waiting,) = (await banco.get("/v1/reviews")).json()["items"]
    assert (waiting["queue"], waiting["rule"]) == ("fraude", "rule 1")
    # No rule applies: as without a policy.
    _, decided = await decide(banco, services, workflow_id, StepStatus.FAILED)
    assert decided["details"]["newStatus"] == "REJECTED"
    assert decided["details"]["rules"] == "decision/1"
    # A policy can approve what would go to review, and the change applies at once.
    draft = rules("steps.codes == ['DOCUMENT_EXPIRED']", then=APPROVE)
    assert (await banco.put(f"{PATH}/{policy_id}/draft", json=draft)).is_success
    assert (await publish_draft(banco, policy_id)).is_success
    _, decided = await decide(banco, services, workflow_id, StepStatus.REVIEW)
    assert decided["details"]["newStatus"] == "APPROVED"
    assert decided["details"]["policy"]["version"] == 2
    # Cleared: the rule without a policy again, with the decision that it always stored.
    await banco.patch(f"/v1/workflows/{workflow_id}", json={"policyId": None})
    _, decided = await decide(banco, services, workflow_id, StepStatus.REVIEW)
    assert decided["details"]["newStatus"] == "MANUAL_REVIEW"
    assert "policy" not in decided["details"]


async def test_a_policy_that_cannot_be_evaluated_ends_in_review(banco, services):
    policy_id = await publish(banco, rules("metadata['absent'] == 'x'", otherwise=APPROVE))
    _, decided = await decide(banco, services, await with_policy(banco, policy_id))
    assert decided["details"]["newStatus"] == "MANUAL_REVIEW"
    assert decided["details"]["reasons"] == ["POLICY: POLICY_NOT_EVALUATED"]


async def test_a_policy_can_require_a_further_step_once(banco, services):
    then = {"outcome": "REQUIRE_STEP", "step": {"type": "LIVENESS", "config": {"light": "off"}}}
    absent = "step.LIVENESS.status == 'ABSENT'"
    policy_id = await publish(banco, rules(absent, then=then))
    verification_id, required = await decide(banco, services, await with_policy(banco, policy_id))
    assert required["kind"] == "verification.step_required"
    verification = await shown(banco, verification_id)
    assert verification["status"] == "IN_PROGRESS"
    assert [(s["type"], s["status"]) for s in verification["steps"]] == [
        ("DOCUMENT_OCR", "PASSED"),
        ("LIVENESS", "WAITING_INPUT"),
    ]
    assert verification["steps"][1]["requires"] == ["liveness"]
    assert await finish(services, UUID(verification["steps"][1]["id"]), StepStatus.PASSED)
    assert (await shown(banco, verification_id))["status"] == "APPROVED"


async def test_two_people_publish_where_the_organization_requires_two(banco, services):
    body = {"requiresSecondReviewer": True}
    assert (await banco.patch("/v1/organizations/me", json=body)).is_success
    owner, admin = await as_owner(banco), await second_user(banco, services, "ADMIN")
    by_key = (await banco.post(PATH, json={"name": "R", **rules("true")})).json()["policy"]["id"]
    by_owner = (await owner.post(PATH, json={"name": "R", **rules("true")})).json()["policy"]["id"]
    for member, policy_id in ((admin, by_key), (owner, by_owner), (banco, by_owner)):
        refused = await publish_draft(member, policy_id)
        assert refused.json()["error"]["code"] == "SECOND_REVIEWER_NEEDED", refused.text
    assert (await publish_draft(admin, by_owner)).status_code == 200
    # Nor does one administrator make the steps of a workflow lenient.
    address = f"/v1/workflows/{await make_workflow(owner, 'AML_SCREEN')}"
    same = [{"type": "AML_SCREEN", "order": 0, "config": {}}]
    lenient = [{"type": "AML_SCREEN", "order": 0, "config": {"when": "false"}}]
    for member, steps, status in ((admin, same, 200), (admin, lenient, 403), (owner, lenient, 200)):
        assert (await member.patch(address, json={"steps": steps})).status_code == status
    default = f"{address}/metamap-default"
    for member, status in ((admin, 403), (owner, 200)):
        assert (await member.put(default, json={"isDefault": True})).status_code == status


async def test_a_draft_is_tried_on_a_decided_verification_and_changes_nothing(
    banco, rival, services
):
    workflow_id = await make_workflow(banco)
    verification_id, decided = await decide(banco, services, workflow_id)
    before = await shown(banco, verification_id)
    address = f"/v1/verifications/{verification_id}/replay"
    today = (await banco.post(address, json={})).json()
    assert (await banco.post(address)).json() == today
    assert (today["status"], today["isSame"], today["policy"]) == ("APPROVED", True, None)
    created = await banco.post(PATH, json={"name": "R", **rules("steps.passed == 1")})
    policy_id = created.json()["policy"]["id"]
    tried = (await banco.post(address, json={"policyId": policy_id})).json()
    assert (tried["status"], tried["isSame"]) == ("MANUAL_REVIEW", False)
    assert (tried["policy"]["rule"], tried["stored"]["status"]) == ("rule 0", "APPROVED")
    assert await shown(banco, verification_id) == before
    assert (await history_of(banco, verification_id))["history"][-1] == decided
    for body in ({"policyId": policy_id, "version": 2}, {"policyId": workflow_id}):
        assert (await banco.post(address, json=body)).status_code == 404
    assert (await rival.post(address, json={})).status_code == 404
    for path in (address, f"{PATH}/{policy_id}/simulate"):
        assert (await banco.post(path, json={"version": 2**31})).status_code == 422
    waiting = await make_verification(banco, workflow_id)
    refused = await banco.post(f"/v1/verifications/{waiting}/replay", json={})
    assert refused.json()["error"]["code"] == "NOTHING_TO_REPLAY"


async def test_evidence_of_two_people_is_not_approved_by_a_policy_that_says_approve(
    banco, services
):
    policy_id = await publish(banco, {"rules": [], "otherwise": APPROVE})
    # The code of a step.
    verification_id = await make_verification(banco, await with_policy(banco, policy_id))
    step_id = await begin(services, UUID(verification_id))
    two = StepOutcome(StepStatus.REVIEW, code=DocumentReason.DOCUMENTS_OF_DIFFERENT_PEOPLE)
    await end_step(services, step_id, two)
    await is_withheld(banco, verification_id, "DOCUMENT_OCR: DOCUMENTS_OF_DIFFERENT_PEOPLE")
    # A doubt across steps, each of which passed by itself.
    types = ("GOVERNMENT_VERIFY", "DOCUMENT_OCR")
    workflow_id = await with_policy(banco, policy_id, *types)
    juan = {"givenNames": "JUAN", "paternalSurname": "PEREZ", "maternalSurname": "RUIZ"}
    verification_id = await make_verification(banco, workflow_id, metadata=juan)
    registries = await begin(services, UUID(verification_id))
    await end_step(services, registries, StepOutcome(PASSED, result={"source": "metadata"}))
    document = UUID((await shown(banco, verification_id))["steps"][1]["id"])
    ana = Subject(PageKind.PASSPORT, (Page(document, 0),), {"givenNames": Field("ANA", True)})
    await end_step(services, document, StepOutcome(PASSED), subject=ana)
    await is_withheld(banco, verification_id, "GOVERNMENT_VERIFY: REGISTRY_PERSON_DIFFERS")
    # One person: the policy approves.
    verification_id, decided = await decide(banco, services, await with_policy(banco, policy_id))
    assert decided["details"]["newStatus"] == "APPROVED"


async def end_step(services, step_id, outcome, subject=None):
    """What the step's job does at its end."""
    async with services.database.transaction() as session:
        found = await running.load(session, step_id, lock=True)
        await pipeline.finish_step(
            session, services, found.verification, found.step, outcome, subject=subject
        )


async def is_withheld(member, verification_id, reason):
    assert (await shown(member, verification_id))["status"] == "MANUAL_REVIEW"
    decision = (await history_of(member, verification_id))["history"][-1]["details"]
    assert decision["reasons"] == [reason, "POLICY: POLICY_APPROVAL_WITHHELD"]
    tried = (await member.post(f"/v1/verifications/{verification_id}/replay", json={})).json()
    assert (tried["status"], tried["isSame"]) == ("MANUAL_REVIEW", True)


async def test_a_step_is_skipped_where_its_condition_is_false(banco, services):
    async def begun(when):
        steps = [
            {"type": "DOCUMENT_OCR", "order": 0},
            {"type": "LIVENESS", "order": 1, "config": {"when": when}},
        ]
        answer = await banco.post("/v1/workflows", json={"name": "Alta", "steps": steps})
        if answer.status_code != 201:
            return answer.json()["error"]["details"]
        workflow_id = answer.json()["workflow"]["id"]
        verification_id = await make_verification(banco, workflow_id)
        await finish(services, await begin(services, UUID(verification_id)), PASSED)
        return verification_id

    verification_id = await begun("step.DOCUMENT_OCR.status == 'REVIEW'")
    verification = await shown(banco, verification_id)
    assert verification["status"] == "APPROVED"
    assert [step["status"] for step in verification["steps"]] == ["PASSED", "SKIPPED"]
    skipped = (await history_of(banco, verification_id))["history"][-2]["details"]
    assert (skipped["stepType"], skipped["status"]) == ("LIVENESS", "SKIPPED")
    assert skipped["judgedBy"] == {
        "when": "step.DOCUMENT_OCR.status == 'REVIEW'",
        **digests.judging(),
    }
    # It applies, or it cannot be evaluated: the step runs.
    for when in ("steps.passed == 1", "metadata['absent'] == 'x'"):
        verification = await shown(banco, await begun(when))
        assert verification["status"] == "IN_PROGRESS"
        assert verification["steps"][1]["status"] == "WAITING_INPUT"
    (fault,) = await begun("face.similaritty > 0.5")
    said = "1.config.when, line 1, column 5: undeclared reference to 'face.similaritty'"
    assert said in fault
    assert "when must be a text" in (await begun(1))[0]
    then = {"outcome": "REQUIRE_STEP", "step": {"type": "LIVENESS", "config": {"when": "true"}}}
    answer = await banco.post(PATH, json={"name": "Riesgo", **rules("true", then=then)})
    assert answer.status_code == 422
