"""The certificate of a screening: a page that an auditor can check, also of a clean screening."""

import io
from dataclasses import replace

import orjson
import pypdfium2
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.validation import async_validate_pdf_signature
from pyhanko_certvalidator import ValidationContext
from sqlalchemy import select

from acredita.models import AuditEntry
from acredita.resources.aml.screening.certificate import ATTACHED

LISTED, CLEAN = "Otolina Fanshawe Dubois", "Nadie Con Este Nombre"


async def certificate_of(member, services, **body):
    """(the screening, the PDF, the text of its only page)"""
    screened = await member.post("/v1/aml/screen", json=body)
    assert screened.status_code == 200, screened.text
    path = f"/v1/aml/screenings/{screened.json()['screeningId']}/certificate"
    answer = await member.get(path)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/pdf"
    (page,) = pypdfium2.PdfDocument(answer.content)
    return screened.json(), answer.content, " ".join(page.get_textpage().get_text_range().split())


async def test_a_certificate_shows_the_screening_and_its_seal_covers_the_record(
    app, banco, rival, services, sandbox, monkeypatch
):
    person = {
        "fullName": LISTED,
        "dateOfBirth": "1969-09-14",
        "externalId": "cliente 1",
        "aliases": ["Otolina F."],
        "nationalities": ["GB"],
        "gender": "female",
        "identifiers": [{"kind": "passport", "value": "X1234567"}],
    }
    screened, pdf, page = await certificate_of(banco, services, **person)
    name = screened["matches"][0]["name"]
    for shown in (
        "Constancia de consulta en listas",
        "1 COINCIDENCIA",
        LISTED,
        "1969-09-14",
        "cliente 1",
        "Otros nombres Otolina F.",
        "Sexo Mujer",
        "Nacionalidad GB",
        "Documentos passport X1234567",
        "sandbox versión 1",
        f"cargada: {screened['lists'][0]['loadedAt'][:10]}",
        f"{name}, puntuación {screened['matches'][0]['score']:.2f}, sin revisar",
        "SELLO DE DESARROLLO",
        "nombres inventados",
        screened["screenedAt"],
    ):
        assert shown in page, shown
    (signature,) = PdfFileReader(io.BytesIO(pdf)).embedded_signatures
    status = await async_validate_pdf_signature(signature, ValidationContext(trust_roots=[]))
    assert status.intact
    assert status.valid
    document = pypdfium2.PdfDocument(pdf)
    (attached,) = (document.get_attachment(n) for n in range(document.count_attachments()))
    record = orjson.loads(bytes(attached.get_data()))
    assert attached.get_name() == ATTACHED
    assert record["id"] == screened["screeningId"]
    assert record["digest"] in page
    assert record["answer"]["matches"] == screened["matches"]
    path = f"/v1/aml/screenings/{screened['screeningId']}/certificate"
    assert (await rival.get(path)).status_code == 404
    async with services.database.transaction() as session:
        query = select(AuditEntry).where(AuditEntry.action == "aml_screening.certified")
        (entry,) = await session.scalars(query)
    assert str(entry.resource_id) == screened["screeningId"]
    # The typefaces have no Arabic letters, but the page names whom it certifies.
    foreign = {"fullName": "بشار الأسد", "aliases": ["Иван Востриков"]}
    _, _, page = await certificate_of(banco, services, **foreign)
    assert "Nombre bshr l'sd (en letras latinas; el original está en consulta.json)" in page
    assert "Иван Востриков" in page
    assert "\ufffd" not in page
    # Without a certificate of the installation the page says so.
    monkeypatch.setattr(app.state, "services", replace(app.state.services, seal=None))
    _, unsigned, page = await certificate_of(banco, services, fullName=CLEAN)
    assert "SIN COINCIDENCIAS" in page
    assert "ARCHIVO SIN FIRMA" in page
    assert not PdfFileReader(io.BytesIO(unsigned)).embedded_signatures


async def test_the_longest_certificate_has_one_page(banco, services, lists):
    long = "Evaristo Quimbaya Lunario " + "Zempoaltecatl " * 10
    await lists.write(*(f"{number:040},person,{long},,,MX," for number in range(60)))
    await lists.serve()
    person = {
        "fullName": long.strip(),
        "dateOfBirth": "1969-09-14",
        "rfc": "QULE690914AB1",
        "curp": "QULE690914HDFNNV09",
        "country": "MX",
        "entityType": "person",
        "externalId": "x" * 255,
        "aliases": [long[:200].strip()] * 5,
        "nationalities": ["MX", "US", "GB", "FR", "DE"],
        "gender": "male",
        "birthYear": 1969,
        "identifiers": [{"kind": "passport", "value": "9" * 50}] * 10,
    }
    _, _, page = await certificate_of(banco, services, **person)
    assert "60 COINCIDENCIAS" in page
    assert "más en consulta.json" in page
    assert "La respuesta no es completa" in page
