"""Documents in the labelling queue, as DOCUMENT_OCR leaves them, without the engine."""

from typing import Any
from uuid import UUID

from sqlalchemy import text

from acredita.domain.documents import PageKind, PageReading, Quality, Sighting
from acredita.domain.verification import StepStatus
from acredita.kit import ids
from acredita.models import Document, Media, MediaKind, TrainingBatch, TrainingItem
from acredita.resources.files import service as files
from acredita.resources.training import items
from acredita.resources.verifications import pipeline, queries
from acredita.resources.verifications.outcome import StepOutcome
from acredita.services import Services
from tests.factories.organizations import Member, make_verification

CURP = "GOPA900101MDFMRN09"
JUDGED_BY = {"engine": "engine-1", "rules": "rules-1"}


def field(name: str, value: str, confidence: float = 0.97, **more: Any) -> dict[str, Any]:
    """Of a step's evidence; the document is filled in."""
    reasons = more.pop("reasons", [])
    return {
        "field": name,
        "value": value,
        "confidence": confidence,
        "decision": "REVIEW" if reasons else "ACCEPTED",
        "source": "ocr",
        "zone": "front",
        "alternatives": [],
        "reasons": reasons,
        "confirmation": "NONE",
    } | more


FIELDS = (
    field("curp", CURP),
    field("givenNames", "ANA", 0.61, reasons=["LOW_CONFIDENCE"]),
    field("section", "0123", 0.88, reasons=["READINGS_DIFFER"]),
)


async def enter(
    services: Services,
    verification_id: str,
    document_id: str,
    *fields: dict[str, Any],
    kind: PageKind = PageKind.INE_FRONT,
    finish: bool = True,
) -> None:
    """Let an uploaded document be read, and judged with the fields given (those of FIELDS)."""
    evidence = [each | {"documentId": document_id} for each in fields or FIELDS]
    sightings = tuple(
        Sighting(each["field"], (each["value"],), each["confidence"], (), (0.1, 0.2, 0.4, 0.25))
        for each in evidence
    )
    page = PageReading(kind, Quality(0, 0, 0.0, 0.0, 0.0, 0.0), sightings)
    outcome = StepOutcome(StepStatus.REVIEW, evidence=evidence, judged_by=JUDGED_BY)
    async with services.database.transaction() as session:
        document = await session.get_one(Document, UUID(document_id))
        document.reading.seal(services.keys, [page])
        verification = await queries.lock(session, UUID(verification_id))
        assert verification is not None
        await items.add_to_queue(
            session,
            verification,
            {document.id: [page]},
            evidence=evidence,
            judged_by=JUDGED_BY,
        )
        if finish:
            (step,) = await queries.list_steps(session, verification.id)
            await pipeline.finish_step(session, services, verification, step, outcome)


async def make_read_document(
    services: Services, member: Member, content: bytes, *fields: dict[str, Any], **options: Any
) -> str:
    """A document of a verification of its own that was read; its page is the picture itself."""
    verification_id = await make_verification(member)
    answer = await member.post(
        f"/v1/verifications/{verification_id}/inputs", files={"front": ("x.png", content)}
    )
    assert answer.status_code == 202, answer.text
    document_id = str(answer.json()["uploaded"][0]["id"])
    await enter(services, verification_id, document_id, *fields, **options)
    media_id = ids.capability()
    media = Media(
        id=media_id,
        organization_id=UUID(member.organization_id),
        document_id=UUID(document_id),
        kind=MediaKind.PAGE,
        storage_key=f"page-of-{document_id}",
    )
    await files.store(services, media, content)
    async with services.database.transaction() as session:
        session.add(media)
    return document_id


# What nobody opens: rows alone, to make the queue as long as it gets.
MANY = """
    WITH one AS (SELECT * FROM document WHERE id = :document_id),
    made AS (
        INSERT INTO document (id, organization_id, verification_id, type, mime_type, file_size,
                              sha256, storage_key, data_key_sealed)
        SELECT gen_random_uuid(), organization_id, verification_id, type, mime_type, file_size,
               sha256, gen_random_uuid(), data_key_sealed
        FROM one, generate_series(1, :count)
        RETURNING id, organization_id, verification_id
    ),
    drawn AS (SELECT *, random() AS a, random() AS b, random() AS c, random() AS d FROM made)
    INSERT INTO training_item (document_id, organization_id, verification_id, created_at, read_type,
        engine_version, rules_version, lowest_confidence, disagreements, hit_rate, metamap_status)
    SELECT id, organization_id, verification_id, now() - a * interval '30 days',
        CASE WHEN b < 0.5 THEN 'INE_FRONT' WHEN b < 0.85 THEN 'INE_BACK' WHEN b < 0.99
             THEN 'PASSPORT' ELSE 'UNKNOWN' END,
        'engine-1', 'rules-1', c, floor(6 * d * d * d), round(sqrt(c)::numeric, 4),
        CASE WHEN a < 0.8 THEN 'verified' WHEN a < 0.99 THEN 'reviewNeeded' ELSE 'rejected' END
    FROM drawn
"""


async def multiply(services: Services, document_id: str, count: int) -> None:
    """Add that many documents to the queue, like the given one, with random figures."""
    async with services.database.transaction() as session:
        await session.execute(text(MANY), {"document_id": UUID(document_id), "count": count})


async def batch_of(services: Services, document_id: str) -> str:
    """A batch of that one document."""
    async with services.database.transaction() as session:
        item = await session.get_one(TrainingItem, UUID(document_id))
        batch = TrainingBatch(organization_id=item.organization_id, name="Lote")
        session.add(batch)
        await session.flush()
        item.batch_id = batch.id
    return str(batch.id)
