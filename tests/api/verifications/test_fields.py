"""Each field says where the picture shows it."""

from uuid import UUID, uuid4

from acredita.models import Document
from tests.factories.belongings import picture
from tests.factories.organizations import with_new_key
from tests.factories.training import CURP, make_read_document


async def test_a_field_has_its_document_and_its_place_in_the_picture(banco, rival, services):
    document_id = await make_read_document(services, banco, picture())
    async with services.database.transaction() as session:
        verification_id = (await session.get_one(Document, UUID(document_id))).verification_id
    where = f"/v1/verifications/{verification_id}/fields"
    answer = await banco.get(where)
    assert answer.status_code == 200, answer.text
    fields = {each["field"]: each for each in answer.json()["fields"]}
    assert set(fields) == {"curp", "givenNames", "section"}
    curp = fields["curp"]
    assert (curp["value"], curp["documentId"], curp["role"]) == (CURP, document_id, "front")
    (source,) = curp["sources"]
    assert (source["source"], source["box"]) == ("ocr", [0.1, 0.2, 0.4, 0.25])
    assert source["mediaId"]
    assert fields["givenNames"]["reasons"] == ["LOW_CONFIDENCE"]
    assert (await rival.get(where)).status_code == 404
    assert (await banco.get(f"/v1/verifications/{uuid4()}/fields")).status_code == 404
    member = await with_new_key(banco, "MEMBER")
    assert (await member.get(where)).status_code == 403
