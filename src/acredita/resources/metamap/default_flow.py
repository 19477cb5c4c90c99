"""The workflow of compatible calls that name none: the chosen one, or the oldest active one."""

from uuid import UUID

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.audit import Action
from acredita.domain.caller import Caller
from acredita.models import Organization, Workflow
from acredita.models.tenancy import belongs_to
from acredita.resources.audit import service as audit


async def choose(
    session: AsyncSession, actor: Caller | audit.Actor, workflow_id: UUID, *, is_default: bool
) -> None:
    """Make the organization's workflow the default one, or no longer. A second time changes
    nothing.
    """
    mine = actor.organization_id
    # Two choices at once take turns.
    await session.execute(select(Organization.id).where(Organization.id == mine).with_for_update())
    others = update(Workflow).where(
        belongs_to(Workflow, mine), Workflow.id != workflow_id, Workflow.is_metamap_default
    )
    if is_default:
        await session.execute(others.values(is_metamap_default=False))
    changed = (
        update(Workflow)
        .where(
            belongs_to(Workflow, mine),
            Workflow.id == workflow_id,
            Workflow.is_metamap_default != is_default,
        )
        .values(is_metamap_default=is_default)
        .returning(Workflow.id)
    )
    if await session.scalar(changed) is not None:
        audit.record(
            session,
            actor,
            Action.WORKFLOW_UPDATED,
            workflow_id,
            changes=["metamapDefault"],
            is_default=is_default,
        )
