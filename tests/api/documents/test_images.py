"""The image of a document: who may see it, and that it shows nothing but the look of the upload."""

import base64
import io
from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from PIL import Image
from sqlalchemy import select

from acredita.models import Document
from acredita.resources.images.links import image_link
from tests.api.documents import pictures
from tests.factories.organizations import make_verification


@pytest.fixture
async def verification_id(banco):
    return await make_verification(banco)


async def uploaded(member, verification_id, content, role="front"):
    answer = await member.post(
        f"/v1/verifications/{verification_id}/inputs", files=[(role, ("x", content))]
    )
    assert answer.status_code == 202, answer.text
    return answer.json()["uploaded"][0]["id"]


@pytest.fixture
async def document_id(banco, verification_id):
    return await uploaded(banco, verification_id, pictures.picture())


def path_of(document_id):
    return f"/v1/documents/{document_id}/image"


def refusal(answer):
    return answer.status_code, answer.json()["error"]["code"]


def shown(answer):
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "image/jpeg"
    image = Image.open(io.BytesIO(answer.content))
    assert image.format == "JPEG"
    return image


async def test_the_owner_sees_it_with_a_token_or_a_key(client, banco, document_id):
    assert shown(await banco.get(path_of(document_id))).size == (640, 400)
    with_key = await client.get(path_of(document_id), headers={"X-Api-Key": banco.api_key})
    assert shown(with_key).size == (640, 400)


async def test_the_answer_is_neither_kept_nor_run_nor_sniffed(banco, document_id):
    headers = (await banco.get(path_of(document_id))).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "no-store"
    assert headers["content-disposition"] == 'attachment; filename="front.jpg"'
    assert headers["content-security-policy"] == "default-src 'none'; sandbox"
    assert headers["referrer-policy"] == "no-referrer"


async def test_nobody_else_sees_it(client, rival, document_id):
    foreign = await rival.get(path_of(document_id))
    unknown = await rival.get(path_of(uuid4()))
    assert refusal(foreign) == refusal(unknown) == (404, "NOT_FOUND")
    assert foreign.json()["error"]["message"] == unknown.json()["error"]["message"]
    assert refusal(await client.get(path_of(document_id))) == (401, "UNAUTHORIZED")


UPPER_CASE = "0B6A4C3E-1F7B-4C55-9A51-2F9B8F0D3A11"


@pytest.mark.parametrize("name", ["x", "0" * 10_000, "%00", "..%2f", "ñ", UPPER_CASE])
async def test_an_id_of_another_form_is_unknown_to_a_caller(client, banco, name):
    assert refusal(await banco.get(path_of(name)))[0] == 404
    assert (await client.get(path_of(name))).status_code in (401, 404)


async def test_the_link_of_the_single_get_needs_no_token(client, banco, verification_id):
    document_id = await uploaded(banco, verification_id, pictures.picture())
    whole = (await banco.get(f"/v1/verifications/{verification_id}")).json()
    url = whole["documents"][0]["imageUrl"]
    assert url.startswith(f"http://test/v1/documents/{document_id}/image?key=")
    assert shown(await client.get(url)).size == (640, 400)


async def test_a_link_lives_fifteen_minutes(client, services, document_id):
    now = services.clock.now()
    for age, status in ((0, 200), (890, 200), (900, 401), (86_400, 401)):
        link = image_link(services, UUID(document_id), now - timedelta(seconds=age))
        assert (await client.get(link)).status_code == status


async def test_a_link_opens_its_own_document_alone(client, banco, verification_id, services):
    one = await uploaded(banco, verification_id, pictures.picture())
    other = await uploaded(banco, verification_id, pictures.picture())
    link = image_link(services, UUID(one), services.clock.now())
    assert (await client.get(link)).status_code == 200
    assert refusal(await client.get(link.replace(one, other))) == (401, "UNAUTHORIZED")


