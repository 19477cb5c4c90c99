"""The commands of `acredita metamap`."""

from collections.abc import Callable
from uuid import UUID

from sqlalchemy import or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.audit import Action, ActorType
from acredita.kit import ids
from acredita.models import MetamapAlias, Organization, Workflow
from acredita.models.tenancy import owned
from acredita.resources.audit import service as audit
from acredita.resources.audit.service import Actor
from acredita.resources.metamap.id_aliases import ALIAS, to_alias
from acredita.services import open_database
from acredita.settings import Settings

Say = Callable[[str], None]


class CannotAlias(Exception):
    """The alias cannot be added; the message gives the reason."""


async def manage_alias(settings: Settings, target: str, alias: str | None, say: Say) -> None:
    """Print the ids of a workflow or an organization; first add an alias if one is given.

    Raise CannotAlias.

    `target`: a workflow's id, or an organization's id or slug.
    """
    timeout = settings.database_statement_timeout
    async with (
        open_database(settings, statement_timeout=timeout) as database,
        database.transaction() as session,
    ):
        organization_id, workflow_id = await _find(session, target)
        if alias is not None:
            await _add(session, organization_id, workflow_id, alias)
        chosen = await session.scalars(
            owned(MetamapAlias, organization_id)
            .with_only_columns(MetamapAlias.alias)
            .where(
                MetamapAlias.workflow_id.is_(None)
                if workflow_id is None
                else MetamapAlias.workflow_id == workflow_id,
            )
            .order_by(MetamapAlias.created_at.desc(), MetamapAlias.alias)
        )
        names = [*chosen, to_alias(workflow_id or organization_id)]
    kind = "organization (clientId)" if workflow_id is None else "workflow (flowId)"
    say(f"{kind} {workflow_id or organization_id}: {', '.join(names)}")


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
        raise CannotAlias(
            "there is no workflow with this id, and no organization with this id or slug"
        )
    return organization_id, None


async def _add(
    session: AsyncSession, organization_id: UUID, workflow_id: UUID | None, alias: str
) -> None:
    if not ALIAS.fullmatch(alias):
        raise CannotAlias("an alias is 24 hex digits in lower case")
    known = await session.get(MetamapAlias, alias)
    if known is not None:
        if (known.organization_id, known.workflow_id) == (organization_id, workflow_id):
            return
        raise CannotAlias("this alias already belongs to another workflow or organization")
    session.add(MetamapAlias(alias=alias, organization_id=organization_id, workflow_id=workflow_id))
    await session.flush()
    audit.record(
        session,
        Actor(organization_id, ActorType.SERVICE),
        Action.ORGANIZATION_UPDATED if workflow_id is None else Action.WORKFLOW_UPDATED,
        workflow_id or organization_id,
        changes=["metamapAlias"],
        alias=bytes.fromhex(alias),
    )
