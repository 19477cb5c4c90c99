from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import exists, func, select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

from acredita.domain.roles import Role
from acredita.kit.crypto import Signer
from acredita.models import IdentityProvider, User


def folded(email: str) -> str:
    """The form in which addresses are compared and attempts are counted."""
    return email.lower()


def email_digest(signer: Signer, email: str) -> bytes:
    """A keyed digest, for the audit log: without the service's secret it reveals nothing."""
    return signer.digest("audit-email", folded(email).encode())


@dataclass(frozen=True, slots=True)
class Account:
    """The data of a user that signing in needs."""

    user_id: UUID
    organization_id: UUID
    password_hash: str | None
    token_version: int


async def needs_provider(connection: AsyncConnection | AsyncSession, user_id: UUID) -> bool:
    """Whether the user may sign in with the organization's identity provider alone."""
    query = select(
        exists().where(
            User.id == user_id,
            # So that a provider that fails does not lock everyone out.
            User.role != Role.OWNER,
            IdentityProvider.organization_id == User.organization_id,
            IdentityProvider.is_only,
        )
    )
    return bool((await connection.execute(query)).scalar())


async def account_of(connection: AsyncConnection | AsyncSession, email: str) -> Account | None:
    """The active user with this address; None without one."""
    query = select(User.id, User.organization_id, User.password_hash, User.token_version).where(
        # Folded in Python, not in PostgreSQL, so that attempts are counted on the same key.
        func.lower(User.email) == folded(email),
        User.is_active,
    )
    row = (await connection.execute(query)).one_or_none()
    return None if row is None else Account(*row)
