from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Row, delete, exists, select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

from acredita.domain.caller import Caller
from acredita.domain.errors import NotFound, VerificationClosed
from acredita.models import CustomForm, CustomSubmission, Verification
from acredita.models.tenancy import belongs_to, owned

NEWEST_FIRST = (CustomSubmission.created_at.desc(), CustomSubmission.id.desc())


async def fields(
    connection: AsyncConnection, caller: Caller, form_id: UUID | None
) -> list[dict[str, Any]]:
    """The fields of a form as plain data, as the caller created them. Raise NotFound."""
    query = (
        owned(CustomForm, caller.organization_id)
        .with_only_columns(CustomForm.fields)
        .where(CustomForm.id == form_id)
    )
    found: list[dict[str, Any]] | None = (await connection.scalars(query)).one_or_none()
    if found is None:
        raise NotFound
    return found


async def check_verification(
    connection: AsyncConnection, caller: Caller, verification_id: UUID | None
) -> None:
    """Raise NotFound if the caller's organization has no such verification."""
    query = select(
        exists().where(
            belongs_to(Verification, caller.organization_id),
            Verification.id == verification_id,
        )
    )
    if not (await connection.execute(query)).scalar_one():
        raise NotFound


async def lock_verification(session: AsyncSession, verification_id: UUID) -> None:
    """Lock the verification: until the transaction ends, purges and other submissions wait.

    Raise VerificationClosed if it was purged: no later purge would delete new data.
    """
    query = (
        select(Verification.purged_at)
        .where(Verification.id == verification_id)
        .with_for_update(key_share=True)
    )
    if (await session.execute(query)).scalar_one() is not None:
        raise VerificationClosed("The verification's data was deleted. It accepts no new data.")


async def add(session: AsyncSession, submission: CustomSubmission, *, most: int) -> None:
    """Add a submission. Keep only the newest `most` of its form and verification."""
    session.add(submission)
    await session.flush()
    of_both = (
        CustomSubmission.verification_id == submission.verification_id,
        CustomSubmission.form_id == submission.form_id,
    )
    newest = select(CustomSubmission.id).where(*of_both).order_by(*NEWEST_FIRST).limit(most)
    await session.execute(
        delete(CustomSubmission).where(*of_both, CustomSubmission.id.not_in(newest))
    )


async def submitted(
    connection: AsyncConnection, caller: Caller, verification_id: UUID
) -> Sequence[Row[UUID, UUID, str, datetime, bytes]]:
    """(id, form_id, title, created_at, values_sealed), newest first."""
    query = (
        select(
            CustomSubmission.id,
            CustomSubmission.form_id,
            CustomForm.title,
            CustomSubmission.created_at,
            CustomSubmission.values_sealed,
        )
        .join(CustomForm, CustomForm.id == CustomSubmission.form_id)
        .where(
            belongs_to(CustomSubmission, caller.organization_id),
            CustomSubmission.verification_id == verification_id,
        )
        .order_by(*NEWEST_FIRST)
    )
    return (await connection.execute(query)).all()
