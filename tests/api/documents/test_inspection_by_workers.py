"""Uploads that a worker decodes, and not the machine of the API."""

import asyncio
import socket

import pytest
from sqlalchemy import func, select

from acredita.engines.documents.inspection import Inspection, InspectionBusy, Place
from acredita.engines.documents.inspection_elsewhere import Elsewhere, serving
from acredita.kit.crypto import KeyRing
from acredita.models import Document
from tests.api.documents import pictures
from tests.factories.organizations import make_verification

JPEG = pictures.picture()
CUT_OFF = JPEG[: len(JPEG) // 2]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture
def settings(settings):
    return settings.model_copy(update={"inspection_url": f"http://127.0.0.1:{free_port()}"})


@pytest.fixture
def worker(services):
    """Opens what a worker serves."""
    port = int(services.settings.inspection_url.rpartition(":")[2])
    return lambda keys=services.keys: serving("127.0.0.1", port, keys)


async def upload(member, content):
    verification_id = await make_verification(member)
    where = f"/v1/verifications/{verification_id}/inputs"
    return await member.post(where, files={"front": ("a.jpg", content, "image/jpeg")})


async def documents(services):
    async with services.database.transaction() as session:
        return await session.scalar(select(func.count()).select_from(Document))


async def test_a_worker_decodes_the_files_and_broken_ones_are_refused_in_their_response(
    banco, services, worker
):
    async with worker():
        assert (await upload(banco, JPEG)).status_code == 202
        refused = await upload(banco, CUT_OFF)
        charged = []
        sheet = await services.inspection.sprite(
            [JPEG, pictures.picture("PNG")], Place(charged.append)
        )
        assert await services.inspection.check(JPEG, Place(charged.append, is_costly=True))
    assert refused.status_code == 422
    assert refused.json()["error"]["details"][0].startswith("body.front: ")
    assert await documents(services) == 1
    assert sheet.startswith(b"\xff\xd8")
    assert len(charged) == 2


async def test_without_a_worker_or_with_one_of_other_keys_uploads_get_503(banco, services, worker):
    away = await upload(banco, JPEG)
    async with worker(KeyRing({"other": bytes(32)})):
        foreign = await upload(banco, JPEG)
    assert [answer.status_code for answer in (away, foreign)] == [503, 503]
    assert int(away.headers["retry-after"]) > 0
    assert await documents(services) == 0


async def test_files_leave_the_api_sealed(services):
    sent = []

    async def take(reader, writer):
        sent.append(await reader.read(len(JPEG)))
        writer.close()

    async with await asyncio.start_server(take, "127.0.0.1", 0) as listener:
        port = listener.sockets[0].getsockname()[1]
        elsewhere = Elsewhere(f"http://127.0.0.1:{port}", services.keys)
        with pytest.raises(InspectionBusy):
            await Inspection(elsewhere).check(JPEG, Place(lambda _: None))
        await elsewhere.close()
    # The call is repeated: another worker may serve the address.
    assert [message[:4] for message in sent] == [b"POST"] * 2
    assert all(JPEG[:16] not in message for message in sent)
