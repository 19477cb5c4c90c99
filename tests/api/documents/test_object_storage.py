"""Documents kept in a bucket instead of a folder."""

import pytest
from pydantic import SecretStr

from acredita.kit.storage import s3
from tests.api.documents import pictures
from tests.factories.object_storage import ACCESS, object_storage
from tests.factories.organizations import make_verification

JPEG = pictures.picture()


@pytest.fixture(scope="module")
def server():
    with object_storage() as opened:
        yield opened


@pytest.fixture
def bucket(server):
    return server.new_bucket()


@pytest.fixture
def settings(settings, server, bucket):
    return settings.model_copy(
        update={
            "storage_url": server.url(bucket, "acredita"),
            "storage_access_key_id": ACCESS["access_key_id"],
            "storage_secret_access_key": SecretStr(ACCESS["secret_access_key"]),
        }
    )


async def upload(member, verification_id):
    return await member.post(
        f"/v1/verifications/{verification_id}/inputs",
        files={"front": ("x.jpg", JPEG, "image/jpeg")},
    )


async def test_a_document_goes_to_the_bucket_encrypted_and_is_shown_from_there(
    banco, server, bucket
):
    uploaded = await upload(banco, await make_verification(banco))
    assert uploaded.status_code == 202
    document_id = uploaded.json()["uploaded"][0]["id"]
    ((key, content),) = server.everything_in(bucket).items()
    assert key.startswith(f"acredita/{banco.organization_id}/")
    assert key.endswith(document_id)
    assert JPEG[:16] not in content
    image = await banco.get(f"/v1/documents/{document_id}/image")
    assert (image.status_code, image.content[:2]) == (200, b"\xff\xd8")


async def test_a_bucket_out_of_reach_is_503_and_a_later_upload_works(
    banco, server, bucket, monkeypatch
):
    monkeypatch.setattr(s3, "FIRST_PAUSE", 0.001)
    verification_id = await make_verification(banco)
    server.client.delete_bucket(Bucket=bucket)
    refused = await upload(banco, verification_id)
    assert refused.status_code == 503
    assert refused.json()["error"]["code"] == "SERVICE_UNAVAILABLE"
    shown = (await banco.get(f"/v1/verifications/{verification_id}")).json()
    assert (shown["documents"], shown["verification"]["status"]) == ([], "PENDING")
    server.client.create_bucket(Bucket=bucket)
    assert (await upload(banco, verification_id)).status_code == 202
    assert len(server.everything_in(bucket)) == 1
