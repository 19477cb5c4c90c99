"""A package is signed within the request, shown, and served byte for byte."""

from hashlib import sha256

from tests.api.esignature.conftest import pdf_of, sign
from tests.factories.organizations import make_verification


async def test_a_short_package_is_signed_within_the_request(banco, warm):
    verification_id = await make_verification(banco)
    answer = await sign(banco, verification_id)
    assert answer.status_code == 201, answer.text
    record = answer.json()
    assert record["status"] == "SIGNED", record
    assert answer.headers["location"] == f"/v1/esignature/{record['id']}"
    content = await pdf_of(banco, record["id"])
    assert sha256(content).hexdigest() == record["pdf"]["sha256"]
    assert record["pdf"]["fileSize"] == len(content)
    assert await pdf_of(banco, record["id"]) == content
    assert (await banco.get(f"/v1/esignature/{record['id']}")).json() == record
