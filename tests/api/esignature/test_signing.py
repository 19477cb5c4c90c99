"""A package is asked for, signed, shown, and served byte for byte."""

import asyncio
import base64
import io
import json
import time
from hashlib import sha256
from uuid import uuid4

import pypdfium2
import pytest
from PIL import Image
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.validation import async_validate_pdf_signature
from pyhanko_certvalidator import ValidationContext
from sqlalchemy import text

from acredita.resources.esignature import service
from tests.api.esignature.conftest import (
    CONTRACT,
    pdf_of,
    sign,
    signed,
    until_not_pending,
)
from tests.factories.organizations import make_verification


def pages_of(content: bytes) -> list[str]:
    return [page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(content)]


def image(kind: str = "PNG", size: tuple[int, int] = (300, 100)) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", size, "navy").save(file, kind)
    return file.getvalue()


async def test_a_short_package_is_signed_within_the_request(banco, warm):
    verification_id = await make_verification(banco)
    answer = await sign(banco, verification_id, ipAddress="203.0.113.7", userAgent="Mozilla/5.0")
    assert answer.status_code == 201, answer.text
    record = answer.json()
    assert record["status"] == "SIGNED", record
    assert answer.headers["location"] == f"/v1/esignature/{record['id']}"
    assert record["documents"] == [
        {
            "title": "Contrato de apertura",
            "format": "text",
            "characters": len(CONTRACT),
            "sha256": sha256(CONTRACT.encode()).hexdigest(),
        }
    ]
    assert record["conservation"]["status"] == "NONE"
    assert record["sandbox"] is True
    assert record["seal"]["level"] == "PAdES-B-LT"
    assert (await banco.get(f"/v1/esignature/{record['id']}")).json() == record


async def test_the_pdf_is_served_unchanged_and_says_what_was_recorded(banco, warm):
    verification_id = await make_verification(banco)
    record = await signed(banco, verification_id, ipAddress="203.0.113.7", userAgent="Mozilla/5.0")
    content = await pdf_of(banco, record["id"])
    assert sha256(content).hexdigest() == record["pdf"]["sha256"]
    assert len(content) == record["pdf"]["fileSize"]
    assert await pdf_of(banco, record["id"]) == content
    pages = pages_of(content)
    assert len(pages) == record["pdf"]["pages"] == 2
    assert "año, cigüeña, ¿dónde?, ¡aquí!" in pages[0]
    evidence = " ".join(pages[1].split())
    for said in (
        "Ana María de la Cruz Ruiz",
        verification_id,
        record["id"],
        record["documents"][0]["sha256"][:40],
        "203.0.113.7",
        "Mozilla/5.0",
        "la identidad no fue verificada",
        "SELLO DE DESARROLLO",
        "NOM-151-SCFI-2016: no hay prestador",
        "consentimiento",
    ):
        assert said in evidence, said


async def test_the_seal_holds_and_a_changed_byte_is_noticed(banco, warm):
    record = await signed(banco, await make_verification(banco))
    content = await pdf_of(banco, record["id"])

    async def judge(pdf: bytes):
        (signature,) = PdfFileReader(io.BytesIO(pdf)).embedded_signatures
        return await async_validate_pdf_signature(signature, ValidationContext(trust_roots=[]))

    status = await judge(content)
    assert status.intact
    assert status.valid
    assert status.signing_cert.sha256.hex() == record["seal"]["certificateSha256"]
    place = content.index(b"/CreationDate")
    changed = content[:place] + content[place:].replace(b"/CreationDate", b"/CreationDatf", 1)
    assert not (await judge(changed)).intact


async def test_a_long_package_is_made_by_a_job_and_pdf_waits_for_it(banco, worker):
    verification_id = await make_verification(banco)
    long = [{"title": "Largo", "content": "palabra " * 26_000}]
    answer = await sign(banco, verification_id, documents=long)
    assert answer.status_code == 201
    assert answer.json()["status"] == "PENDING"
    assert answer.json()["pdf"] is None
    package_id = answer.json()["id"]
    content = await pdf_of(banco, package_id)
    record = await until_not_pending(banco, package_id)
    assert record["status"] == "SIGNED"
    assert sha256(content).hexdigest() == record["pdf"]["sha256"]


