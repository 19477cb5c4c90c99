"""Configure the identity provider of an organization."""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from acredita.access.openid import Providers, ProviderUnreachable
from acredita.domain.audit import Action
from acredita.domain.caller import Caller
from acredita.domain.errors import Conflict, NotFound, ValidationFailed
from acredita.kit import ids
from acredita.kit.crypto import KeyRing
from acredita.models import IdentityProvider
from acredita.resources.audit import service as audit
from acredita.resources.identity_providers import queries
from acredita.resources.identity_providers.schemas import IdentityProviderWrite


async def check(providers: Providers, data: IdentityProviderWrite) -> None:
    """Raise ValidationFailed for a provider that nobody could sign in with.

    It asks the provider: call it before the first statement of a transaction.
    """
    faults = []
    if "openid" not in data.scopes:
        faults.append("body.scopes: must have openid")
    if len({each.group for each in data.roles}) < len(data.roles):
        faults.append("body.roles: name a group twice")
    try:
        await providers.discover(data.issuer, is_fresh=True)
    except ProviderUnreachable as fault:
        reason = f": the provider {fault}" if f"{fault}" else ""
        faults.append(f"body.issuer: has no valid discovery document{reason}")
    if faults:
        raise ValidationFailed(details=faults)


async def put(
    session: AsyncSession, keys: KeyRing, caller: Caller, data: IdentityProviderWrite
) -> IdentityProvider:
    """Store the provider of the caller's organization. Raise ValidationFailed, Conflict.

    A provider that replaces another one takes none of its users over: they are tied again by their
    verified addresses.
    """
    organization_id = caller.organization_id
    row = await queries.find(session, organization_id)
    if row is None and not data.client_secret:
        raise ValidationFailed(details=["body.clientSecret: Field required"])
    if data.only and not await queries.has_owner_with_password(session, organization_id):
        raise Conflict("An OWNER needs a password first, in case the provider fails.")
    is_other = row is not None and (row.issuer, row.client_id) != (data.issuer, data.client_id)
    becomes_only = data.only and not (row is not None and row.is_only)
    if row is None:
        row = IdentityProvider(id=ids.sortable(), organization_id=organization_id)
        session.add(row)
    if is_other:
        await queries.forget_subjects(session, organization_id)
    _fill(row, data)
    if data.client_secret:
        row.client_secret.seal(keys, data.client_secret)
    await session.flush()
    if becomes_only:
        await queries.end_sessions_without_provider(session, organization_id)
    audit.record(
        session,
        caller,
        Action.IDENTITY_PROVIDER_SET,
        organization_id,
        provider=row.id,
        is_other=is_other,
        only=row.is_only,
        second_factor=row.is_second_factor,
        domains=len(row.allowed_domains),
        roles=sorted({each["role"] for each in row.roles}),
        default_role=row.default_role,
    )
    return row


def _fill(row: IdentityProvider, data: IdentityProviderWrite) -> None:
    row.issuer, row.client_id = data.issuer, data.client_id
    row.scopes, row.groups_claim = data.scopes, data.groups_claim
    row.allowed_domains = sorted(set(data.allowed_domains))
    row.roles = [{"group": each.group, "role": each.role} for each in data.roles]
    row.default_role = data.default_role
    row.is_only, row.is_second_factor = data.only, data.second_factor


async def remove(session: AsyncSession, caller: Caller) -> UUID:
    """Delete the provider, and end the sessions that it opened. Raise NotFound."""
    row = await queries.find(session, caller.organization_id)
    if row is None:
        raise NotFound
    await queries.forget_subjects(session, caller.organization_id)
    await session.delete(row)
    audit.record(
        session, caller, Action.IDENTITY_PROVIDER_REMOVED, caller.organization_id, provider=row.id
    )
    return row.id
