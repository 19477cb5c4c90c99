from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.audit import Action
from acredita.domain.caller import Caller
from acredita.resources.audit import service as audit
from acredita.resources.organizations import queries
from acredita.resources.organizations.schemas import (
    AllowedOriginsUpdate,
    OrganizationShape,
    OrganizationUpdate,
)


async def update(
    session: AsyncSession, caller: Caller, data: OrganizationUpdate
) -> OrganizationShape:
    """Update the given fields of the caller's organization. Raise NotFound."""
    values = data.model_dump(exclude_unset=True)
    if not values:
        return await queries.get(session, caller.organization_id)
    changed = await queries.change(session, caller, values)
    audit.record(
        session,
        caller,
        Action.ORGANIZATION_UPDATED,
        caller.organization_id,
        changes=sorted(data.model_dump(exclude_unset=True, by_alias=True)),
        # A shorter retention destroys data: the log says which one was set.
        data_retention_days=changed.data_retention_days,
    )
    return changed


async def set_allowed_origins(
    session: AsyncSession, caller: Caller, data: AllowedOriginsUpdate
) -> list[str]:
    origins = list(dict.fromkeys(data.allowed_origins))
    await queries.change(session, caller, {"allowed_origins": origins})
    audit.record(
        session,
        caller,
        Action.ORGANIZATION_UPDATED,
        caller.organization_id,
        changes=["allowedOrigins"],
    )
    return origins
