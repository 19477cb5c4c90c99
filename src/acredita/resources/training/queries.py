"""Queries on the labelling queue. Each one walks along the index of its strategy."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.caller import Caller
from acredita.domain.errors import NotFound
from acredita.domain.verification import StepType
from acredita.kit.conditions import Conditions, lease_first
from acredita.kit.db import Statements
from acredita.models import (
    Document,
    Media,
    MediaKind,
    TrainingBatch,
    TrainingField,
    TrainingItem,
    TrainingLabel,
    TrainingSkip,
    VerificationStep,
)
from acredita.models.tenancy import belongs_to, fetch, owned
from acredita.resources.training.queue_order import Filters, Strategy

COLUMNS = """document_id, verification_id, created_at, read_type, engine_version, lowest_confidence,
    disagreements, hit_rate, metamap_status, batch_id, lease_owner, lease_until"""
OF_ITEM = ", ".join(f"training_item.{name.strip()}" for name in COLUMNS.split(","))


class _Query(Conditions):
    """The condition that selects the organization's documents without a label."""

    def __init__(self, organization_id: UUID, filters: Filters) -> None:
        super().__init__()
        self.add("organization_id = {}", organization_id)
        self.conditions.append("labelled_at IS NULL")
        if filters.doc_type is not None:
            self.add("read_type = {}", filters.doc_type)
        if filters.metamap_status is not None:
            self.add("metamap_status = {}", filters.metamap_status)
        if filters.batch_id is not None:
            self.add("batch_id = {}", filters.batch_id)
        if filters.hit_rate is not None:
            self.add("hit_rate BETWEEN {} AND {}", *filters.hit_rate)

    def after(self, strategy: Strategy, cursor: Sequence[Any]) -> None:
        sign = "<" if strategy.descends else ">"
        self.add(f"({strategy.column}, document_id) {sign} ({{}}, {{}})", *cursor)


def _order(strategy: Strategy) -> str:
    direction = "DESC" if strategy.descends else "ASC"
    return f"ORDER BY {strategy.column} {direction}, document_id {direction}"


def page(
    organization_id: UUID,
    strategy: Strategy,
    filters: Filters,
    cursor: Sequence[Any] | None,
    limit: int,
) -> tuple[str, list[Any]]:
    """Return the statement that lists documents without a label, and its arguments."""
    query = _Query(organization_id, filters)
    if cursor is not None:
        query.after(strategy, cursor)
    text = (
        f"SELECT {COLUMNS} FROM training_item WHERE {query.where}"  # noqa: S608
        f" {_order(strategy)} LIMIT {query.place(limit)}"
    )
    return text, query.arguments


async def cursor_of(
    statements: Statements, organization_id: UUID, strategy: Strategy, document_id: UUID | None
) -> Sequence[Any]:
    """Return the cursor of a document in the order. Raise NotFound."""
    row = await statements.row(
        f"SELECT {strategy.column}, document_id FROM training_item"  # noqa: S608
        " WHERE organization_id = $1 AND document_id = $2",
        organization_id,
        document_id,
    )
    if row is None:
        raise NotFound
    return tuple(row)


async def check_batch(statements: Statements, organization_id: UUID, batch_id: UUID | None) -> None:
    """Raise NotFound if the organization has no such batch."""
    if batch_id is not None and not await statements.row(
        "SELECT id FROM training_batch WHERE organization_id = $1 AND id = $2",
        organization_id,
        batch_id,
    ):
        raise NotFound


async def lock_reviewer(statements: Statements, reviewer_id: UUID) -> None:
    """Serialize the requests of a reviewer, so that concurrent ones do not lease two documents."""
    key = int.from_bytes(reviewer_id.bytes[8:], "big", signed=True)
    await statements.row("SELECT pg_advisory_xact_lock($1)", key)


async def renew(
    statements: Statements, caller: Caller, filters: Filters, until: datetime
) -> Sequence[Any] | None:
    """Renew the caller's lease if its document matches the filters; return the document."""
    query = _Query(caller.organization_id, filters)
    query.add("lease_owner = {}", caller.id)
    return await statements.row(
        f"UPDATE training_item SET lease_until = {query.place(until)}"  # noqa: S608
        f" WHERE {query.where} RETURNING {COLUMNS}",
        *query.arguments,
    )


async def put_back(statements: Statements, caller: Caller) -> None:
    """End the caller's lease."""
    await statements.row(
        "UPDATE training_item SET lease_owner = NULL, lease_until = NULL"
        " WHERE organization_id = $1 AND lease_owner = $2 RETURNING 1",
        caller.organization_id,
        caller.id,
    )


