"""Unfinished verifications end EXPIRED; nothing that happens later changes that."""

import pytest
from sqlalchemy import text

from acredita_synthetic.ground_truth import SpecimenKind
from tests.factories.housekeeping import hurry
from tests.factories.organizations import make_verification
from tests.pipeline.conftest import kinds_of_events, picture, show, until

pytestmark = pytest.mark.usefixtures("worker")


async def run_out(services, verification_id):
    async with services.database.transaction() as session:
        await session.execute(
            text("UPDATE verification SET expires_at = now() - interval '1 s' WHERE id = :id"),
            {"id": verification_id},
        )


async def test_a_verification_past_its_time_expires_and_takes_no_more_uploads(banco, services):
    verification_id = await make_verification(banco)
    other = await make_verification(banco)
    await run_out(services, verification_id)

    async def expired():
        await hurry(services, recurring=True)
        return (await show(banco, verification_id))["verification"]["status"] == "EXPIRED"

    await until(expired)
    assert await kinds_of_events(services, verification_id) == [
        "verification.created",
        "verification.updated",
    ]
    refused = await banco.post(
        f"/v1/verifications/{verification_id}/inputs",
        files={"front": ("f.jpg", picture(SpecimenKind.INE_FRONT, 20), "image/jpeg")},
    )
    assert refused.status_code == 409
    assert refused.json()["error"]["code"] == "VERIFICATION_CLOSED"
    assert (await show(banco, other))["verification"]["status"] == "PENDING"
