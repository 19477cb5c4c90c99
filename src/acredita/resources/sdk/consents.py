"""People's consents, with the address and the browser that they come from."""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.audit import Action
from acredita.domain.caller import Caller
from acredita.domain.errors import TooManyConsents, VerificationClosed
from acredita.kit import ids
from acredita.kit.crypto import KeyRing
from acredita.models import Consent
from acredita.resources.audit import service as audit
from acredita.resources.sdk.schemas import ConsentWrite
from acredita.resources.sdk.visitors import Browser
from acredita.resources.verifications import pipeline
from acredita.resources.verifications.queries import lock_owned

# Per verification: a consent is for one version and language of the text.
MAX_CONSENTS = 20


async def record(
    session: AsyncSession,
    keys: KeyRing,
    caller: Caller,
    verification_id: UUID,
    data: ConsentWrite,
    browser: Browser,
) -> tuple[Consent, bool]:
    """Return the consent to this version in this language, and whether it is new.

    An existing consent stays unchanged. Raise NotFound, VerificationClosed, TooManyConsents.
    """
    verification = await lock_owned(session, caller, verification_id)
    is_of_verification = Consent.verification_id == verification_id
    existing = await session.scalar(
        select(Consent).where(
            is_of_verification, Consent.version == data.version, Consent.locale == data.locale
        )
    )
    if existing is not None:
        return existing, False
    if not pipeline.is_open(verification):
        raise VerificationClosed
    number = await session.scalar(select(func.count()).where(is_of_verification))
    if number is not None and number >= MAX_CONSENTS:
        raise TooManyConsents
    consent = add(session, keys, caller, verification_id, data, browser)
    await session.flush()
    pipeline.notify_watchers(session, verification_id)
    return consent, True


def add(
    session: AsyncSession,
    keys: KeyRing,
    caller: Caller,
    verification_id: UUID,
    data: ConsentWrite,
    browser: Browser,
) -> Consent:
    """Add a consent without checks. Use it directly only for a verification created in the same
    transaction.
    """
    consent_id = ids.sortable()
    origin = {"address": browser.address, "userAgent": browser.user_agent}
    consent = Consent(
        id=consent_id,
        organization_id=caller.organization_id,
        verification_id=verification_id,
        version=data.version,
        locale=data.locale,
        accepted_at=data.accepted_at,
        origin_sealed=Consent.origin.seal(keys, consent_id, origin),
    )
    session.add(consent)
    audit.record(session, caller, Action.CONSENT_GIVEN, verification_id, consent=consent_id)
    return consent


async def delete_all(session: AsyncSession, verification_ids: Sequence[UUID]) -> None:
    """Delete the consents of verifications whose retention period has ended."""
    await session.execute(delete(Consent).where(Consent.verification_id.in_(verification_ids)))
