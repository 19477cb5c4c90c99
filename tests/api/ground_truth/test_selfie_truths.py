"""Selfies and documents of which the answer is known: kept, corrected, exported, deleted."""

import csv
import io
import json
from uuid import UUID

from acredita.models import SelfieTruth, TrialStatus
from tests.factories.samples import SELFIES, add_selfie, picture
from tests.retention.conftest import count

MATCH = {
    "code": None,
    "distance": 0.41,
    "similarity": 0.945,
    "band": "match",
    "engine": "e",
    "calibration": "c",
    "at": "2026-11-21T00:00:00.000Z",
}


async def matched(services, truth_id, **result):
    async with services.database.transaction() as session:
        truth = await session.get(SelfieTruth, UUID(truth_id))
        truth.previous_result, truth.result = truth.result, MATCH | result
        truth.status = TrialStatus.DONE.value


async def test_a_pair_is_kept_and_waits_to_be_compared(banco, rival):
    added = await add_selfie(banco)
    assert (added["isSamePerson"], added["notes"], added["status"]) == (True, "Lote uno", "PENDING")
    assert (await banco.get(f"{SELFIES}/{added['id']}")).json() == added
    assert (await rival.get(SELFIES)).json()["selfies"] == []
    for name in ("selfie-image", "document-image"):
        image = await banco.get(f"{SELFIES}/{added['id']}/{name}")
        assert image.headers["content-type"] == "image/jpeg"


async def test_a_pair_needs_both_pictures_and_an_answer(banco, services):
    for files, truth in (
        (("selfie",), {"isSamePerson": True}),
        (("selfie", "document"), {}),
        (("selfie", "document"), {"isSamePerson": "yes"}),
    ):
        answer = await banco.post(
            f"{SELFIES}/upload",
            files={role: ("a.png", picture()) for role in files},
            data={"truth": json.dumps(truth)},
        )
        assert answer.status_code == 422, answer.text
    assert await count(services, "truth_file") == 0


async def test_a_result_is_right_wrong_or_neither(banco, services):
    truth_id = (await add_selfie(banco))["id"]
    await matched(services, truth_id, band="mismatch", similarity=0.1, distance=0.8)
    assert (await banco.get(f"{SELFIES}/{truth_id}")).json()["isCorrect"] is False
    await banco.patch(f"{SELFIES}/{truth_id}", json={"isSamePerson": False})
    shown = (await banco.get(f"{SELFIES}/{truth_id}")).json()
    assert (shown["isCorrect"], shown["notes"]) == (True, "Lote uno")
    await matched(services, truth_id, band="uncertain")
    shown = (await banco.get(f"{SELFIES}/{truth_id}")).json()
    assert shown["isCorrect"] is None
    assert shown["previousResult"]["band"] == "mismatch"


async def test_pairs_are_filtered_and_exported(banco, services):
    ids = [(await add_selfie(banco, isSamePerson=same))["id"] for same in (True, False)]
    await matched(services, ids[0])
    different = (await banco.get(SELFIES, params={"isSamePerson": "false"})).json()
    assert [each["id"] for each in different["selfies"]] == [ids[1]]
    answer = await banco.get(f"{SELFIES}/export", params={"format": "csv"})
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert [(row["id"], row["similarity"]) for row in rows] == [(ids[0], "0.945"), (ids[1], "")]


async def test_a_deleted_pair_takes_its_pictures_along(banco, services):
    truth_id = (await add_selfie(banco))["id"]
    assert (await banco.delete(f"{SELFIES}/{truth_id}")).status_code == 204
    assert await count(services, "truth_file") == 0
    assert await count(services, "job", "kind = 'retention.delete_file'") == 2
