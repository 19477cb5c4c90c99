"""The commands of `acredita metamap`."""

from collections.abc import Callable
from uuid import UUID

from sqlalchemy import or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.errors import AliasTaken, CommandRefused
from acredita.kit import ids
from acredita.models import Organization, Workflow
from acredita.resources.audit.service import Actor
from acredita.resources.metamap import chosen_aliases, default_flow
from acredita.resources.metamap.id_aliases import ALIAS
from acredita.services import open_transaction
from acredita.settings import Settings

Say = Callable[[str], None]


async def manage_alias(settings: Settings, target: str, alias: str | None, say: Say) -> None:
    """Print the ids of a workflow or an organization; first add an alias if one is given.

    Raise CommandRefused.

    `target`: a workflow's id, or an organization's id or slug.
    """
    async with open_transaction(settings) as session:
        organization_id, workflow_id = await _find(session, target)
        if alias is not None:
            await _add(session, organization_id, workflow_id, alias)
        names = await chosen_aliases.names(session, organization_id, workflow_id)
    kind = "organization (clientId)" if workflow_id is None else "workflow (flowId)"
    say(f"{kind} {workflow_id or organization_id}: {', '.join(names)}")


async def choose_default(settings: Settings, target: str, say: Say, *, is_default: bool) -> None:
    """Make a workflow the default of compatible calls, or no longer. Raise CommandRefused."""
    async with open_transaction(settings) as session:
        organization_id, workflow_id = await _find(session, target)
        if workflow_id is None:
            raise CommandRefused("there is no workflow with this id")
        actor = Actor(organization_id)
        await default_flow.choose(session, actor, workflow_id, is_default=is_default)
    chosen = "is now" if is_default else "is not"
    say(f"workflow {workflow_id} {chosen} the one of compatible calls without a flowId")


async def _find(session: AsyncSession, target: str) -> tuple[UUID, UUID | None]:
    named = ids.parse(target)
    workflow = await session.get(Workflow, named) if named else None
    if workflow is not None:
        return workflow.organization_id, workflow.id
    query = select(Organization.id).where(
        or_(Organization.slug == target, Organization.id == named)
    )
    organization_id = await session.scalar(query)
    if organization_id is None:
        raise CommandRefused(
            "there is no workflow with this id, and no organization with this id or slug"
        )
    return organization_id, None


async def _add(
    session: AsyncSession, organization_id: UUID, workflow_id: UUID | None, alias: str
) -> None:
    if not ALIAS.fullmatch(alias):
        raise CommandRefused("an alias is 24 hex digits in lower case")
    actor = Actor(organization_id)
    try:
        await chosen_aliases.add(session, actor, workflow_id, alias)
    except AliasTaken as fault:
        raise CommandRefused(fault.message) from None