async def test_pdf_is_not_ready_while_nobody_makes_it(banco, monkeypatch):
    monkeypatch.setattr(service, "SECONDS_FOR_PDF", 0.3)
    verification_id = await make_verification(banco)
    long = [{"title": "Largo", "content": "palabra " * 26_000}]
    package_id = (await sign(banco, verification_id, documents=long)).json()["id"]
    answer = await banco.get(f"/v1/esignature/{package_id}/pdf")
    assert answer.status_code == 409
    assert answer.json()["error"]["code"] == "SIGNATURE_NOT_READY"
    assert int(answer.headers["retry-after"]) >= 1


async def test_what_is_not_made_in_time_is_left_to_the_job(banco, services, monkeypatch):
    monkeypatch.setattr(service, "SECONDS_IN_REQUEST", 0.0)
    answer = await sign(banco, await make_verification(banco))
    assert answer.status_code == 201
    assert answer.json()["status"] == "PENDING"
    async with services.database.reading() as connection:
        kinds = await connection.scalars(text("SELECT kind FROM job WHERE state = 'pending'"))
        assert "esignature.make" in set(kinds)


@pytest.mark.parametrize("form", ["data:image/png;base64,", "data:image/jpeg;base64,", ""])
async def test_the_drawn_signature_is_placed(banco, warm, form):
    drawing = form + base64.b64encode(image("JPEG" if "jpeg" in form else "PNG")).decode()
    record = await signed(banco, await make_verification(banco), touchSignature=drawing)
    assert record["hasTouchSignature"] is True
    page = pypdfium2.PdfDocument(await pdf_of(banco, record["id"]))[1]
    assert [item.type for item in page.get_objects()].count(3) == 1  # an image


@pytest.mark.parametrize(
    "drawing",
    [
        "",
        "no es base64 €",
        "data:image/svg+xml;base64,PHN2Zy8+",
        base64.b64encode(b"GIF89a" + b"\x00" * 40).decode(),
        base64.b64encode(b"%PDF-1.4").decode(),
        base64.b64encode(image()[:60]).decode(),
        # Drawn in the test: every process of a parallel run loads this file.
        lambda: base64.b64encode(image(size=(5000, 5000))).decode(),
        "data:text/html;base64," + base64.b64encode(image()).decode(),
    ],
    ids=["empty", "text", "svg", "gif", "pdf", "cut", "pixels", "type"],
)
async def test_a_drawing_that_is_no_image_of_ours_is_refused(banco, services, drawing):
    drawing = drawing() if callable(drawing) else drawing
    answer = await sign(banco, await make_verification(banco), touchSignature=drawing)
    assert answer.status_code == 422, answer.text
    assert "touchSignature" in answer.json()["error"]["details"][0]
    async with services.database.reading() as connection:
        assert await connection.scalar(text("SELECT count(*) FROM signature_package")) == 0


@pytest.mark.parametrize(
    "change",
    [
        {"tier": "gold"},
        {"signerName": "A"},
        {"signerName": "Ana\nMaría"},
        {"signerName": "   "},
        {"documents": []},
        {"documents": [{"title": "a", "content": "b"}] * 6},
        {"documents": [{"title": "", "content": "b"}]},
        {"documents": [{"title": "a" * 256, "content": "b"}]},
        {"documents": [{"title": "a", "content": ""}]},
        {"documents": [{"title": "a", "content": "b" * 500_001}]},
        {"documents": [{"title": "a", "content": "b", "format": "docx"}]},
        {"documents": [{"title": "a", "content": "b", "extra": 1}]},
        {"ipAddress": "1" * 46},
        {"userAgent": "x" * 1025},
        {"touchSignature": "A" * 2_000_001},
        {"extra": True},
    ],
    ids=str,
)
async def test_what_is_out_of_bounds_is_refused(banco, change):
    answer = await sign(banco, str(uuid4()), **change)
    assert answer.status_code == 422, answer.text


