"""What licences and selfies with known content have in common: each is a row with files, on which a
job tries the engine."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar
from uuid import UUID

from pydantic import BaseModel
from sqlalchemy import ColumnElement, Row, func, select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

from acredita import jobs
from acredita.domain.audit import Action
from acredita.domain.caller import Caller
from acredita.domain.errors import NotFound
from acredita.jobs import JobDefinition
from acredita.kit.crypto import KeyRing
from acredita.kit.db import Database
from acredita.kit.upload_limits import UploadedFile
from acredita.models import LicenceTruth, SelfieTruth, TrialStatus, TruthFile
from acredita.models.tenancy import belongs_to, fetch, owned
from acredita.ports import Intake, Pictures
from acredita.resources.audit import service as audit
from acredita.resources.ground_truth import samples
from acredita.resources.images import service as images

Truth = TypeVar("Truth", LicenceTruth, SelfieTruth)
ShapeT = TypeVar("ShapeT", bound=BaseModel)


@dataclass(frozen=True, slots=True, kw_only=True)
class TruthKind(Generic[Truth, ShapeT]):
    table: type[Truth]
    file_ids: Callable[[Truth], Sequence[UUID]]
    # Converts a row of the table; it unseals, which blocks.
    shape: Callable[[KeyRing, Any], ShapeT]
    # Tries the engine (payload: `truth_id`).
    trial: JobDefinition
    added: Action
    tried_again: Action
    viewed: Action
    removed: Action
    exported: Action
    purged: Action


async def add(
    services: Intake,
    caller: Caller,
    kind: TruthKind[Truth, ShapeT],
    uploads: Sequence[UploadedFile],
    new_row: Callable[[Sequence[TruthFile]], Truth],
    **noted: Any,
) -> ShapeT:
    """Store a sample and add the job that tries the engine on it. Raise as `samples.stored` does.

    `new_row` takes the rows of the files. `noted` is recorded in the audit log.
    """
    async with samples.stored(services, caller, uploads) as files:
        truth = new_row(files)
        async with services.database.transaction() as session:
            session.add_all(files)
            await session.flush()
            session.add(truth)
            await session.flush()
            audit.record(session, caller, kind.added, truth.id, **noted)
            await _queue_trial(session, kind, truth)
            await session.refresh(truth)
    return kind.shape(services.keys, truth)


def conditions(
    kind: TruthKind[Truth, ShapeT], caller: Caller, **wanted: Any
) -> list[ColumnElement[bool]]:
    """Return the conditions for samples of the caller's organization with these values of columns.

    None means any value.
    """
    found = [belongs_to(kind.table, caller.organization_id)]
    for column, value in wanted.items():
        if value is not None:
            found.append(getattr(kind.table, column) == value)
    return found


async def page(
    connection: AsyncConnection,
    kind: TruthKind[Truth, ShapeT],
    wanted: list[ColumnElement[bool]],
    *,
    limit: int,
    offset: int,
) -> tuple[int, Sequence[Row[Any]]]:
    """Return the total number and the rows of the page, newest first."""
    table = kind.table
    total = await connection.scalar(select(func.count()).select_from(table).where(*wanted))
    query = (
        select(table.__table__)
        .where(*wanted)
        .order_by(table.created_at.desc(), table.id)
        .limit(limit)
        .offset(offset)
    )
    return total or 0, (await connection.execute(query)).all()


async def shapes(
    keys: KeyRing, kind: TruthKind[Truth, ShapeT], rows: Sequence[Any]
) -> list[ShapeT]:
    """Convert rows in a thread, because unsealing them blocks."""
    return await asyncio.to_thread(lambda: [kind.shape(keys, row) for row in rows])


async def get(
    session: AsyncSession,
    kind: TruthKind[Truth, ShapeT],
    caller: Caller | audit.Actor,
    truth_id: UUID,
    *,
    lock: bool = False,
) -> Truth:
    """Return a sample; `lock` locks its row until the transaction ends. Raise NotFound."""
    query = owned(kind.table, caller.organization_id).where(kind.table.id == truth_id)
    return await fetch(session, query.with_for_update() if lock else query)


async def remove(
    session: AsyncSession, kind: TruthKind[Truth, ShapeT], caller: Caller, truth_id: UUID
) -> None:
    """Delete a sample with its files. Raise NotFound."""
    truth = await get(session, kind, caller, truth_id, lock=True)
    file_ids = kind.file_ids(truth)
    await session.delete(truth)
    await session.flush()
    await samples.forget_files(session, caller.organization_id, file_ids)
    audit.record(session, caller, kind.removed, truth_id)


async def try_again(
    session: AsyncSession,
    kind: TruthKind[Truth, ShapeT],
    caller: Caller | audit.Actor,
    truth_id: UUID,
) -> Truth:
    """Add a job that tries the engine again; the previous result stays. Raise NotFound."""
    truth = await get(session, kind, caller, truth_id, lock=True)
    truth.status = TrialStatus.PENDING.value
    audit.record(session, caller, kind.tried_again, truth.id)
    await _queue_trial(session, kind, truth)
    return truth


async def image(
    database: Database,
    services: Pictures,
    kind: TruthKind[Truth, ShapeT],
    caller: Caller,
    truth_id: UUID,
    file_of: Callable[[Truth], UUID],
) -> bytes:
    """Return an image of a sample as JPEG, and record in the audit log that it is viewed.

    Raise NotFound, ServiceUnavailable.
    """
    async with database.transaction() as session:
        truth = await get(session, kind, caller, truth_id)
        audit.record(session, caller, kind.viewed, truth.id)
        file = await session.get(TruthFile, file_of(truth))
        if file is None:
            raise NotFound
    return await images.content(services, file)


async def _queue_trial(session: AsyncSession, kind: TruthKind[Truth, ShapeT], truth: Truth) -> None:
    await jobs.add(
        session,
        kind.trial,
        {"truth_id": str(truth.id)},
        coalesce_key=f"{kind.trial.kind}:{truth.id}",
        priority=jobs.Priority.BULK,
        organization_id=truth.organization_id,
    )
