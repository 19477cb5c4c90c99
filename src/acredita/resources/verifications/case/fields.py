"""GET /v1/verifications/{id}/fields: each value with the places of the pictures that show it."""

from typing import Any
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.caller import Caller
from acredita.domain.errors import NotFound
from acredita.domain.verification import DocumentRole
from acredita.models import Document, Media, Verification
from acredita.models.tenancy import belongs_to, owned
from acredita.ports import SealedRows
from acredita.resources.training import sources
from acredita.resources.verifications import queries
from acredita.resources.verifications.case.schemas import LocatedField


async def located_fields(
    session: AsyncSession, services: SealedRows, caller: Caller, verification_id: UUID
) -> list[LocatedField]:
    """Return the fields of the judged documents, in the order of the evidence. Raise NotFound."""
    query = owned(Verification, caller.organization_id).where(Verification.id == verification_id)
    if await session.scalar(query.with_only_columns(Verification.id)) is None:
        raise NotFound
    evidence: list[dict[str, Any]] = []
    for step in await queries.list_steps(session, verification_id):
        evidence += step.evidence.open(services.keys) or []
    named = {UUID(item["documentId"]) for item in evidence if item.get("documentId")}
    if not named:
        return []
    documents = await session.scalars(
        select(Document)
        .where(
            belongs_to(Document, caller.organization_id),
            Document.verification_id == verification_id,
            Document.id.in_(named),
        )
        .order_by(Document.created_at, Document.position)
    )
    found = list(documents)
    of_documents = select(Media).where(
        belongs_to(Media, caller.organization_id), Media.document_id.in_(named)
    )
    media = list(await session.scalars(of_documents))
    located = []
    for document in found:
        read = sources.read_fields(evidence, document.id)
        shown, _ = sources.fields_and_codes(
            sources.pages_of(services.keys, document),
            [row for row in media if row.document_id == document.id],
            read,
            {},
            services.clock.now().date(),
        )
        located += [
            LocatedField(**dict(each), document_id=document.id, role=DocumentRole(document.type))
            for each in shown
            if each.field in read
        ]
    return located
