"""A certificate as `front`, from its upload to the decision."""

from datetime import UTC, datetime

import pytest

from acredita_synthetic.certificates import CertificateKind, make_certificate
from tests.factories.organizations import make_verification, make_workflow
from tests.pipeline.conftest import decided

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("worker")]


def certificate(kind, seed, **options):
    return make_certificate(kind, seed, on=datetime.now(UTC).date(), **options)


async def send(member, pdf, *steps, **config):
    workflow_id = await make_workflow(member, *steps, **config)
    verification_id = await make_verification(member, workflow_id)
    answered = await member.post(
        f"/v1/verifications/{verification_id}/inputs",
        files={"front": ("constancia.pdf", pdf, "application/pdf")},
    )
    assert answered.status_code == 202
    uploaded = answered.json()["uploaded"]
    return uploaded, await decided(member, verification_id)


async def test_a_curp_certificate_is_read_and_its_curp_asked_of_the_registry(banco):
    made = certificate(CertificateKind.CURP, 31)
    uploaded, shown = await send(banco, made.pdf, "DOCUMENT_OCR", "GOVERNMENT_VERIFY")
    assert shown["verification"]["status"] == "APPROVED"
    fields = {item["field"]: item for item in shown["extraction"]}
    for name in ("curp", "givenNames", "paternalSurname", "dateOfBirth", "sex", "stateOfBirth"):
        assert fields[name]["value"] == made.values[name]
        assert fields[name]["decision"] == "ACCEPTED"
    assert fields["curp"]["source"] == "barcode"
    assert fields["folio"]["source"] == "ocr"
    assert fields["curp"]["documentId"] == uploaded[0]["id"]
    read, asked = (step["result"] for step in shown["verification"]["steps"])
    assert (read["curp"], read["barcode"]) == (made.values["curp"], "CONFIRMS")
    assert "renapo" in asked["registries"]


# tests/unit/engines/documents/test_read_certificates.py reads and judges such a certificate.
@pytest.mark.thorough
async def test_an_rfc_certificate_whose_code_is_anothers_goes_to_a_person(banco):
    other = certificate(CertificateKind.RFC_COMPANY, 33).values["rfc"]
    forged = certificate(CertificateKind.RFC_COMPANY, 32, coded={"rfc": other})
    _, shown = await send(banco, forged.pdf)
    assert shown["verification"]["status"] == "MANUAL_REVIEW"
    result = shown["verification"]["steps"][0]["result"]
    assert result["code"] == "FIELDS_CONTRADICT"
    assert "rfc: CONTRADICTS_CODE" in result["reasons"]
    fields = {item["field"]: item for item in shown["extraction"]}
    assert fields["rfc"]["decision"] == "REVIEW"
    assert fields["companyName"]["value"] == forged.values["companyName"]
