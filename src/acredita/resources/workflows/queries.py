from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.api.caller import Caller
from acredita.api.errors import NotFound
from acredita.models import Workflow


async def get(session: AsyncSession, caller: Caller, workflow_id: UUID | None) -> Workflow:
    query = select(Workflow).where(
        Workflow.organization_id == caller.organization_id, Workflow.id == workflow_id
    )
    found = (await session.scalars(query)).one_or_none()
    if found is None:
        raise NotFound
    return found


async def list_all(session: AsyncSession, caller: Caller) -> Sequence[Workflow]:
    query = (
        select(Workflow)
        .where(Workflow.organization_id == caller.organization_id)
        .order_by(Workflow.created_at.desc(), Workflow.id.desc())
    )
    return (await session.scalars(query)).all()
