from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from acredita.access.api_keys import make_key
from acredita.domain.audit import Action
from acredita.domain.caller import Caller, CallerKind
from acredita.domain.errors import ApiKeyInUse, Forbidden
from acredita.domain.roles import Role
from acredita.kit import ids
from acredita.kit.crypto import Signer
from acredita.models import ApiKey
from acredita.resources.api_keys import queries
from acredita.resources.api_keys.schemas import DEFAULT_RATE, ApiKeyCreate, CreatedApiKey
from acredita.resources.audit import service as audit


async def create(
    session: AsyncSession, signer: Signer, caller: Caller, data: ApiKeyCreate
) -> CreatedApiKey:
    """Create a key with its raw value. Raise Forbidden for a role above the caller's."""
    role = Role(data.role or Role.ADMIN)
    if not caller.role.covers(role):
        raise Forbidden
    new_key = make_key(signer)
    key = ApiKey(
        id=ids.sortable(),
        organization_id=caller.organization_id,
        name=data.name,
        prefix=new_key.prefix,
        digest=new_key.digest,
        role=role,
        rate_limit=DEFAULT_RATE if data.rate_limit is None else data.rate_limit,
    )
    session.add(key)
    await session.flush()
    audit.record(
        session, caller, Action.API_KEY_CREATED, key.id, role=role, rate_limit=key.rate_limit
    )
    return CreatedApiKey(
        id=key.id,
        name=key.name,
        key=new_key.raw,
        prefix=key.prefix,
        role=role,
        rate_limit=key.rate_limit,
        created_at=key.created_at,
    )


async def revoke(session: AsyncSession, caller: Caller, key_id: UUID) -> None:
    """Revoke a key permanently. Revoking it again changes nothing.

    Raise NotFound. Raise ApiKeyInUse if the key, or a token issued for it, authenticates the
    request.
    """
    if caller.kind is CallerKind.CLIENT and caller.id == key_id:
        raise ApiKeyInUse
    if await queries.revoke(session, caller, key_id):
        audit.record(session, caller, Action.API_KEY_REVOKED, key_id)
