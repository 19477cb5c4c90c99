"""Pictures derived from documents: where they are named, who may see them."""

from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from sqlalchemy import func, select, text

from acredita.domain.documents import PageKind, PageReading, Quality
from acredita.models import AuditEntry, Media
from acredita.resources.files import service as files
from acredita.resources.images import media, service
from acredita.resources.images.links import image_link, media_link
from tests.api.documents import pictures
from tests.factories.organizations import make_verification

QUALITY = Quality(640, 400, 1.0, 0.0, 0.5, 0.9)


def page(picture):
    return PageReading(PageKind.INE_FRONT, QUALITY, picture=picture)


@pytest.fixture
async def verification_id(banco):
    return await make_verification(banco)


@pytest.fixture
async def document_id(banco, verification_id):
    answer = await banco.post(
        f"/v1/verifications/{verification_id}/inputs", files={"front": pictures.picture()}
    )
    assert answer.status_code == 202, answer.text
    return answer.json()["uploaded"][0]["id"]


@pytest.fixture
async def media_ids(banco, services, document_id):
    """Of a document of three pages, the second of which was not recognized."""
    rows = await media.store_pages(
        services,
        services.clock,
        UUID(banco.organization_id),
        {UUID(document_id): [page(b"page one"), page(b""), page(b"page three")]},
    )
    async with services.database.transaction() as session:
        session.add_all(rows)
    return [str(row.id) for row in rows]


def path_of(media_id):
    return f"/v1/passport-image/{media_id}"


def refusal(answer):
    return answer.status_code, answer.json()["error"]["code"]


async def test_the_single_get_names_them_with_their_document(
    client, banco, verification_id, media_ids
):
    whole = (await banco.get(f"/v1/verifications/{verification_id}")).json()
    media = whole["documents"][0]["media"]
    assert [(item["id"], item["kind"]) for item in media] == [
        (media_id, "page") for media_id in media_ids
    ]
    assert (await client.get(media[1]["imageUrl"])).content == b"page three"


async def test_a_document_that_was_not_read_has_none(banco, verification_id, document_id):
    whole = (await banco.get(f"/v1/verifications/{verification_id}")).json()
    assert whole["documents"][0]["media"] == []


async def test_the_owner_sees_them_and_they_are_neither_kept_nor_sniffed(client, banco, media_ids):
    for options in ({"headers": banco.headers}, {"headers": {"X-Api-Key": banco.api_key}}):
        answer = await client.get(path_of(media_ids[0]), **options)
        assert answer.status_code == 200
        assert answer.content == b"page one"
        assert answer.headers["content-type"] == "image/jpeg"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["content-disposition"] == 'attachment; filename="page.jpg"'
        assert answer.headers["content-security-policy"] == "default-src 'none'; sandbox"


async def test_nobody_else_sees_them(client, rival, media_ids):
    foreign, unknown = (
        await rival.get(path_of(media_ids[0])),
        await rival.get(path_of(uuid4())),
    )
    assert refusal(foreign) == refusal(unknown) == (404, "NOT_FOUND")
    assert refusal(await client.get(path_of(media_ids[0]))) == (401, "UNAUTHORIZED")


@pytest.mark.parametrize("name", ["x", "0" * 10_000, "%00", "..%2f", "ñ"])
async def test_an_id_of_another_form_is_unknown(banco, name):
    assert refusal(await banco.get(path_of(name)))[0] == 404


async def test_a_link_opens_one_picture_for_fifteen_minutes(client, services, media_ids):
    one, other = map(UUID, media_ids)
    now = services.clock.now()
    for age, status in ((0, 200), (890, 200), (900, 401)):
        link = media_link(services, one, now - timedelta(seconds=age))
        assert (await client.get(link)).status_code == status
    link = media_link(services, one, now)
    assert refusal(await client.get(link.replace(str(one), str(other)))) == (401, "UNAUTHORIZED")


async def test_links_of_documents_and_of_pictures_do_not_open_each_other(
    client, services, document_id, media_ids
):
    now = services.clock.now()
    of_picture = media_link(services, UUID(media_ids[0]), now).partition("?")[2]
    of_document = image_link(services, UUID(media_ids[0]), now).partition("?")[2]
    for path, query in (
        (f"/v1/documents/{document_id}/image", of_picture),
        (f"/v1/documents/{media_ids[0]}/image", of_picture),
        (path_of(media_ids[0]), of_document),
    ):
        assert refusal(await client.get(f"{path}?{query}")) == (401, "UNAUTHORIZED")


async def test_every_look_is_audited(client, banco, services, document_id, media_ids):
    await banco.get(path_of(media_ids[0]))
    await client.get(media_link(services, UUID(media_ids[0]), services.clock.now()))
    async with services.database.transaction() as session:
        query = select(AuditEntry).where(AuditEntry.action == "document.viewed")
        entries = (await session.scalars(query.order_by(AuditEntry.id))).all()
    assert [entry.actor_type for entry in entries] == ["client", "link"]
    assert {str(entry.resource_id) for entry in entries} == {document_id}
    assert all(media_ids[0] in entry.details for entry in entries)


async def test_they_are_encrypted_at_rest_each_with_its_own_key(services, media_ids):
    async with services.database.transaction() as session:
        rows = (await session.scalars(select(Media))).all()
    sealed = [await services.storage.get(row.storage_key) for row in rows]
    assert not any(b"page" in content for content in sealed)
    rows[0].data_key_sealed = rows[1].data_key_sealed
    with pytest.raises(Exception, match="does not open"):
        await service.content(services, rows[0])


async def test_a_file_that_was_purged_is_not_found(banco, services, media_ids):
    async with services.database.transaction() as session:
        row = await session.get(Media, UUID(media_ids[0]))
    await services.storage.delete(row.storage_key)
    assert refusal(await banco.get(path_of(media_ids[0]))) == (404, "NOT_FOUND")


async def test_what_was_withdrawn_leaves_no_file(banco, services, document_id):
    readings = {UUID(document_id): [page(b"page one")]}
    rows = await media.store_pages(services, services.clock, UUID(banco.organization_id), readings)
    assert await services.storage.exists(rows[0].storage_key)
    await files.withdraw(services.storage, rows)
    assert not await services.storage.exists(rows[0].storage_key)


async def test_they_go_with_their_verification(services, verification_id, media_ids):
    async with services.database.transaction() as session:
        await session.execute(
            text("DELETE FROM verification WHERE id = :id"), {"id": verification_id}
        )
        assert await session.scalar(select(func.count()).select_from(Media)) == 0
