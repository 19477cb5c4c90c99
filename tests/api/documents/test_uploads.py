"""Uploading documents: what is taken in, and that a refused request leaves nothing."""

import asyncio
import hashlib
import os
import re
import resource
import signal
from contextlib import AsyncExitStack
from functools import partial
from uuid import UUID, uuid4

import pytest
from sqlalchemy import func, select, text, update

from acredita.engines.documents import inspection
from acredita.kit.storage.folder import INCOMING
from acredita.models import Document, Job, Verification
from acredita.resources.documents import service
from acredita.resources.files import service as files
from tests.api.documents import pictures
from tests.api.documents.live import CONTENT_TYPE, body, part
from tests.factories.organizations import make_verification

JPEG = pictures.picture()
NESTED_FORMS = pictures.nested_forms_pdf()
MANY_SCANS = b"\xff\xd8" + b"\xff\xda\x00\x08\x01\x01\x00\x00\x3f\x00" * 440 + b"\xff\xd9"
ACCEPTED = {
    "image/jpeg": JPEG,
    "image/png": pictures.picture("PNG"),
    "image/webp": pictures.picture("WEBP"),
    "application/pdf": pictures.picture("PDF"),
}
ROLES = ["front", "back", "selfie", "passport", "liveness"]


@pytest.fixture
async def verification_id(banco):
    return await make_verification(banco)


def given(*named):
    """Files for httpx, each with a name and a type that should be of no account."""
    return [(role, ("x.bin", content, "text/html")) for role, content in named]


async def upload(member, verification_id, *named):
    return await member.post(f"/v1/verifications/{verification_id}/inputs", files=given(*named))


def refusal(answer):
    return answer.status_code, answer.json()["error"]["code"]


def stored_files(services):
    root = services.settings.storage_folder
    return {
        str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()
    }


async def rows(services):
    async with services.database.transaction() as session:
        return list(await session.scalars(select(Document).order_by(Document.position)))


async def set_status(services, verification_id, status):
    async with services.database.transaction() as session:
        await session.execute(
            update(Verification)
            .where(Verification.id == UUID(verification_id))
            .values(status=status)
        )


async def assert_nothing_stored(services, verification_id):
    assert await rows(services) == []
    assert stored_files(services) == {}
    async with services.database.transaction() as session:
        verification = await session.get(Verification, UUID(verification_id))
        assert verification.status == "PENDING"
        assert await session.scalar(select(func.count()).select_from(Job)) == 0


@pytest.mark.parametrize("role", [*ROLES, "proofOfAddress"])
async def test_each_type_is_taken_in_each_role(banco, services, verification_id, role):
    answer = await upload(
        banco, verification_id, *((role, content) for content in ACCEPTED.values())
    )
    assert answer.status_code == 202, answer.text
    uploaded = answer.json()["uploaded"]
    assert [(each["type"], each["mimeType"]) for each in uploaded] == [
        (role, mime_type) for mime_type in ACCEPTED
    ]
    assert isinstance(answer.json()["message"], str)
    for row, each, content in zip(await rows(services), uploaded, ACCEPTED.values(), strict=True):
        assert (str(row.id), row.type, row.mime_type) == (each["id"], role, each["mimeType"])
        assert (row.file_size, row.sha256) == (len(content), hashlib.sha256(content).digest())
        assert await files.fetch(services, row) == content


async def test_an_upload_sets_the_verification_going(banco, services, verification_id):
    assert (await upload(banco, verification_id, ("front", JPEG))).status_code == 202
    shown = (await banco.get(f"/v1/verifications/{verification_id}")).json()
    assert shown["verification"]["status"] == "IN_PROGRESS"
    assert shown["verification"]["steps"][0]["status"] == "RUNNING"
    assert [(d["type"], d["mimeType"], d["fileSize"]) for d in shown["documents"]] == [
        ("front", "image/jpeg", len(JPEG))
    ]
    async with services.database.transaction() as session:
        kinds = list(await session.scalars(select(Job.kind)))
    assert "verification.read_documents" in kinds


async def test_documents_are_listed_in_the_order_in_which_they_came(banco, verification_id):
    sent = ["back", "front", "back", "selfie"]
    for start in (0, 2):
        answer = await upload(
            banco, verification_id, *((role, JPEG) for role in sent[start : start + 2])
        )
        assert answer.status_code == 202
    shown = (await banco.get(f"/v1/verifications/{verification_id}")).json()
    assert [document["type"] for document in shown["documents"]] == sent


