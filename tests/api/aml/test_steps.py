"""AML_SCREEN: a listed person is not approved, a namesake is not rejected."""

import asyncio
import re

import pytest

from acredita import worker as worker_main
from acredita.jobs import Queue
from acredita.resources.verifications.steps.watchlists import outcome_of
from tests.api.verifications.test_history import history_of
from tests.factories.housekeeping import put_off_housekeeping
from tests.factories.organizations import make_verification, make_workflow
from tests.pipeline.conftest import decided, until

LISTED = {"givenNames": "Ottoline", "paternalSurname": "Fanshawe", "maternalSurname": "Dubois"}
UNLISTED = {"givenNames": "Ana", "paternalSurname": "Jacarandá", "maternalSurname": "Ruiz"}


@pytest.fixture
async def worker(app):
    await put_off_housekeeping(app.state.services, needed=())
    stop = asyncio.Event()
    running = asyncio.create_task(worker_main.serve(app.state.services, (Queue.LIGHT,), stop))
    yield
    stop.set()
    await running


async def verify(member, metadata, *more, **config):
    workflow_id = await make_workflow(member, "AML_SCREEN", *more, config=config)
    shown = await decided(member, await make_verification(member, workflow_id, metadata=metadata))
    step = shown["verification"]["steps"][0]
    return shown["verification"]["status"], step["result"]


@pytest.mark.usefixtures("worker", "sandbox")
async def test_a_listed_person_goes_to_review_and_another_one_is_approved(banco):
    status, result = await verify(banco, LISTED)
    assert (status, result["code"]) == ("MANUAL_REVIEW", "WATCHLIST_MATCH")
    assert result["matches"][0]["score"] >= 0.75
    assert result["reasons"] == ["WATCHLIST_MATCH"]
    assert result["sandbox"] is True
    status, result = await verify(banco, UNLISTED)
    assert (status, result["matches"], result["source"]) == ("APPROVED", [], "metadata")
    record = (await banco.get(f"/v1/aml/screenings/{result['screeningId']}")).json()
    assert (record["question"]["fullName"], record["totalMatches"]) == ("Ana Jacarandá Ruiz", 0)
    assert record["complete"] is record["intact"] is True
    page = (await banco.get("/v1/aml/screenings", params={"callerType": "step"})).json()
    assert [each["totalMatches"] for each in page["screenings"]] == [0, 1]
    newest = (await banco.get("/v1/verifications")).json()["verifications"][0]
    assert page["screenings"][0]["verificationId"] == record["verificationId"] == newest["id"]
    assert page["screenings"][0]["caller"]["type"] == "step"
    hits = (await banco.get("/v1/aml/matches")).json()["matches"]
    assert [each["screeningId"] for each in hits] == [page["screenings"][1]["id"]]
    # Years later, one can say which lists did not name the person.
    newest = (await banco.get("/v1/verifications")).json()["verifications"][0]["id"]
    judged_by = [
        entry["details"]["judgedBy"]
        for entry in (await history_of(banco, newest))["history"]
        if entry["kind"] == "verification.step_finished"
    ]
    lists = (await banco.get("/v1/aml/lists")).json()["lists"]
    (named,) = judged_by
    assert named["lists"] == {each["id"]: [each["version"], each["asOf"]] for each in lists}
    assert re.fullmatch("[0-9a-f]{64}", named["index"]["sha256"])
    status, result = await verify(banco, UNLISTED, lists=["no-such-list"])
    assert (status, result["code"]) == ("MANUAL_REVIEW", "WATCHLISTS_NOT_LOADED")


@pytest.mark.usefixtures("worker", "sandbox")
async def test_a_false_hit_of_a_customer_is_no_reason_for_another_review(banco):
    workflow_id = await make_workflow(banco, "AML_SCREEN")

    async def verified():
        body = {"metadata": LISTED, "externalId": "c-1"}
        shown = await decided(banco, await make_verification(banco, workflow_id, **body))
        return shown["verification"]["status"], shown["verification"]["steps"][0]["result"]

    status, result = await verified()
    assert status == "MANUAL_REVIEW"
    (match,) = result["matches"]
    path = f"/v1/aml/matches/{match['matchId']}"
    opened_at = (await banco.get(path)).json()["match"]["openedAt"]
    review = {"decision": "false_hit", "openedAt": opened_at}
    answer = await banco.post(f"{path}/review", json=review)
    assert answer.status_code == 200, answer.text
    status, result = await verified()
    assert (status, result["openMatches"]) == ("APPROVED", 0)
    assert result["matches"][0]["review"]["state"] == "false_hit"


@pytest.mark.usefixtures("worker")
async def test_without_lists_or_a_name_nobody_is_approved(banco, services):
    status, result = await verify(banco, LISTED)
    assert (status, result["code"]) == ("MANUAL_REVIEW", "WATCHLISTS_NOT_LOADED")
    # Nothing else would begin it: no step needs an upload.
    for metadata in ({"fullName": "Ottoline Fanshawe"}, {"curp": "X"}):
        status, result = await verify(banco, metadata)
        assert (status, result["code"]) == ("MANUAL_REVIEW", "WATCHLIST_NAME_UNKNOWN")
    # A later step needs one, or an act of the person.
    workflow_id = await make_workflow(banco, "AML_SCREEN", "DOCUMENT_OCR")
    waiting = await make_verification(banco, workflow_id, metadata={"curp": "X"})
    shown = (await banco.get(f"/v1/verifications/{waiting}")).json()["verification"]
    assert shown["status"] == "PENDING"
    workflow_id = await make_workflow(banco, "AML_SCREEN", "OTP")
    asked = await make_verification(banco, workflow_id, metadata={"curp": "X"})

    async def look():
        shown = (await banco.get(f"/v1/verifications/{asked}")).json()["verification"]
        found = [step["status"] for step in shown["steps"]]
        return shown if found == ["REVIEW", "WAITING_INPUT"] else None

    assert (await until(look))["status"] == "IN_PROGRESS"


def test_a_match_of_an_uncertain_name_has_both_codes():
    answer = {"screened": True, "matches": [{}], "openMatches": 1}
    uncertain = outcome_of(answer, "documents", is_sure=False)
    assert uncertain.code == "WATCHLIST_MATCH"
    assert uncertain.result["reasons"] == ["WATCHLIST_MATCH", "WATCHLIST_NAME_UNCERTAIN"]
    assert outcome_of(answer, "documents", is_sure=True).result["reasons"] == ["WATCHLIST_MATCH"]
    clean = {"screened": True, "matches": [], "openMatches": 0}
    nobody = outcome_of(clean, "documents", is_sure=False)
    assert nobody.result["reasons"] == [nobody.code] == ["WATCHLIST_NAME_UNCERTAIN"]


async def test_mistyped_options_are_refused(banco):
    for config in ({"lists": []}, {"lists": "sandbox"}, {"fuzzyThreshold": 2}):
        body = {"name": "x", "steps": [{"type": "AML_SCREEN", "order": 0, "config": config}]}
        answer = await banco.post("/v1/workflows", json=body)
        assert answer.status_code == 422, config
