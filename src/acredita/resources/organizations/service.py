from collections.abc import Mapping

from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.audit import Action
from acredita.domain.caller import Caller
from acredita.domain.errors import Forbidden
from acredita.domain.roles import Role
from acredita.resources.audit import service as audit
from acredita.resources.organizations import queries
from acredita.resources.organizations.schemas import (
    AllowedOriginsUpdate,
    OrganizationShape,
    OrganizationUpdate,
)

# A shorter retention destroys data: the audit log always says which one is set.
ALWAYS_RECORDED = {"data_retention_days", "data_retention_years", "retention_start"}
# The audit log takes no texts.
TEXTS = {"name", "support_contact"}


async def update(
    session: AsyncSession, caller: Caller, data: OrganizationUpdate
) -> OrganizationShape:
    """Update the given fields of the caller's organization. Raise NotFound, Forbidden."""
    values = data.model_dump(exclude_unset=True)
    if not values:
        return await queries.get(session, caller.organization_id)
    former = await queries.lock(session, caller)
    if not caller.role.covers(Role.OWNER):
        _check_not_relaxed(former, values)
    changed = await queries.change(session, caller, values)
    facts = values.keys() - TEXTS
    audit.record(
        session,
        caller,
        Action.ORGANIZATION_UPDATED,
        caller.organization_id,
        changes=sorted(data.model_dump(exclude_unset=True, by_alias=True)),
        **{name: getattr(changed, name) for name in ALWAYS_RECORDED | facts},
        **{f"previous_{name}": getattr(former, name) for name in facts},
    )
    return changed


def _check_not_relaxed(current: OrganizationShape, values: Mapping[str, object]) -> None:
    """Raise Forbidden if the values turn off a rule that binds administrators."""
    # Otherwise, one administrator could turn it off, decide alone, and turn it on again.
    if values.get("requires_second_reviewer") is False and current.requires_second_reviewer:
        raise Forbidden("Only an OWNER can stop requiring a second reviewer.")
    if values.get("second_factor_required") is False and current.second_factor_required:
        raise Forbidden("Only an OWNER can stop requiring a second factor.")
    if values.get("reveals_on_demand") is False and current.reveals_on_demand:
        raise Forbidden("Only an OWNER can stop masking personal data.")


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
