from collections.abc import Mapping
from typing import Any
from uuid import UUID

from sqlalchemy import Executable, RowMapping, select, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

from acredita.domain.caller import Caller
from acredita.domain.errors import NotFound
from acredita.models import Organization
from acredita.resources.organizations.schemas import OrganizationShape

SHOWN = (
    Organization.id,
    Organization.name,
    Organization.slug,
    Organization.data_retention_days,
    Organization.data_retention_years,
    Organization.retention_start,
    Organization.requires_second_reviewer,
    Organization.second_factor_required,
    Organization.reveals_on_demand,
    Organization.review_sla_hours,
    Organization.default_language,
    Organization.support_contact,
    Organization.created_at,
)


async def get(
    connection: AsyncConnection | AsyncSession, organization_id: UUID
) -> OrganizationShape:
    row = await _one(connection, select(*SHOWN).where(Organization.id == organization_id))
    return OrganizationShape(**row)


async def lock(session: AsyncSession, caller: Caller) -> OrganizationShape:
    """Return the caller's organization, which nobody else changes until the transaction ends."""
    query = select(*SHOWN).where(Organization.id == caller.organization_id)
    return OrganizationShape(**await _one(session, query.with_for_update(key_share=True)))


async def change(
    session: AsyncSession, caller: Caller, values: Mapping[str, Any]
) -> OrganizationShape:
    """Set columns of the caller's organization."""
    query = update(Organization).where(Organization.id == caller.organization_id)
    row = await _one(session, query.values(values).returning(*SHOWN))
    return OrganizationShape(**row)


async def allowed_origins(connection: AsyncConnection, caller: Caller) -> list[str]:
    query = select(Organization.allowed_origins).where(Organization.id == caller.organization_id)
    row = await _one(connection, query)
    return list(row["allowed_origins"])


async def _one(connection: AsyncConnection | AsyncSession, query: Executable) -> RowMapping:
    row = (await connection.execute(query)).mappings().one_or_none()
    if row is None:
        raise NotFound
    return row
