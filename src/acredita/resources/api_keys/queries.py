from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import RowMapping, select, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

from acredita.domain.caller import Caller
from acredita.domain.errors import NotFound
from acredita.models import ApiKey
from acredita.models.tenancy import belongs_to


async def list_all(connection: AsyncConnection, caller: Caller) -> Sequence[RowMapping]:
    """All keys, including revoked ones, newest first, without their digests."""
    query = (
        select(
            ApiKey.id,
            ApiKey.name,
            ApiKey.prefix,
            ApiKey.role,
            ApiKey.rate_limit,
            ApiKey.is_active,
            ApiKey.last_used_at,
            ApiKey.created_at,
        )
        .where(belongs_to(ApiKey, caller.organization_id))
        .order_by(ApiKey.created_at.desc(), ApiKey.id.desc())
    )
    return (await connection.execute(query)).mappings().all()


async def revoke(session: AsyncSession, caller: Caller, key_id: UUID) -> bool:
    """Revoke a key. Return False if it was revoked before. Raise NotFound."""
    mine = (belongs_to(ApiKey, caller.organization_id), ApiKey.id == key_id)
    revoked = await session.execute(
        update(ApiKey).where(*mine, ApiKey.is_active).values(is_active=False).returning(ApiKey.id)
    )
    if revoked.one_or_none() is not None:
        return True
    if (await session.scalar(select(ApiKey.id).where(*mine))) is None:
        raise NotFound
    return False
