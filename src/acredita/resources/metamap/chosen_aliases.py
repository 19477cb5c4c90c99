"""Aliases that were chosen for a workflow or an organization, for example former MetaMap ids."""

from uuid import UUID

from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.audit import Action
from acredita.domain.caller import Caller
from acredita.domain.errors import AliasTaken
from acredita.models import MetamapAlias
from acredita.models.tenancy import owned
from acredita.resources.audit import service as audit
from acredita.resources.metamap.id_aliases import to_alias


async def names(
    session: AsyncSession, organization_id: UUID, workflow_id: UUID | None
) -> list[str]:
    """Return the ids of a workflow, or of the organization: those chosen, newest first, then its
    own.
    """
    chosen = await session.scalars(
        owned(MetamapAlias, organization_id)
        .with_only_columns(MetamapAlias.alias)
        .where(MetamapAlias.workflow_id.is_not_distinct_from(workflow_id))
        .order_by(MetamapAlias.created_at.desc(), MetamapAlias.alias)
    )
    return [*chosen, to_alias(workflow_id or organization_id)]


async def add(
    session: AsyncSession,
    actor: Caller | audit.Actor,
    workflow_id: UUID | None,
    alias: str,
) -> None:
    """Add an alias of 24 hex digits. A second time changes nothing. Raise AliasTaken."""
    organization_id = actor.organization_id
    if alias in await names(session, organization_id, workflow_id):
        return
    row = {"alias": alias, "organization_id": organization_id, "workflow_id": workflow_id}
    added = insert(MetamapAlias).values(row).on_conflict_do_nothing()
    if await session.scalar(added.returning(MetamapAlias.alias)) is None:
        raise AliasTaken
    audit.record(
        session,
        actor,
        Action.ORGANIZATION_UPDATED if workflow_id is None else Action.WORKFLOW_UPDATED,
        workflow_id or organization_id,
        changes=["metamapAlias"],
        alias=bytes.fromhex(alias),
    )
