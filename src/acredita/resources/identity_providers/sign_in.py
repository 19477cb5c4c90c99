"""Sign in with an organization's identity provider.

The service trusts a provider within its own organization alone, and only for addresses that the
provider has verified: the controller of one provider must not enter another organization.
"""

import hashlib
import re
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from acredita.access.openid import (
    Client,
    Proofs,
    Providers,
    ProviderUnreachable,
    SignInInvalid,
    authorization_url,
)
from acredita.domain.audit import Action, ActorType
from acredita.domain.errors import NotFound
from acredita.domain.roles import Role
from acredita.domain.single_sign_on import (
    Refusal,
    groups_in,
    is_of_domain,
    merged_claims,
    role_to_have,
    verified_email,
)
from acredita.kit import ids
from acredita.kit.crypto import Signer, token_digest
from acredita.models import IdentityProvider, ProviderSignIn, User
from acredita.ports import SealedRows, SecondFactorChecks
from acredita.resources.audit import service as audit
from acredita.resources.auth.queries import Account, email_digest
from acredita.resources.auth.schemas import valid_email
from acredita.resources.identity_providers import queries
from acredita.resources.second_factors.limits import has_entry_left

LIFETIME = timedelta(minutes=10)
# 32 random bytes, and the digest of the token of the browser's former session.
SECRET = re.compile(r"[A-Za-z0-9_-]{43}[A-Za-z0-9_-]{43}")


class SignInRefused(Exception):
    """The sign-in failed. `organization_id` is None as long as it is unknown."""

    def __init__(self, refusal: Refusal, organization_id: UUID | None = None) -> None:
        super().__init__(refusal.value)
        self.refusal, self.organization_id = refusal, organization_id


@dataclass(frozen=True, slots=True)
class Provider:
    """The configuration, opened, so that no transaction is open while the provider is asked."""

    id: UUID
    organization_id: UUID
    issuer: str
    client: Client
    groups_claim: str


@dataclass(frozen=True, slots=True)
class Person:
    """Who signed in, as the provider says."""

    subject: bytes
    email: str | None
    groups: list[str]


def new_secret(former: bytes) -> str:
    """Return what the browser's cookie keeps. `former`: the digest of its session's token.

    The session's own cookie is SameSite=Strict, so browsers do not send it when the provider sends
    them back.
    """
    return secrets.token_urlsafe(32) + urlsafe_b64encode(former).decode().rstrip("=")


def former_of(secret: str) -> bytes:
    return urlsafe_b64decode(secret[43:] + "=")


async def begin(
    services: SecondFactorChecks, providers: Providers, slug: str, secret: str, redirect_uri: str
) -> str:
    """Return where the browser goes. `secret`: what the browser's cookie keeps.

    Raise NotFound for an organization without a provider, ProviderUnreachable.
    """
    async with services.database.transaction() as session:
        row = await queries.find_by_slug(session, slug)
        if row is None:
            raise NotFound("This organization has no identity provider.")
        now = services.clock.now()
        await queries.delete_expired(session, now)
        session.add(
            ProviderSignIn(
                digest=token_digest(secret), provider_id=row.id, expires_at=now + LIFETIME
            )
        )
        issuer, client_id, scopes = row.issuer, row.client_id, row.scopes
    metadata = await providers.discover(issuer)
    return authorization_url(
        metadata.authorization_endpoint,
        client_id=client_id,
        redirect_uri=redirect_uri,
        scopes=scopes,
        proofs=Proofs.from_secret(services.signer, secret),
    )


async def finish(
    services: SecondFactorChecks,
    providers: Providers,
    secret: str,
    given: Mapping[str, str],
    redirect_uri: str,
) -> tuple[Provider, Person]:
    """Return who signed in. `given`: the query that the provider sent the browser back with.

    The sign-in is used up, whatever comes of it. Raise SignInRefused.
    """
    provider, proofs = await _take(services, secret, given.get("state", ""))
    code = given.get("code")
    if "error" in given or not code:
        raise SignInRefused(Refusal.DENIED, provider.organization_id)
    try:
        metadata = await providers.discover(provider.issuer)
        # RFC 9207: another provider's answer is not redeemed here.
        if given.get("iss", None if metadata.names_issuer else metadata.issuer) != metadata.issuer:
            raise SignInInvalid
        text, access_token = await providers.redeem(
            metadata,
            provider.client,
            code=code,
            verifier=proofs.verifier,
            redirect_uri=redirect_uri,
        )
        claims = await providers.claims(
            metadata, text, client_id=provider.client.id, nonce=proofs.nonce
        )
        if access_token is not None and not {"email", provider.groups_claim} <= claims.keys():
            more = await providers.more_claims(metadata, access_token, claims["sub"])
            claims = merged_claims(claims, more)
    except ProviderUnreachable:
        raise SignInRefused(Refusal.UNREACHABLE, provider.organization_id) from None
    except SignInInvalid:
        raise SignInRefused(Refusal.INVALID, provider.organization_id) from None
    return provider, _person(provider, claims)