async def test_a_link_that_was_altered_opens_nothing(client, services, document_id):
    link = image_link(services, UUID(document_id), services.clock.now())
    address, _, key = link.partition("?key=")
    expiry, _, digest = key.partition(".")
    flipped = base64.urlsafe_b64decode(digest + "=")
    flipped = base64.urlsafe_b64encode(bytes([flipped[0] ^ 1]) + flipped[1:]).decode().rstrip("=")
    for altered in (
        f"{int(expiry) + 1}.{digest}",
        f"0{expiry}.{flipped}",
        f"{expiry}.{flipped}",
        f"{expiry}.{digest[:-1]}",
        f"{expiry}.",
        f".{digest}",
        f"-{key}",
        f"{'9' * 400}.{digest}",
        f"٣{key[1:]}",
        "",
        "x" * 20_000,
    ):
        answer = await client.get(address, params={"key": altered})
        assert refusal(answer) == (401, "UNAUTHORIZED"), altered[:60]


async def test_an_expired_link_does_not_hinder_the_owner(banco, services, document_id):
    expired = image_link(services, UUID(document_id), services.clock.now() - timedelta(hours=1))
    assert shown(await banco.get(expired)).size == (640, 400)


async def test_unknown_and_repeated_parameters_are_not_valid(banco, document_id):
    for query in ("?size=1", "?key=a&key=b", "?key=%00"):
        assert refusal(await banco.get(path_of(document_id) + query)) == (422, "VALIDATION_ERROR")


async def test_where_and_with_what_it_was_taken_is_not_shown(banco, verification_id):
    content = pictures.gps_jpeg()
    assert b"SecretCameraMaker" in content
    document_id = await uploaded(banco, verification_id, content)
    answer = await banco.get(path_of(document_id))
    image = shown(answer)
    assert not image.getexif()
    assert set(image.info) <= {"jfif", "jfif_version", "jfif_unit", "jfif_density"}
    assert b"SecretCameraMaker" not in answer.content
    assert b"Exif" not in answer.content


async def test_a_picture_taken_sideways_is_shown_upright(banco, verification_id):
    document_id = await uploaded(banco, verification_id, pictures.gps_jpeg(orientation=6))
    assert shown(await banco.get(path_of(document_id))).size == (400, 640)


async def test_what_was_appended_to_a_picture_is_not_shown(banco, verification_id):
    document_id = await uploaded(
        banco, verification_id, pictures.picture() + pictures.zip_archive()
    )
    answer = await banco.get(path_of(document_id))
    shown(answer)
    assert b"PK" not in answer.content[-300:]
    assert b"alert(1)" not in answer.content


async def test_a_pdf_is_shown_as_its_first_page(banco, verification_id):
    document_id = await uploaded(banco, verification_id, pictures.picture("PDF"))
    image = shown(await banco.get(path_of(document_id)))
    assert image.width / image.height == pytest.approx(640 / 400, rel=0.01)
    assert image.getcolors(100_000) is None or len(image.getcolors(100_000)) > 50


async def test_a_transparent_picture_lies_on_white(banco, verification_id):
    file = io.BytesIO()
    Image.new("RGBA", (50, 50), (0, 0, 0, 0)).save(file, "PNG")
    document_id = await uploaded(banco, verification_id, file.getvalue())
    assert shown(await banco.get(path_of(document_id))).getpixel((25, 25)) == (255, 255, 255)


async def test_a_large_picture_is_shown_with_two_thousand_pixels_at_most(banco, verification_id):
    document_id = await uploaded(banco, verification_id, pictures.picture(size=(4000, 3000)))
    assert shown(await banco.get(path_of(document_id))).size == (2000, 1500)


async def test_a_purged_file_is_gone(banco, services, document_id):
    async with services.database.transaction() as session:
        key = await session.scalar(select(Document.storage_key))
    await services.storage.delete(key)
    assert refusal(await banco.get(path_of(document_id))) == (404, "NOT_FOUND")


async def test_a_file_that_was_changed_at_rest_is_not_shown(banco, services, document_id):
    async with services.database.transaction() as session:
        key = await session.scalar(select(Document.storage_key))
    path = services.settings.storage_folder / key
    content = bytearray(path.read_bytes())
    content[1000] ^= 1
    path.write_bytes(content)
    answer = await banco.get(path_of(document_id))
    assert refusal(answer) == (500, "INTERNAL_ERROR")
