"""The queue of documents to label, and a document with all extracted values."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.audit import Action
from acredita.domain.caller import Caller
from acredita.domain.labelling import FIELDS, Read
from acredita.domain.steps import DOCUMENT_OCR, GOVERNMENT_VERIFY
from acredita.domain.verification import DocumentRole, PersonalData
from acredita.kit import ids
from acredita.kit.clock import Clock
from acredita.kit.crypto import KeyRing
from acredita.kit.db import Within
from acredita.kit.statement_pool import Reads
from acredita.models import TrainingItem, TrainingLabel
from acredita.ports import ViewSources
from acredita.resources.audit import service as audit
from acredita.resources.images.links import image_link, training_link
from acredita.resources.organizations.masking import MASK
from acredita.resources.training import queries, sources
from acredita.resources.training.queue_order import Filters, Strategy
from acredita.resources.training.schemas import (
    FieldShape,
    QueueAnswer,
    QueuedDocument,
    SkipAnswer,
    StandingLabel,
    TrainingDocument,
    TrainingMedia,
)
from acredita.settings import Settings

# What a reviewer has written about a field.
WRITTEN = frozenset({"confirmedValue", "notes"})
ORDER_OF_COLUMNS = [name.strip() for name in queries.COLUMNS.split(",")]


async def queue(
    clock: Clock,
    reads: Reads,
    caller: Caller,
    strategy: Strategy,
    filters: Filters,
    *,
    after: str | None,
    limit: int,
) -> QueueAnswer:
    """Return a page of the queue. Raise NotFound for an unknown batch or `after`."""
    mine = caller.organization_id
    await queries.check_batch(reads, mine, filters.batch_id)
    cursor = None
    if after is not None:
        cursor = await queries.cursor_of(reads, mine, strategy, ids.parse(after))
    statement, arguments = queries.page(mine, strategy, filters, cursor, limit + 1)
    rows = await reads.rows(statement, *arguments)
    now = clock.now()
    documents = [QueuedDocument.from_row(row, now) for row in rows[:limit]]
    return QueueAnswer(
        documents=documents, next_after=documents[-1].id if len(rows) > limit else None
    )


async def next_document(
    session: AsyncSession,
    settings: Settings,
    clock: Clock,
    caller: Caller,
    strategy: Strategy,
    filters: Filters,
    *,
    after: str | None,
) -> QueuedDocument | None:
    """Lease a document to the caller, who has at most one lease.

    Without `after`, renews the caller's lease if its document matches the filters. Raise NotFound
    as `queue` does.
    """
    statements, mine = Within(session), caller.organization_id
    now = clock.now()
    until = now + timedelta(minutes=settings.training_lease_minutes)
    await queries.check_batch(statements, mine, filters.batch_id)
    await queries.lock_reviewer(statements, caller.id)
    cursor = row = None
    if after is None:
        row = await queries.renew(statements, caller, filters, until)
    else:
        cursor = await queries.cursor_of(statements, mine, strategy, ids.parse(after))
    if row is None:
        await queries.put_back(statements, caller)
        row = await queries.draw(
            statements, caller, strategy, filters, cursor, now=now, until=until
        )
    return None if row is None else QueuedDocument.from_row(row, now)


async def skip(
    session: AsyncSession, clock: Clock, caller: Caller, document_id: UUID
) -> SkipAnswer:
    """Do not offer the document to the caller again; others still get it. Raise NotFound."""
    now = clock.now()
    item = await queries.item(session, caller, document_id, lock=True)
    if item.lease_owner == caller.id:
        item.end_lease()
    await queries.skip(session, caller, document_id, now)
    audit.record(session, caller, Action.DOCUMENT_SKIPPED, document_id)
    return SkipAnswer(document_id=document_id, skipped_at=now)


async def show(
    session: AsyncSession, services: ViewSources, caller: Caller, document_id: UUID
) -> TrainingDocument:
    """Raise NotFound."""
    now = services.clock.now()
    item = await queries.item(session, caller, document_id)
    document, media = await queries.document_and_media(session, document_id)
    read = await read_on(session, services.keys, item)
    fields, codes = sources.fields_and_codes(
        sources.pages_of(services.keys, document),
        media,
        read,
        await _registered(session, services.keys, item.verification_id),
        now.date(),
    )
    label = await queries.last_label(session, document_id)
    audit.record(session, caller, Action.DOCUMENT_VIEWED, document_id)
    queued = QueuedDocument.from_row([getattr(item, name) for name in ORDER_OF_COLUMNS], now)
    return TrainingDocument(
        **dict(queued),
        type=DocumentRole(document.type),
        mime_type=document.mime_type,
        rules_version=item.rules_version,
        image_url=image_link(services, document_id, now),
        media=[
            TrainingMedia(id=row.id, kind=row.kind, url=training_link(services, row.id, now))
            for row in media
        ],
        fields=fields,
        codes=codes,
        field_names=sorted(FIELDS | set(read)),
        label=label and _current_label(services.keys, label),
    )


async def reveal(
    session: AsyncSession, services: ViewSources, caller: Caller, document_id: UUID
) -> TrainingDocument:
    """Return the document as `show` does, and record that masked data are revealed."""
    document = await show(session, services, caller, document_id)
    audit.record(
        session,
        caller,
        Action.PERSONAL_DATA_REVEALED,
        document.verification_id,
        kinds=sorted({PersonalData.FIELDS.value, PersonalData.PICTURES.value}),
        document=document_id,
    )
    return document


def mask(document: TrainingDocument) -> TrainingDocument:
    """Return the document without values, notes and links to pictures."""
    return document.model_copy(
        update={
            "image_url": "",
            "media": [each.model_copy(update={"url": ""}) for each in document.media],
            "fields": [_masked(each) for each in document.fields],
            "codes": [each.model_copy(update={"text": MASK}) for each in document.codes],
            "label": document.label and _masked_label(document.label),
            "masked": True,
        }
    )


def _masked(field: FieldShape) -> FieldShape:
    hidden = {"value": MASK, "alternatives": []}
    sources = [each.model_copy(update=hidden) for each in field.sources]
    return field.model_copy(update={"value": field.value and MASK, "sources": sources})


def _masked_label(label: StandingLabel) -> StandingLabel:
    fields = [
        {name: MASK if name in WRITTEN and value else value for name, value in each.items()}
        for each in label.fields
    ]
    return label.model_copy(update={"fields": fields, "review_notes": label.review_notes and MASK})


async def read_on(session: AsyncSession, keys: KeyRing, item: TrainingItem) -> dict[str, Read]:
    """Return the fields of a document, as DOCUMENT_OCR decided them.

    Empty for a replaced document: a step keeps only the fields of the documents that decided it.
    """
    step = await queries.step(session, item.verification_id, DOCUMENT_OCR)
    if step is None:
        return {}
    evidence = step.evidence.open(keys) or []
    return sources.read_fields(evidence, item.document_id)


async def _registered(
    session: AsyncSession, keys: KeyRing, verification_id: UUID
) -> dict[str, Any]:
    """Return RENAPO's record of the person, empty if there is none."""
    step = await queries.step(session, verification_id, GOVERNMENT_VERIFY)
    result = step and step.result.open(keys)
    answer = ((result or {}).get("registries") or {}).get("renapo") or {}
    return dict(answer.get("registered") or {})


def _current_label(keys: KeyRing, label: TrainingLabel) -> StandingLabel:
    stored = label.label.open(keys)
    return StandingLabel.model_validate(
        {
            **stored,
            "id": label.id,
            "document_id": label.document_id,
            "version": label.version,
            "reviewer_id": label.reviewer_id,
            "reviewer_kind": label.reviewer_kind,
            "created_at": label.created_at,
        }
    )
