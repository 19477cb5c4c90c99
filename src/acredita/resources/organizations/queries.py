from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from acredita.api.errors import NotFound
from acredita.models import Organization
from acredita.resources.organizations.schemas import OrganizationShape


async def get(connection: AsyncConnection, organization_id: UUID) -> OrganizationShape:
    query = select(
        Organization.id,
        Organization.name,
        Organization.slug,
        Organization.data_retention_days,
        Organization.created_at,
    ).where(Organization.id == organization_id)
    row = (await connection.execute(query)).one_or_none()
    if row is None:
        raise NotFound
    return OrganizationShape(
        id=row.id,
        name=row.name,
        slug=row.slug,
        data_retention_days=row.data_retention_days,
        created_at=row.created_at,
    )
