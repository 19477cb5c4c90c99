"""What reading a document leaves behind for people to look at."""

import io

import pytest
from PIL import Image
from sqlalchemy import select

from acredita.models import Document
from acredita_synthetic.ground_truth import SpecimenKind
from tests.factories.organizations import make_verification
from tests.pipeline.conftest import decided, picture, upload

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("worker")]


async def test_the_page_laid_flat_is_kept_once_a_document_was_read(banco, rival, services):
    verification_id = await make_verification(banco)
    await upload(
        banco,
        verification_id,
        front=picture(SpecimenKind.INE_FRONT, 20),
        back=picture(SpecimenKind.INE_BACK, 20),
    )
    shown = await decided(banco, verification_id)
    for document in shown["documents"]:
        (media,) = document["media"]
        path = f"/v1/passport-image/{media['id']}"
        answer = await banco.get(path)
        page = Image.open(io.BytesIO(answer.content))
        assert page.format == "JPEG"
        # A card of 85.6 by 54 millimetres.
        assert page.width / page.height == pytest.approx(85.6 / 54, rel=0.02)
        assert (await rival.get(path)).status_code == 404
    async with services.database.transaction() as session:
        readings = (await session.scalars(select(Document.reading_sealed))).all()
    # The pictures are not kept a second time.
    assert all(len(reading) < 20_000 for reading in readings)
