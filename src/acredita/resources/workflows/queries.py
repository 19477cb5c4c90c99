from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import orjson
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

from acredita.domain.caller import Caller
from acredita.domain.errors import NotFound
from acredita.kit.db import Statements
from acredita.models import Organization, PolicyVersion, Workflow
from acredita.models.tenancy import fetch, owned


async def get(
    session: AsyncSession, caller: Caller, workflow_id: UUID | None, *, lock: bool = False
) -> Workflow:
    """`lock`: lock the row against changes until the transaction ends. Raise NotFound."""
    query = owned(Workflow, caller.organization_id).where(Workflow.id == workflow_id)
    if lock:
        # Not FOR UPDATE, which would block new verifications of this workflow.
        query = query.with_for_update(key_share=True)
    return await fetch(session, query)


async def requires_second_reviewer(session: AsyncSession, caller: Caller) -> bool:
    query = select(Organization.requires_second_reviewer).where(
        Organization.id == caller.organization_id
    )
    return bool(await session.scalar(query))


async def policy_statuses(
    session: AsyncSession, caller: Caller, policy_id: UUID | None
) -> Sequence[str]:
    """The statuses of a policy's versions; empty for an unknown policy."""
    query = (
        owned(PolicyVersion, caller.organization_id)
        .with_only_columns(PolicyVersion.status)
        .where(PolicyVersion.policy_id == policy_id)
    )
    return (await session.scalars(query)).all()


async def public_theme(connection: AsyncConnection, workflow_id: UUID) -> dict[str, Any]:
    """The theme of any organization's workflow: browsers need it before authentication.

    Raise NotFound.
    """
    query = select(Workflow.theme).where(Workflow.id == workflow_id)
    row = (await connection.execute(query)).one_or_none()
    if row is None:
        raise NotFound
    return row.theme or {}


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The values that a verification copies from its workflow."""

    id: UUID
    is_active: bool
    steps: list[dict[str, Any]]
    # `steps` as PostgreSQL returned it.
    stored_steps: str = ""


# Workflows that could be used, by organization and id. They may have changed since: the statement
# that relies on one compares its steps with the row's.
_remembered: dict[tuple[UUID, UUID], Snapshot] = {}
MOST_REMEMBERED = 1000
LONGEST_REMEMBERED = 32 * 1024


def remember(caller: Caller, workflow: Snapshot) -> None:
    if len(workflow.stored_steps) > LONGEST_REMEMBERED:
        return
    if len(_remembered) >= MOST_REMEMBERED:
        _remembered.clear()
    _remembered[caller.organization_id, workflow.id] = workflow


def remembered(caller: Caller, workflow_id: UUID | None) -> Snapshot | None:
    """Return a snapshot of a workflow that may have changed or may have been deleted since."""
    return None if workflow_id is None else _remembered.get((caller.organization_id, workflow_id))


async def snapshot(statements: Statements, caller: Caller, workflow_id: UUID | None) -> Snapshot:
    """Raise NotFound."""
    row = await statements.row(
        "SELECT id, is_active, steps FROM workflow WHERE organization_id = $1 AND id = $2",
        caller.organization_id,
        workflow_id,
    )
    if row is None:
        raise NotFound
    found_id, is_active, steps = row
    return Snapshot(found_id, is_active, orjson.loads(steps), steps)


async def list_all(session: AsyncSession, caller: Caller) -> Sequence[Workflow]:
    query = owned(Workflow, caller.organization_id).order_by(
        Workflow.created_at.desc(), Workflow.id.desc()
    )
    return (await session.scalars(query)).all()