async def test_the_largest_package_that_the_bounds_admit_is_taken_and_a_larger_body_is_not(banco):
    verification_id = await make_verification(banco)
    # Twelve bytes a character as JSON writes it in ASCII: 30 MB, and 35.
    for characters, status in ((500_000, 201), (580_000, 413)):
        package = {
            "verificationId": verification_id,
            "tier": "name_only",
            "signerName": "Ana Ruiz",
            "documents": [{"title": "x", "content": "😀" * characters}] * 5,
        }
        answer = await banco.post(
            "/v1/esignature/sign",
            content=json.dumps(package).encode(),
            headers={"Content-Type": "application/json"},
        )
        assert answer.status_code == status, answer.text
    other = await banco.post("/v1/workflows", json={"name": "x" * 5_000_000, "steps": []})
    assert other.status_code == 413


async def test_a_request_that_is_sent_again_signs_once(banco, services, warm):
    verification_id = await make_verification(banco)
    key = {"Idempotency-Key": "contrato-4711"}
    answers = await asyncio.gather(*(sign(banco, verification_id, headers=key) for _ in range(4)))
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.text for answer in answers}) == 1
    again = await sign(banco, verification_id, headers=key)
    assert again.text == answers[0].text
    other = await sign(banco, verification_id, headers=key, signerName="Otra Persona")
    assert other.status_code == 409
    assert other.json()["error"]["code"] == "IDEMPOTENCY_CONFLICT"
    async with services.database.reading() as connection:
        assert await connection.scalar(text("SELECT count(*) FROM signature_package")) == 1
        assert await connection.scalar(text("SELECT count(*) FROM signature_file")) == 1
    stored = [file async for file in _files(services)]
    assert len(stored) == 1


async def _files(services):
    for file in (await services.storage.list()).files:
        yield file


async def test_another_organization_sees_and_signs_nothing_of_ours(banco, rival, warm):
    verification_id = await make_verification(banco)
    record = await signed(banco, verification_id)
    for path in ("", "/pdf"):
        answer = await rival.get(f"/v1/esignature/{record['id']}{path}")
        assert answer.status_code == 404
    foreign = await sign(rival, verification_id)
    unknown = await sign(rival, str(uuid4()))
    odd = await sign(rival, "no-es-un-id")
    assert foreign.status_code == unknown.status_code == odd.status_code == 404
    assert foreign.json()["error"]["message"] == unknown.json()["error"]["message"]


async def test_acts_are_audited_with_digests_and_without_names(banco, services, warm):
    record = await signed(banco, await make_verification(banco))
    await pdf_of(banco, record["id"])
    async with services.database.reading() as connection:
        rows = await connection.execute(
            text(
                "SELECT action, details FROM audit_log"
                " WHERE resource_id = CAST(:id AS uuid) ORDER BY id"
            ).bindparams(id=record["id"])
        )
        entries = {row.action: row.details for row in rows}
    assert list(entries) == ["esignature.requested", "esignature.signed", "esignature.viewed"]
    assert record["documents"][0]["sha256"] in str(entries["esignature.requested"])
    assert record["pdf"]["sha256"] in str(entries["esignature.signed"])
    assert "Ana" not in str(entries)


async def test_nothing_of_it_lies_open_in_the_database_or_the_storage(
    banco, services, settings, warm
):
    record = await signed(banco, await make_verification(banco), userAgent="Navegador Raro")
    async with services.database.reading() as connection:
        rows = await connection.scalars(text("SELECT to_jsonb(t)::text FROM signature_package t"))
        row = rows.one()
    for personal in ("Ana", "Cruz", "Contrato", "Navegador"):
        assert personal not in row
    assert record["userAgent"] == "Navegador Raro"
    for file in settings.storage_folder.rglob("*"):
        if file.is_file():
            assert b"%PDF" not in file.read_bytes()


async def test_the_event_loop_goes_on_while_a_large_package_comes_in(banco):
    verification_id = await make_verification(banco)
    largest = [{"title": "x", "content": "año nuevo " * 50_000}] * 5
    longest, stop = 0.0, False

    async def tick() -> None:
        nonlocal longest
        while not stop:
            began = time.perf_counter()
            await asyncio.sleep(0.005)
            longest = max(longest, time.perf_counter() - began)

    ticking = asyncio.create_task(tick())
    answer = await sign(banco, verification_id, documents=largest)
    stop = True
    await ticking
    assert answer.status_code == 201
    # httpx writes the body in this very loop, too.
    assert longest < 0.5
