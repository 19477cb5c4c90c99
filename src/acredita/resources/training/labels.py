"""Stores reviewers' labels: every version stays, and the last one counts."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain import labelling
from acredita.domain.audit import Action
from acredita.domain.caller import Caller
from acredita.domain.errors import DocumentLeased, ValidationFailed
from acredita.domain.labelling import Comparison, Read
from acredita.kit import ids
from acredita.kit.clock import Clock
from acredita.kit.crypto import KeyRing
from acredita.models import TrainingField, TrainingLabel
from acredita.resources.audit import service as audit
from acredita.resources.organizations.masking import MASK
from acredita.resources.overview import queries as overview
from acredita.resources.training import queries, service
from acredita.resources.training.schemas import FieldLabel, LabelWrite


async def add(
    session: AsyncSession,
    clock: Clock,
    keys: KeyRing,
    caller: Caller,
    document_id: UUID,
    data: LabelWrite,
) -> TrainingLabel:
    """Store the label as the current one, end the lease, return the label.

    Raise NotFound, DocumentLeased (another reviewer holds the lease), ValidationFailed.
    """
    now = clock.now()
    item = await queries.item(session, caller, document_id, lock=True)
    if item.is_leased_to_another(caller.id, now):
        raise DocumentLeased
    read = await service.read_on(session, keys, item)
    comparisons = _comparisons(data, read)
    compared = await _agreement(session, keys, caller, document_id, comparisons, read)
    former = await queries.judged_by_last_label(session, document_id)
    label_id = ids.sortable()
    label = TrainingLabel(
        id=label_id,
        created_at=now,
        organization_id=caller.organization_id,
        document_id=document_id,
        version=await queries.next_version(session, document_id),
        is_last=True,
        reviewer_kind=caller.kind,
        reviewer_id=caller.id,
        read_type=item.read_type,
        document_type=data.document_type_override or item.read_type,
        review_seconds=data.review_seconds,
        compared=compared and compared[0],
        agreed=compared and compared[1],
        label_sealed=TrainingLabel.label.seal(
            keys, label_id, data.model_dump(by_alias=True) | {"flags": data.flags or []}
        ),
    )
    session.add(label)
    await session.flush()
    session.add_all(_rows(caller.organization_id, label_id, comparisons))
    await _count(session, item.verification_id, comparisons, former)
    item.labelled_at = now
    item.end_lease()
    audit.record(
        session,
        caller,
        Action.DOCUMENT_LABELLED,
        document_id,
        label=label_id,
        version=label.version,
        fields=len(comparisons),
    )
    return label


def _comparisons(data: LabelWrite, read: Mapping[str, Read]) -> list[Comparison]:
    """Raise ValidationFailed if a statement does not fit what was read."""
    statements = [field.statement for field in data.fields]
    # A caller who reads a masked document and sends it back would replace the values by masks.
    masks = [at for at, each in enumerate(statements) if each.confirmed == MASK]
    faults = [f"fields.{at}.confirmedValue: is masked" for at in masks]
    if faults := faults or labelling.faults(statements, read):
        raise ValidationFailed(details=[f"body.{fault}" for fault in faults])
    return [labelling.compare(each, read.get(each.field)) for each in statements]


async def _count(
    session: AsyncSession,
    verification_id: UUID,
    comparisons: Sequence[Comparison],
    former: tuple[int, int] | None,
) -> None:
    """Count what the label judges in place of what the document's former label judged."""
    judged = [each.correct for each in comparisons if each.correct is not None]
    fields, correct = former or (0, 0)
    await overview.add_label(
        session,
        verification_id,
        documents=0 if former else 1,
        fields=len(judged) - fields,
        correct=sum(judged) - correct,
    )


async def _agreement(
    session: AsyncSession,
    keys: KeyRing,
    caller: Caller,
    document_id: UUID,
    ours: Sequence[Comparison],
    read: Mapping[str, Read],
) -> tuple[int, int] | None:
    """Count the fields that another reviewer's last label also judges, and the agreements."""
    other = await queries.last_label(session, document_id, not_of=caller.id)
    if other is None:
        return None
    stored = other.label.open(keys)["fields"]
    theirs = [FieldLabel.model_validate(field).statement for field in stored]
    return labelling.agreement(
        ours, [labelling.compare(each, read.get(each.field)) for each in theirs]
    )


def _rows(
    organization_id: UUID, label_id: UUID, comparisons: Sequence[Comparison]
) -> list[TrainingField]:
    return [
        TrainingField(
            organization_id=organization_id,
            label_id=label_id,
            field=each.field,
            was_read=each.read is not None,
            confidence=each.read and each.read.confidence,
            decision=each.read and each.read.decision,
            source=each.read and each.read.source,
            confirmation=each.read and each.read.confirmation,
            is_decided_by_confidence=bool(each.read and each.read.is_decided_by_confidence),
            is_present=each.present,
            is_correct=each.correct,
            is_metamap_correct=each.metamap_correct,
        )
        for each in comparisons
    ]
