"""Continue a verification on another device: a code that opens one session, for ten minutes.

The page shows the code's URL as a QR code, or has it sent. Who opens it must press a button, so a
program that follows links uses up nothing.
"""

from datetime import timedelta
from typing import Final
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.audit import Action
from acredita.domain.caller import Caller
from acredita.domain.errors import TooManyHandOvers, VerificationClosed
from acredita.domain.languages import PersonLanguage
from acredita.kit import ids, typed_codes
from acredita.models import CaptureLink, CaptureLinkPurpose
from acredita.models.capture_link import LinkMessage
from acredita.models.tenancy import owned
from acredita.ports import Messaging
from acredita.resources.audit import service as audit
from acredita.resources.capture_links import service as links
from acredita.resources.capture_links.service import NewLink
from acredita.resources.otp import sending
from acredita.resources.otp.schemas import Destination
from acredita.resources.sdk.hand_over_schemas import HandOverStart
from acredita.resources.verifications import link_sending, pipeline
from acredita.resources.verifications.queries import lock_owned

LIFETIME: Final = timedelta(minutes=10)
# Per verification.
MOST: Final = 20
# 60 random bits: enough for a code of ten minutes that is guessed over the network.
LENGTH: Final = 12
_CONFUSED = str.maketrans("OIL", "011", " -")


def normalized(code: str) -> str:
    """Return a code as it was drawn: without blanks and hyphens, in upper case."""
    return code.upper().translate(_CONFUSED)


def url_of(public_url: str, code: str) -> str:
    return f"{public_url}/go#{typed_codes.grouped(code, 4)}"


async def start(
    session: AsyncSession,
    services: Messaging,
    caller: Caller,
    verification_id: UUID,
    data: HandOverStart,
    language: PersonLanguage,
) -> NewLink:
    """Return a new hand-over, which replaces the former one, and queue its message if asked for.

    Raise NotFound, VerificationClosed, TooManyHandOvers, RateLimited, ValidationFailed.
    """
    verification = await lock_owned(session, caller, verification_id)
    if not pipeline.is_open(verification):
        raise VerificationClosed
    of_verification = owned(CaptureLink, caller.organization_id).where(
        CaptureLink.verification_id == verification_id,
        CaptureLink.purpose == CaptureLinkPurpose.HAND_OVER,
    )
    counting = select(func.count()).select_from(of_verification.subquery())
    if (await session.scalars(counting)).one() >= MOST:
        raise TooManyHandOvers
    await _revoke(session, services, caller, verification_id)
    code = typed_codes.draw(LENGTH)
    link = NewLink(ids.sortable(), code, None, services.clock.now() + LIFETIME, language)
    row = links.add(session, caller, verification_id, link, CaptureLinkPurpose.HAND_OVER)
    if data.send is not None:
        await _queue_message(session, services, caller, row, data.send, code, language)
    audit.record(session, caller, Action.LINK_CREATED, verification_id, link=link.id)
    return link


async def _queue_message(
    session: AsyncSession,
    services: Messaging,
    caller: Caller,
    row: CaptureLink,
    message: Destination,
    code: str,
    language: PersonLanguage,
) -> None:
    """Anyone can open a session, so the budgets of anonymous codes apply."""
    sending.check_offered(services.settings, message.channel, message.destination)
    await sending.count_anonymous(
        session,
        services,
        organization_id=caller.organization_id,
        verification_id=row.verification_id,
        channel=message.channel,
        address=message.destination,
        now=services.clock.now(),
    )
    url = url_of(services.settings.public_url, code)
    content = LinkMessage(message.channel, message.destination, url, language)
    await link_sending.queue(session, services.keys, row, content)


async def cancel(
    session: AsyncSession, services: Messaging, caller: Caller, verification_id: UUID
) -> None:
    """Revoke the hand-over, and with it the session that it opened. Raise NotFound."""
    await lock_owned(session, caller, verification_id)
    if await _revoke(session, services, caller, verification_id):
        audit.record(session, caller, Action.LINK_REVOKED, verification_id)


async def _revoke(
    session: AsyncSession, services: Messaging, caller: Caller, verification_id: UUID
) -> bool:
    """Return whether there was one."""
    revoked = await links.revoke_all(
        session,
        caller,
        verification_id,
        services.clock.now(),
        [CaptureLinkPurpose.HAND_OVER],
    )
    if revoked:
        pipeline.notify_watchers(session, verification_id)
    return bool(revoked)
