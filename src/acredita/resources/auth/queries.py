from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

from acredita.models import User


def folded(email: str) -> str:
    """The form in which addresses are compared and attempts are counted."""
    return email.lower()


@dataclass(frozen=True, slots=True)
class Account:
    """The data of a user that signing in needs."""

    user_id: UUID
    organization_id: UUID
    password_hash: str | None
    token_version: int


async def account_of(connection: AsyncConnection | AsyncSession, email: str) -> Account | None:
    """The active user with this address; None without one."""
    query = select(User.id, User.organization_id, User.password_hash, User.token_version).where(
        # Folded in Python, not in PostgreSQL, so that attempts are counted on the same key.
        func.lower(User.email) == folded(email),
        User.is_active,
    )
    row = (await connection.execute(query)).one_or_none()
    return None if row is None else Account(*row)