async def _take(services: SecondFactorChecks, secret: str, state: str) -> tuple[Provider, Proofs]:
    proofs = Proofs.from_secret(services.signer, secret)
    # Otherwise, an attacker's answer would sign the person in to the attacker's account.
    if not proofs.has_state(state):
        raise SignInRefused(Refusal.EXPIRED)
    async with services.database.transaction() as session:
        row = await queries.use_sign_in(session, token_digest(secret), services.clock.now())
        if row is None:
            raise SignInRefused(Refusal.EXPIRED)
        return _opened(services, row), proofs


def _opened(services: SealedRows, row: IdentityProvider) -> Provider:
    client = Client(row.client_id, row.client_secret.open(services.keys))
    return Provider(row.id, row.organization_id, row.issuer, client, row.groups_claim)


def _person(provider: Provider, claims: Mapping[str, Any]) -> Person:
    subject = hashlib.sha256(f"{provider.issuer}\x00{claims['sub']}".encode()).digest()
    email = verified_email(claims)
    try:
        email = email and valid_email(email)
    except ValueError:
        email = None
    return Person(subject, email, groups_in(claims, provider.groups_claim))


async def account_of(
    session: AsyncSession, signer: Signer, provider: Provider, person: Person
) -> tuple[Account, bool]:
    """Return the account of a person, made or tied if it is the first sign-in.

    Also whether the sign-in counts as one with a second factor. Raise SignInRefused.
    """
    row = await queries.find(session, provider.organization_id)
    if row is None or row.id != provider.id:
        raise SignInRefused(Refusal.EXPIRED, provider.organization_id)
    user = await queries.user_of_subject(session, row.organization_id, person.subject)
    if user is None:
        user = await _tie(session, signer, row, person)
    role = _role(row, person, Role(user.role))
    if role is None or not user.is_active:
        raise SignInRefused(Refusal.NOT_ALLOWED, row.organization_id)
    if role is not (former := Role(user.role)):
        user.role = role
        # Ends the sessions and tokens with the former role.
        user.token_version += 1
        audit.record(
            session,
            _actor(user),
            Action.USER_UPDATED,
            user.id,
            changes=["role"],
            role=role,
            previous_role=former,
        )
    await session.flush()
    account = Account(user.id, user.organization_id, None, user.token_version)
    return account, row.is_second_factor


async def _tie(
    session: AsyncSession, signer: Signer, row: IdentityProvider, person: Person
) -> User:
    """Return the user with the person's verified address, or a new one. Raise SignInRefused."""
    if person.email is None:
        raise SignInRefused(Refusal.EMAIL_UNVERIFIED, row.organization_id)
    refused = SignInRefused(Refusal.NOT_ALLOWED, row.organization_id)
    user = await queries.user_of_address(session, person.email)
    if user is None:
        return _join(session, signer, row, person, person.email)
    # Of another organization; or the address now belongs to another person at the provider.
    if user.organization_id != row.organization_id or user.provider_subject is not None:
        raise refused
    user.provider_subject = person.subject
    audit.record(session, _actor(user), Action.USER_LINKED, user.id)
    return user


def _join(
    session: AsyncSession, signer: Signer, row: IdentityProvider, person: Person, email: str
) -> User:
    role = _role(row, person, None)
    if role is None or not is_of_domain(email, row.allowed_domains):
        raise SignInRefused(Refusal.NOT_ALLOWED, row.organization_id)
    user = User(
        id=ids.sortable(),
        organization_id=row.organization_id,
        email=email,
        role=role,
        password_hash=None,
        token_version=0,
        is_active=True,
        provider_subject=person.subject,
    )
    session.add(user)
    digest = email_digest(signer, email)
    audit.record(session, _actor(user), Action.USER_JOINED, user.id, role=role, email=digest)
    return user


async def record_refusal(
    services: SecondFactorChecks, organization_id: UUID, refusal: Refusal
) -> None:
    """Record it, unless there were many: anyone can begin a sign-in and come back with an error."""
    async with services.database.transaction() as session:
        now = services.clock.now()
        if await has_entry_left(session, services.signer, organization_id, now):
            _record_refusal(session, organization_id, refusal)


def _record_refusal(session: AsyncSession, organization_id: UUID, refusal: Refusal) -> None:
    actor = audit.Actor(organization_id)
    audit.record(
        session, actor, Action.PROVIDER_SIGN_IN_REFUSED, organization_id, reason=refusal.value
    )


def _role(row: IdentityProvider, person: Person, current: Role | None) -> Role | None:
    roles = {each["group"]: Role(each["role"]) for each in row.roles}
    default = None if row.default_role is None else Role(row.default_role)
    return role_to_have(current, person.groups, roles, default)


def _actor(user: User) -> audit.Actor:
    return audit.Actor(user.organization_id, ActorType.USER, user.id)
