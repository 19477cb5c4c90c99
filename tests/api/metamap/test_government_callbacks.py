"""What a government check found is posted, too, to the address that came with the question."""

import json

import pytest
from sqlalchemy import func, select

from acredita.models import MetamapCallback
from tests.api.metamap.recorded import is_signed
from tests.api.webhooks.conftest import working
from tests.factories.receiver import answer

CHECKS = "/v1/metamap/govchecks/v1/mx"
SECRET = "Un-secreto-2026-largo"
CURP = "CURA900505MDFRZN03"


@pytest.fixture
def settings(settings, authority):
    delays = {"webhook_retry_delays": (0.05, 0.05, 0.05, 0.05)}
    return settings.model_copy(update=authority.settings | delays)


@pytest.fixture
async def kept(services):
    async def count():
        async with services.database.transaction() as session:
            return await session.scalar(select(func.count()).select_from(MetamapCallback))

    return count


async def test_it_arrives_signed_once_the_receiver_is_well_and_is_kept_no_longer(
    banco, rival, services, authority, kept
):
    async with authority.receiver(answer(500), answer(302)) as receiver:
        for member, secret in ((rival, "Otro-secreto-2026-largo"), (banco, SECRET)):
            endpoint = {"url": receiver.url(), "events": ["step.failed"], "format": "metamap"}
            await member.post("/v1/webhooks", json=endpoint | {"secret": secret})
        metadata = {"pedido": "4711"}
        asked = {"curp": CURP, "callbackUrl": receiver.url("/curp"), "metadata": metadata}
        said = await banco.post(f"{CHECKS}/curp", json=asked)
        assert said.status_code == 200, said.text
        assert await kept() == 1
        async with services.database.reading() as connection:
            sealed = await connection.scalar(select(MetamapCallback.body_sealed))
        assert CURP.encode() not in sealed
        async with working(services) as worker:
            await worker.until_idle()
    assert len(receiver.received) == 3
    for each in receiver.received:
        assert each.path == "/curp"
        assert json.loads(each.body) == {**said.json(), "metadata": metadata}
        assert each.body == receiver.received[0].body
        assert is_signed(SECRET, each.body, each.headers["x-signature"])
        assert each.headers["webhook-id"] == receiver.received[0].headers["webhook-id"]
    assert await kept() == 0


async def test_it_is_given_up_after_five_attempts_and_forgotten(banco, services, authority, kept):
    async with authority.receiver(*[answer(500)] * 6) as receiver:
        asked = {"documentNumber": "123456789", "ocrNumber": "4921087654321"}
        said = await banco.post(f"{CHECKS}/ine", json=asked | {"webhookUrl": receiver.url()})
        confirmed = {name: number for name, number in said.json()["data"].items() if number}
        assert confirmed == asked
        async with working(services) as worker:
            await worker.until_idle()
    assert len(receiver.received) == 5
    # Nobody has agreed on a secret with this organization.
    assert "x-signature" not in receiver.received[0].headers
    assert await kept() == 0


class TestTargets:
    @pytest.fixture
    def settings(self, settings):
        return settings.model_copy(update={"webhook_allow_private": False})

    async def test_nothing_is_asked_for_an_address_that_is_never_dialled(self, banco, kept):
        for url in ("http://8.8.8.8/x", "https://127.0.0.1/x", "https://a@banco.example", "x"):
            refused = await banco.post(f"{CHECKS}/rfc", json={"rfc": "x", "callbackUrl": url})
            assert (refused.status_code, refused.json()["code"]) == (422, 422)
            assert refused.json()["data"][0]["dataPath"] == ".callbackUrl"
        assert await kept() == 0
        assert "government_check.made" not in (await banco.get("/v1/audit-logs")).text