async def test_files_are_encrypted_and_their_keys_open_them_nowhere_else(
    banco, services, verification_id
):
    await upload(banco, verification_id, ("front", JPEG), ("back", JPEG))
    one, other = await rows(services)
    assert set(stored_files(services)) == {one.storage_key, other.storage_key}
    contents = list(stored_files(services).values())
    assert contents[0] != contents[1]
    for content in contents:
        assert JPEG[:64] not in content
        assert JPEG[100:164] not in content
    services.settings.storage_folder.joinpath(one.storage_key).write_bytes(
        stored_files(services)[other.storage_key]
    )
    from acredita.kit.crypto import CannotUnseal

    with pytest.raises(CannotUnseal):
        await files.fetch(services, one)


async def test_a_file_of_exactly_ten_megabytes_is_taken(banco, services, verification_id):
    largest = pictures.padded_jpeg(10_485_760)
    assert (await upload(banco, verification_id, ("front", largest))).status_code == 202
    assert [row.file_size for row in await rows(services)] == [10_485_760]


async def test_one_byte_more_is_refused(banco, services, verification_id):
    answer = await upload(
        banco, verification_id, ("back", JPEG), ("front", pictures.padded_jpeg(10_485_761))
    )
    assert refusal(answer) == (413, "FILE_TOO_LARGE")
    await assert_nothing_stored(services, verification_id)


async def test_ten_files_are_taken(banco, services, verification_id):
    answer = await upload(banco, verification_id, *[(role, JPEG) for role in ROLES * 2])
    assert answer.status_code == 202
    assert len({row.id for row in await rows(services)}) == 10


@pytest.mark.parametrize(
    "named",
    [
        [("front", JPEG)] * 11,
        [("front", JPEG), ("other", JPEG)],
        [("front", JPEG), ("back", b"")],
    ],
)
async def test_too_many_unknown_or_empty_files_refuse_the_whole_request(
    banco, services, verification_id, named
):
    answer = await upload(banco, verification_id, *named)
    assert refusal(answer) == (422, "VALIDATION_ERROR")
    await assert_nothing_stored(services, verification_id)


@pytest.mark.parametrize(
    ("content", "content_type", "expected"),
    [
        (body(), CONTENT_TYPE, (422, "VALIDATION_ERROR")),
        (body(part("front", JPEG))[:-30], CONTENT_TYPE, (422, "VALIDATION_ERROR")),
        (body(part("front", JPEG)), "multipart/form-data", (422, "VALIDATION_ERROR")),
        (b'{"front": "x"}', "application/json", (415, "UNSUPPORTED_MEDIA_TYPE")),
        (b'{"front": "x"}', CONTENT_TYPE, (422, "VALIDATION_ERROR")),
        (body(part("front", JPEG), part("x", b"", None)), CONTENT_TYPE, (422, "VALIDATION_ERROR")),
    ],
)  # fmt: skip
async def test_what_is_no_whole_form_of_files_stores_nothing(
    banco, services, verification_id, content, content_type, expected
):
    answer = await banco.post(
        f"/v1/verifications/{verification_id}/inputs",
        content=content,
        headers={"Content-Type": content_type},
    )
    assert refusal(answer) == expected
    assert answer.json()["error"]["requestId"] == answer.headers["x-request-id"]
    await assert_nothing_stored(services, verification_id)


@pytest.mark.parametrize(
    "content",
    [
        b"<!doctype html><script>alert(1)</script>",
        b'<svg xmlns="http://www.w3.org/2000/svg"/>',
        b"MZ" + bytes(500),
        b"\x7fELF" + bytes(500),
        pictures.zip_archive(),
        b"GIF89a/*" + bytes(20) + b"*/=1;alert(1)",
        # Drawn in the test: every process of a parallel run loads this file.
        partial(pictures.picture, "GIF"),
        partial(pictures.picture, "BMP"),
        partial(pictures.picture, "TIFF"),
        b"junk" + ACCEPTED["application/pdf"],
        b"\n" + JPEG,
        b"\xff\xd8",
        b"RIFF\x00\x00\x00\x00WAVE",
        b"x",
    ],
)
async def test_a_disguised_type_is_refused(banco, services, verification_id, content):
    content = content() if callable(content) else content
    answer = await upload(banco, verification_id, ("back", JPEG), ("front", content))
    assert refusal(answer) == (415, "UNSUPPORTED_FILE_TYPE")
    await assert_nothing_stored(services, verification_id)


