"""A database to measure against: one verification that is decided, among many."""

import io
from dataclasses import dataclass
from uuid import UUID

import httpx
from PIL import Image
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.steps import DOCUMENT_OCR, GOVERNMENT_VERIFY
from acredita.domain.verification import StepStatus, StepType, VerificationStatus

# The pipeline finds the jobs of the steps in a table, which this import fills.
from acredita.resources.verifications import jobs as _jobs  # noqa: F401
from acredita.resources.verifications import pipeline, queries
from acredita.resources.verifications.outcome import StepOutcome
from acredita.services import Services, open_services
from acredita.settings import Settings
from tests.factories.organizations import Member, make_verification, make_workflow, register

OTHERS = 10_000
FIELDS = {
    "givenNames": "MARIA FERNANDA",
    "paternalSurname": "GARCIA",
    "maternalSurname": "LOPEZ",
    "curp": "GALM900214MDFRPR03",
    "clave": "GRLPMR90021409M700",
    "dateOfBirth": "1990-02-14",
    "sex": "M",
    "street": "C JUAN ESCUTIA 34 INT 5",
    "neighbourhood": "COL CONDESA",
    "postalCode": "06140",
    "municipality": "CUAUHTEMOC",
    "state": "CDMX",
    "section": "4921",
    "registrationYear": "2008",
    "emission": "2019",
    "expirationYear": "2029",
    "cic": "123456789",
    "ocr": "4921087654321",
    "citizenId": "087654321",
    "ineModel": "G",
}
REGISTRY_ANSWER = {"registries": {"renapo": {"outcome": "match"}, "ine": {"outcome": "match"}}}

# Copies of the decided verification, its steps and documents. What is sealed does not open in the
# copies, and nobody reads them: they are there to make the tables and indexes as large as in use.
COPIES = """
    CREATE TEMPORARY TABLE copy ON COMMIT DROP AS
        SELECT gen_random_uuid() AS id FROM generate_series(1, :count);
    INSERT INTO verification (id, organization_id, workflow_id, status, expires_at, created_at)
        SELECT copy.id, organization_id, workflow_id, status, expires_at,
               now() - random() * interval '30 days'
        FROM copy, verification WHERE verification.id = :original;
    INSERT INTO verification_step (id, verification_id, position, type, config, status,
                                   result_sealed, evidence_sealed)
        SELECT gen_random_uuid(), copy.id, position, type, config, status,
               result_sealed, evidence_sealed
        FROM copy, verification_step WHERE verification_id = :original;
    INSERT INTO document (id, organization_id, verification_id, type, mime_type, file_size, sha256,
                          storage_key, data_key_sealed, position)
        SELECT gen_random_uuid(), organization_id, copy.id, type, mime_type, file_size, sha256,
               gen_random_uuid(), data_key_sealed, position
        FROM copy, document WHERE verification_id = :original
"""


@dataclass(frozen=True, slots=True)
class Seeded:
    token: str
    workflow_id: str
    verification_id: str


async def seed(settings: Settings, base_url: str, others: int = OTHERS) -> Seeded:
    """Make a customer, a decided verification and its copies, through the API at `base_url`."""
    async with httpx.AsyncClient(base_url=base_url, trust_env=False, timeout=30) as client:
        member = await register(client, "Banco Uno")
        workflow_id = await make_workflow(member, DOCUMENT_OCR, GOVERNMENT_VERIFY)
        verification_id = await make_verification(member, workflow_id)
        document_id = await _upload(member, verification_id)
    async with open_services(settings, purpose="benchmark") as services:
        async with services.database.transaction() as session:
            await _decide(session, services, UUID(verification_id), document_id)
        await _copy(services, verification_id, others)
    return Seeded(member.token, workflow_id, verification_id)


async def _upload(member: Member, verification_id: str) -> str:
    """The id of the first of two documents."""
    image = io.BytesIO()
    Image.effect_noise((320, 200), 40).convert("RGB").save(image, "JPEG")
    answer = await member.post(
        f"/v1/verifications/{verification_id}/inputs",
        files={role: (f"{role}.jpg", image.getvalue(), "image/jpeg") for role in ("front", "back")},
    )
    assert answer.status_code == 202, answer.text
    return str(answer.json()["uploaded"][0]["id"])


async def _decide(
    session: AsyncSession, services: Services, verification_id: UUID, document_id: str
) -> None:
    """Finish both steps as their jobs would, with what a voter card yields."""
    evidence = [
        {
            "field": field,
            "value": value,
            "confidence": 0.98,
            "decision": "ACCEPTED",
            "source": "ocr",
            "zone": field,
            "documentId": document_id,
            "alternatives": [],
            "reasons": [],
        }
        for field, value in FIELDS.items()
    ]
    outcomes = {
        DOCUMENT_OCR: StepOutcome(
            StepStatus.PASSED, result={"documents": ["INE"], **FIELDS}, evidence=evidence
        ),
        GOVERNMENT_VERIFY: StepOutcome(StepStatus.PASSED, result=REGISTRY_ANSWER),
    }
    verification = await queries.lock(session, verification_id)
    assert verification is not None
    for step in await queries.list_steps(session, verification_id):
        outcome = outcomes[StepType(step.type)]
        await pipeline.finish_step(session, services, verification, step, outcome)
    assert verification.status == VerificationStatus.APPROVED, verification.status


async def _copy(services: Services, original: str, count: int) -> None:
    async with services.database.transaction() as session:
        for statement in COPIES.split(";"):
            known = {"count": count, "original": original}
            used = {name: value for name, value in known.items() if f":{name}" in statement}
            await session.execute(text(statement), used)
    async with services.database.reading() as connection:
        await connection.execute(text("VACUUM ANALYZE"))
