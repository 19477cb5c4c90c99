"""What people agree to, with the address and the browser that they did it from."""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.audit import Action
from acredita.domain.caller import Caller
from acredita.domain.errors import TooManyConsents, VerificationClosed
from acredita.kit import ids
from acredita.models import Consent
from acredita.resources.audit import service as audit
from acredita.resources.documents import service as documents
from acredita.resources.sdk.schemas import ConsentWrite
from acredita.resources.sdk.visitors import Browser
from acredita.resources.verifications import pipeline
from acredita.services import Services

# Of one verification: versions and languages of the text.
MOST_CONSENTS = 20


async def give(
    session: AsyncSession,
    services: Services,
    caller: Caller,
    verification_id: UUID,
    data: ConsentWrite,
    browser: Browser,
) -> tuple[Consent, bool]:
    """The consent to this version in this language, and whether it is new: the first one stands.

    Raise NotFound, VerificationClosed, TooManyConsents.
    """
    verification = await documents.lock(session, caller, verification_id)
    of_verification = Consent.verification_id == verification_id
    given = await session.scalar(
        select(Consent).where(
            of_verification, Consent.version == data.version, Consent.locale == data.locale
        )
    )
    if given is not None:
        return given, False
    if not pipeline.is_open(verification):
        raise VerificationClosed
    number = await session.scalar(select(func.count()).where(of_verification))
    if number is not None and number >= MOST_CONSENTS:
        raise TooManyConsents
    consent = add(session, services, caller, verification_id, data, browser)
    await session.flush()
    await pipeline.notify_watchers(session, verification_id)
    return consent, True


def add(
    session: AsyncSession,
    services: Services,
    caller: Caller,
    verification_id: UUID,
    data: ConsentWrite,
    browser: Browser,
) -> Consent:
    """The first consent of a verification that is new in this transaction."""
    consent_id = ids.sortable()
    origin = {"address": browser.address, "userAgent": browser.user_agent}
    consent = Consent(
        id=consent_id,
        organization_id=caller.organization_id,
        verification_id=verification_id,
        version=data.version,
        locale=data.locale,
        accepted_at=data.accepted_at,
        origin_sealed=Consent.origin.seal(services.keys, consent_id, origin),
    )
    session.add(consent)
    audit.record(session, caller, Action.CONSENT_GIVEN, verification_id, consent=consent_id)
    return consent


async def forget(session: AsyncSession, verification_ids: Sequence[UUID]) -> None:
    """Of verifications whose retention is over."""
    await session.execute(delete(Consent).where(Consent.verification_id.in_(verification_ids)))
