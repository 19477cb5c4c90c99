"""Register organizations; exchange an API key for an access token."""

import re
import unicodedata
import uuid
from collections.abc import Awaitable, Callable

from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.access.api_keys import NewKey, make_key
from acredita.access.tokens import TokenKeys
from acredita.domain.audit import Action, ActorType
from acredita.domain.caller import Caller
from acredita.domain.errors import Conflict, Unauthorized
from acredita.domain.roles import Role
from acredita.domain.token_types import TokenType
from acredita.kit import ids
from acredita.kit.clock import Clock
from acredita.kit.crypto import Signer
from acredita.models import ApiKey, Organization, User
from acredita.resources.audit import service as audit
from acredita.resources.auth.schemas import (
    NewOrganization,
    RegisteredKey,
    RegisteredOrganization,
    RegistrationAnswer,
    TokenAnswer,
    TokenRequest,
    UserShape,
)

FIRST_KEY = "First key"


def slug_of(name: str) -> str:
    """`Crédito Fácil, S.A.` → `credito-facil-s-a`. Random if the name has no Latin letters."""
    ascii_name = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", ascii_name).strip("-") or f"org-{uuid.uuid4().hex[:12]}"


async def create_organization(
    session: AsyncSession, signer: Signer, data: NewOrganization, *, password_hash: str | None
) -> RegistrationAnswer:
    """Create an organization, its OWNER and its first API key.

    `password_hash` is None if the operator creates the organization: its owner sets a password
    later. Raise Conflict if the organization's slug or the e-mail address is registered.
    """
    organization = Organization(
        id=ids.capability(), name=data.org_name, slug=slug_of(data.org_name)
    )
    user = User(
        organization_id=organization.id,
        email=data.email,
        password_hash=password_hash,
        role=Role.OWNER,
    )
    new_key = make_key(signer)
    key = ApiKey(
        organization_id=organization.id,
        name=FIRST_KEY,
        prefix=new_key.prefix,
        digest=new_key.digest,
        role=Role.ADMIN,
    )
    await _insert(session, organization, "An organization of this name exists already.")
    await _insert(session, user, "This e-mail address is registered already.")
    session.add(key)
    await session.flush()
    owner = audit.Actor(organization.id, ActorType.USER, user.id)
    operator = audit.Actor(organization.id)
    audit.record(
        session,
        owner if password_hash else operator,
        Action.ORGANIZATION_REGISTERED,
        organization.id,
        user=user.id,
        api_key=key.id,
    )
    return _answer(organization, user, key, new_key)


async def _insert(session: AsyncSession, row: Organization | User, taken: str) -> None:
    session.add(row)
    try:
        await session.flush()
    except IntegrityError:
        raise Conflict(taken) from None


def _answer(
    organization: Organization, user: User, key: ApiKey, new_key: NewKey
) -> RegistrationAnswer:
    return RegistrationAnswer(
        org=RegisteredOrganization(
            id=organization.id, name=organization.name, slug=organization.slug
        ),
        user=UserShape(id=user.id, email=user.email, role=Role(user.role)),
        api_key=RegisteredKey(
            id=key.id,
            name=key.name,
            key=new_key.raw,
            prefix=key.prefix,
            created_at=key.created_at,
        ),
    )


async def exchange(
    find_caller: Callable[[str], Awaitable[Caller | None]],
    tokens: TokenKeys,
    clock: Clock,
    data: TokenRequest,
) -> TokenAnswer:
    """Issue an access token for an organization's id and one of its API keys.

    Raise Unauthorized if they do not match.
    """
    caller = await find_caller(data.client_secret)
    if caller is None or str(caller.organization_id) != data.client_id:
        raise Unauthorized("The client id or secret is not valid.")
    token = tokens.issue(
        token_type=TokenType.CLIENT,
        subject_id=caller.id,
        organization_id=caller.organization_id,
        role=caller.role,
        now=clock.now(),
    )
    return TokenAnswer(access_token=token, expires_in=tokens.lifetime)