BROKEN = {
    "a JPEG cut short": JPEG[: len(JPEG) // 2],
    "a JPEG's beginning alone": b"\xff\xd8\xff\xe0",
    "a PNG cut short": ACCEPTED["image/png"][:5000],
    "a WebP of noise": b"RIFF\xff\x00\x00\x00WEBPVP8 " + bytes(range(256)),
    "a PDF's beginning alone": b"%PDF-1.7\n",
    "a PDF of noise": b"%PDF-1.7\n" + bytes(range(256)) * 100,
    "HTML after a JPEG's beginning": b"\xff\xd8\xff<html><script>alert(1)</script>",
    "a PDF without pages": pictures.pdf_of_pages(0),
}
# Made in the tests: some take a second.
BOMBS = {
    "a PNG of 177 megapixels": partial(pictures.png, 13_300, 13_300),
    "a PNG of 900 megapixels": partial(pictures.png, 30_000, 30_000, whole=False),
    "a PNG of just over 50 megapixels": partial(pictures.png, 7_072, 7_072),
    "a PNG wider than anything": partial(pictures.png, 2**31 - 1, 1, whole=False),
    "a PDF of 5,000 pages": partial(pictures.pdf_of_pages, 5_000),
    "a PDF of billions of drawings": pictures.nested_forms_pdf,
}


@pytest.mark.parametrize("name", [*BROKEN, *BOMBS])
async def test_what_does_not_decode_is_refused(banco, services, verification_id, name):
    content = BROKEN[name] if name in BROKEN else BOMBS[name]()
    answer = await upload(banco, verification_id, ("back", JPEG), ("front", content))
    code = "FILE_TOO_COMPLEX" if content == NESTED_FORMS else "VALIDATION_ERROR"
    assert refusal(answer) == (422, code)
    assert answer.json()["error"]["details"][0].startswith("body.front: ")
    await assert_nothing_stored(services, verification_id)


@pytest.mark.parametrize("content", [NESTED_FORMS, MANY_SCANS], ids=["PDF", "JPEG"])
async def test_a_bomb_is_refused_while_others_hold_all_places(
    banco, services, verification_id, content
):
    async with AsyncExitStack() as held:
        for _ in range(inspection.PROCESSES):
            await held.enter_async_context(services.inspection.place(uuid4()))
        answer = await upload(banco, verification_id, ("front", content))
    assert refusal(answer) == (422, "FILE_TOO_COMPLEX")
    await assert_nothing_stored(services, verification_id)


async def test_an_organization_whose_files_wait_is_refused_and_another_is_not(
    banco, rival, services, verification_id
):
    async def wait_for_a_place():
        async with services.inspection.place(UUID(banco.organization_id)):
            pass

    async with AsyncExitStack() as held:
        for _ in range(inspection.PROCESSES):
            await held.enter_async_context(services.inspection.place(uuid4()))
        waiting = [asyncio.create_task(wait_for_a_place()) for _ in range(inspection.LONGEST_QUEUE)]
        await asyncio.sleep(0)
        refused = await upload(banco, verification_id, ("front", JPEG))
        asked = upload(rival, await make_verification(rival), ("front", JPEG))
        other = asyncio.create_task(asked)
        await asyncio.sleep(0.5)
        assert not other.done()
    assert refusal(refused) == (429, "RATE_LIMITED")
    assert int(refused.headers["retry-after"]) == refused.json()["error"]["retryAfter"] > 0
    assert (await other).status_code == 202
    await asyncio.gather(*waiting)


async def kind_of_place(services, organization):
    async with services.inspection.place(organization) as place:
        return place.is_costly


async def test_costly_files_share_a_place_that_ordinary_ones_do_not_wait_for(services):
    costly, indebted = 2 * inspection.COSTLY_FILE, uuid4()
    async with services.inspection.place(indebted) as place:
        assert not place.is_costly
        place.charge(2 * inspection.COSTLY_ORGANIZATION)
    async with services.inspection.place(uuid4(), estimate=costly) as place:
        assert place.is_costly
        # Its files are ordinary, but it has used much.
        waiting = asyncio.create_task(kind_of_place(services, indebted))
        async with services.inspection.place(indebted, is_decoded=False) as stored:
            assert not stored.is_costly
        assert not await kind_of_place(services, uuid4())
        assert not waiting.done()
    assert await waiting


async def test_the_process_of_costly_files_yields_the_processor():
    processes = inspection.Processes(1)
    try:
        niceness = [
            await pool.run(os.getpriority, os.PRIO_PROCESS, 0, timeout=60)
            for pool in (processes._ordinary, processes._costly)
        ]
    finally:
        await processes.close()
    assert niceness[1] == niceness[0] + inspection.COSTLY_NICENESS


async def test_an_address_whose_files_take_too_long_is_refused_and_others_are_not(
    banco, client, services, monkeypatch
):
    monkeypatch.setattr(inspection, "EXHAUSTED_ADDRESS", 0.0)
    for accounts in (services.inspection._organizations, services.inspection._addresses):
        monkeypatch.setattr(accounts, "_rate", 0.001)
        # The system counts in ticks of 10 ms; a small picture may take none.
        charge = accounts.charge
        monkeypatch.setattr(
            accounts, "charge", lambda key, used, charge=charge: charge(key, used + 0.01)
        )
    verification_id = await make_verification(banco)
    where = f"/v1/sdk/verifications/{verification_id}/inputs"
    first = await client.post(where, files={"front": ("a.jpg", JPEG)})
    assert first.status_code == 202, first.text
    second = await client.post(where, files={"back": ("a.jpg", JPEG)})
    assert refusal(second) == (429, "RATE_LIMITED")
    assert int(second.headers["retry-after"]) > 0
    # The organization's own systems have no part in that.
    assert (await upload(banco, verification_id, ("back", JPEG))).status_code == 202
    assert services.inspection._organizations.debt(UUID(banco.organization_id)) > 0


async def test_bombs_do_not_stop_those_who_come_after(banco, verification_id):
    assert (
        await upload(banco, verification_id, ("front", pictures.nested_forms_pdf()))
    ).status_code == 422
    assert (await upload(banco, verification_id, ("front", JPEG))).status_code == 202


@pytest.mark.parametrize(
    "make",
    [
        partial(pictures.png, 7_071, 7_071),
        partial(pictures.png, 7_071, 7_071, bit_depth=8, colour=3),
        # As the palette, in four times the memory.
        pytest.param(
            partial(pictures.png, 7_071, 7_071, bit_depth=8, colour=6), marks=pytest.mark.thorough
        ),
        partial(pictures.animated_webp, 2_000),
        pictures.deflate_bomb_pdf,
        partial(pictures.pdf_of_pages, 1, b"1e9 1e9"),
    ],
    ids=["1 bit", "palette", "RGBA", "animation", "inflating PDF", "vast page"],
)
async def test_what_is_large_is_decoded_or_refused_and_shown_small(banco, verification_id, make):
    answer = await upload(banco, verification_id, ("front", make()))
    assert answer.status_code in (202, 422)
    if answer.status_code == 202:
        document_id = answer.json()["uploaded"][0]["id"]
        shown = await banco.get(f"/v1/documents/{document_id}/image")
        assert shown.status_code == 200
        assert len(shown.content) < 3_000_000


@pytest.mark.parametrize("filename", ["../../etc/x", "a%00b", "é" * 2000, "\u202egpj.exe"])
async def test_the_file_name_leads_nowhere(banco, services, verification_id, filename):
    answer = await banco.post(
        f"/v1/verifications/{verification_id}/inputs",
        files=[("front", (filename, JPEG, "image/jpeg"))],
    )
    assert answer.status_code == 202
    (row,) = await rows(services)
    assert set(stored_files(services)) == {row.storage_key}
    assert re.fullmatch(r"[0-9a-f-]{36}/[0-9]{4}-[0-9]{2}/[0-9a-f-]{36}", row.storage_key)


async def test_a_verification_of_another_organization_is_unknown(rival, services, verification_id):
    unknown = await upload(rival, "0b6a4c3e-1f7b-4c55-9a51-2f9b8f0d3a11", ("front", JPEG))
    foreign = await upload(rival, verification_id, ("front", JPEG))
    assert refusal(unknown) == refusal(foreign) == (404, "NOT_FOUND")
    assert unknown.json()["error"]["message"] == foreign.json()["error"]["message"]
    await assert_nothing_stored(services, verification_id)


async def test_a_caller_is_needed_before_the_body_is_read(client, services, verification_id):
    answer = await client.post(f"/v1/verifications/{verification_id}/inputs", content=b"{}")
    assert refusal(answer) == (401, "UNAUTHORIZED")


@pytest.mark.parametrize("status", ["APPROVED", "REJECTED", "EXPIRED", "MANUAL_REVIEW"])
async def test_a_closed_verification_takes_nothing(banco, services, verification_id, status):
    await set_status(services, verification_id, status)
    answer = await upload(banco, verification_id, ("front", JPEG))
    assert refusal(answer) == (409, "VERIFICATION_CLOSED")
    assert await rows(services) == []
    assert stored_files(services) == {}


async def test_a_verification_that_closes_while_the_body_arrives_takes_nothing(
    banco, services, verification_id
):
    whole = body(part("front", JPEG))

    async def slowly():
        yield whole[:5000]
        await set_status(services, verification_id, "APPROVED")
        yield whole[5000:]

    answer = await banco.post(
        f"/v1/verifications/{verification_id}/inputs",
        content=slowly(),
        headers={"Content-Type": CONTENT_TYPE},
    )
    assert refusal(answer) == (409, "VERIFICATION_CLOSED")
    assert await rows(services) == []
    assert stored_files(services) == {}


async def test_a_full_or_read_only_storage_stores_nothing_and_recovers(
    banco, services, verification_id
):
    # A file in place of the folder: no user, not even root, can create a file below it.
    root = services.settings.storage_folder
    root.parent.mkdir(parents=True, exist_ok=True)
    root.write_bytes(b"")
    answer = await upload(banco, verification_id, ("front", JPEG), ("back", JPEG))
    assert refusal(answer) == (503, "SERVICE_UNAVAILABLE")
    assert "retry-after" in answer.headers
    root.unlink()
    await assert_nothing_stored(services, verification_id)
    assert (await upload(banco, verification_id, ("front", JPEG))).status_code == 202


async def test_files_of_a_transaction_that_fails_are_deleted(banco, services, verification_id):
    async with services.database.transaction() as session:
        await session.execute(
            text(
                "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS"
                " $$ BEGIN RAISE EXCEPTION 'refused'; END $$"
            )
        )
        await session.execute(
            text(
                "CREATE TRIGGER refuse BEFORE INSERT ON document"
                " FOR EACH ROW WHEN (NEW.position = 1) EXECUTE FUNCTION refuse()"
            )
        )
    try:
        answer = await upload(banco, verification_id, ("front", JPEG), ("back", JPEG))
    finally:
        async with services.database.transaction() as session:
            await session.execute(text("DROP FUNCTION refuse CASCADE"))
    assert refusal(answer) == (500, "INTERNAL_ERROR")
    await assert_nothing_stored(services, verification_id)


async def test_files_whose_rows_were_committed_after_all_are_kept(banco, services, verification_id):
    """The answer to a commit may be lost although the commit is done."""
    await upload(banco, verification_id, ("front", JPEG))
    (row,) = await rows(services)
    from acredita.domain.caller import Caller, CallerKind
    from acredita.domain.roles import Role

    caller = Caller(row.organization_id, CallerKind.CLIENT, row.id, Role.MEMBER)
    await service.withdraw(services.database, services.storage, caller, row.verification_id, [row])
    assert await files.fetch(services, row) == JPEG
    assert not any(INCOMING in path for path in stored_files(services))


@pytest.fixture
def full_disk():
    """A file of this process that outgrows JPEG fails: the upload fits, sealed it does not."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(JPEG), limits[1]))

    def has_room_again():
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)

    yield has_room_again
    has_room_again()
    signal.signal(signal.SIGXFSZ, handler)


async def test_a_disk_that_is_full_stores_nothing_and_recovers(
    banco, services, verification_id, full_disk
):
    answer = await upload(banco, verification_id, ("front", JPEG), ("back", JPEG))
    full_disk()
    assert refusal(answer) == (503, "SERVICE_UNAVAILABLE")
    await assert_nothing_stored(services, verification_id)
    assert (await upload(banco, verification_id, ("front", JPEG))).status_code == 202
    assert len(stored_files(services)) == 1