async def draw(
    statements: Statements,
    caller: Caller,
    strategy: Strategy,
    filters: Filters,
    cursor: Sequence[Any] | None,
    *,
    now: datetime,
    until: datetime,
) -> Sequence[Any] | None:
    """Lease the first document that is not leased and that the caller has not skipped."""
    query = _Query(caller.organization_id, filters)
    if cursor is not None:
        query.after(strategy, cursor)
    query.add(
        "NOT EXISTS (SELECT FROM training_skip AS skip WHERE skip.reviewer_id = {}"
        " AND skip.document_id = training_item.document_id)",
        caller.id,
    )
    statement = lease_first(
        "training_item",
        "document_id",
        query,
        order=_order(strategy),
        owner=caller.id,
        now=now,
        until=until,
        returning=OF_ITEM,
    )
    return await statements.row(statement, *query.arguments)


async def item(
    session: AsyncSession, caller: Caller, document_id: UUID, *, lock: bool = False
) -> TrainingItem:
    """Raise NotFound."""
    query = owned(TrainingItem, caller.organization_id).where(
        TrainingItem.document_id == document_id,
    )
    return await fetch(session, query.with_for_update() if lock else query)


async def document_and_media(
    session: AsyncSession, document_id: UUID
) -> tuple[Document, Sequence[Media]]:
    document = await session.get_one(Document, document_id)
    query = select(Media).where(Media.document_id == document_id).order_by(Media.position)
    return document, (await session.scalars(query)).all()


async def step(
    session: AsyncSession, verification_id: UUID, step_type: StepType
) -> VerificationStep | None:
    """Return the last finished step of that type."""
    query = (
        select(VerificationStep)
        .where(
            VerificationStep.verification_id == verification_id,
            VerificationStep.type == step_type,
            VerificationStep.finished_at.is_not(None),
        )
        .order_by(VerificationStep.position.desc())
        .limit(1)
    )
    return (await session.scalars(query)).one_or_none()


async def last_label(
    session: AsyncSession, document_id: UUID, *, not_of: UUID | None = None
) -> TrainingLabel | None:
    """Return the newest label, or the newest of another reviewer."""
    query = select(TrainingLabel).where(TrainingLabel.document_id == document_id)
    if not_of is not None:
        query = query.where(TrainingLabel.reviewer_id != not_of)
    query = query.order_by(TrainingLabel.version.desc()).limit(1)
    return (await session.scalars(query)).one_or_none()


async def next_version(session: AsyncSession, document_id: UUID) -> int:
    """Return the version of the document's next label and clear the mark of the current one.

    The caller holds the lock of the item's row.
    """
    labels = TrainingLabel.document_id == document_id
    await session.execute(update(TrainingLabel).where(labels).values(is_last=False))
    newest = await session.scalar(select(func.max(TrainingLabel.version)).where(labels))
    return (newest or 0) + 1


async def judged_by_last_label(session: AsyncSession, document_id: UUID) -> tuple[int, int] | None:
    """Return how many readings the last label judges, and how many are right; None without one."""
    query = (
        select(
            func.count(TrainingField.is_correct),
            func.count().filter(TrainingField.is_correct.is_(True)),
        )
        .select_from(TrainingLabel)
        .outerjoin(TrainingField, TrainingField.label_id == TrainingLabel.id)
        .where(TrainingLabel.document_id == document_id, TrainingLabel.is_last)
        .group_by(TrainingLabel.id)
    )
    row = (await session.execute(query)).one_or_none()
    return None if row is None else (row[0], row[1])


async def skip(session: AsyncSession, caller: Caller, document_id: UUID, now: datetime) -> None:
    await session.execute(
        insert(TrainingSkip)
        .values(
            document_id=document_id,
            reviewer_id=caller.id,
            organization_id=caller.organization_id,
            created_at=now,
        )
        .on_conflict_do_nothing()
    )


async def media(session: AsyncSession, media_id: UUID, organization_id: UUID | None) -> Media:
    """Return a picture of a document in the queue. Raise NotFound.

    `organization_id` is None for a signed link, which replaces the check of tenancy.
    """
    query = (
        select(Media)
        .join(TrainingItem, TrainingItem.document_id == Media.document_id)
        .where(Media.id == media_id, Media.kind.in_([MediaKind.PAGE, MediaKind.PORTRAIT]))
    )
    if organization_id is not None:
        query = query.where(belongs_to(Media, organization_id))
    return await fetch(session, query)


async def batch(session: AsyncSession, caller: Caller, batch_id: UUID) -> TrainingBatch:
    """Raise NotFound."""
    query = owned(TrainingBatch, caller.organization_id).where(TrainingBatch.id == batch_id)
    return await fetch(session, query)


def fill_batch(
    organization_id: UUID, strategy: Strategy, filters: Filters, limit: int, batch_id: UUID
) -> tuple[str, list[Any]]:
    """Return the statement that adds the first documents without a batch, and its arguments."""
    query = _Query(organization_id, filters)
    query.conditions.append("batch_id IS NULL")
    text = (
        f"WITH chosen AS (SELECT document_id AS id FROM training_item WHERE {query.where}"  # noqa: S608
        f" {_order(strategy)} LIMIT {query.place(limit)} FOR UPDATE OF training_item SKIP LOCKED)"
        f" UPDATE training_item SET batch_id = {query.place(batch_id)}"
        " FROM chosen WHERE training_item.document_id = chosen.id"
    )
    return text, query.arguments
