"""POST /v1/verifications/{id}/retake: a reviewer asks the person for other pictures."""

from contextlib import suppress
from datetime import timedelta
from typing import Final
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.audit import Action
from acredita.domain.caller import Caller
from acredita.domain.errors import NothingToRetake, ValidationFailed
from acredita.domain.languages import PersonLanguage
from acredita.domain.phone_and_email import Channel, counted_as
from acredita.domain.search_identifiers import identifiers_of
from acredita.domain.verification import VerificationStatus
from acredita.models import CaptureLink, Verification
from acredita.models.capture_link import LinkMessage
from acredita.ports import CaseReviewing
from acredita.resources.audit import service as audit
from acredita.resources.capture_links import service as capture_links
from acredita.resources.capture_links.schemas import LONGEST_SECONDS, CaptureWrite
from acredita.resources.capture_links.service import NewLink
from acredita.resources.otp import send_limits, sending
from acredita.resources.otp.confirmations import DESTINATIONS
from acredita.resources.otp.schemas import normalized
from acredita.resources.reviews import cases
from acredita.resources.verifications import link_sending, pipeline, queries, retakes, search
from acredita.resources.verifications.request_schemas import LONGEST_NOTE_BY_SMS, RetakeRequest
from acredita.resources.verifications.schemas import ChangedVerification

# The person has left the browser and may read the message tomorrow.
LINK_LIFETIME: Final = timedelta(days=3)
LONGEST: Final = timedelta(seconds=LONGEST_SECONDS)


async def ask_for_pictures(
    session: AsyncSession,
    services: CaseReviewing,
    caller: Caller,
    verification_id: UUID,
    data: RetakeRequest,
) -> tuple[ChangedVerification, NewLink]:
    """Reopen a verification in review for other pictures. Return it, and a link for the person.

    `check_origins` has passed. Raise NotFound, NothingToRetake, AlreadyClaimed, ValidationFailed,
    RateLimited.
    """
    verification = await queries.lock_owned(session, caller, verification_id)
    await cases.begin_act(session, services.clock, caller, verification_id)
    in_review = verification.status == VerificationStatus.MANUAL_REVIEW
    if not in_review or verification.purged_at is not None:
        raise NothingToRetake
    # From now on, the person goes through the browser flow, even if a server sent the pictures.
    verification.has_link = True
    steps = await queries.list_steps(session, verification.id)
    if not await retakes.request_by_reviewer(
        session,
        services.keys,
        verification,
        steps,
        frozenset(data.pictures),
        reviewer=caller,
        note=data.message,
    ):
        raise NothingToRetake
    await pipeline.reopen(session, services.keys, verification)
    link = await _make_link(session, services, caller, verification, data.capture)
    if data.send is not None:
        channel = data.send.channel
        await _send(session, services, caller, verification, link, channel, data.message)
    await session.refresh(verification, ["status", "updated_at"])
    changed = ChangedVerification(
        id=verification.id,
        status=VerificationStatus(verification.status),
        updated_at=verification.updated_at,
    )
    return changed, link


async def _send(
    session: AsyncSession,
    services: CaseReviewing,
    caller: Caller,
    verification: Verification,
    link: NewLink,
    channel: Channel,
    note: str | None,
) -> None:
    """Send link and note to the phone or mailbox that the metadata name."""
    address = _known_address(verification, channel)
    sending.check_offered(services.settings, channel, address, place="body.send")
    if channel is Channel.SMS and len(note or "") > LONGEST_NOTE_BY_SMS:
        raise ValidationFailed(
            details=[f"body.message: has at most {LONGEST_NOTE_BY_SMS} characters by SMS"]
        )
    destination = counted_as(channel, address)
    await send_limits.count(
        session,
        services.signer,
        organization_id=verification.organization_id,
        verification_id=verification.id,
        destination=destination,
        daily_limit=services.settings.otp_daily_limit,
        now=services.clock.now(),
    )
    url = link.url(services.settings.public_url, verification.id)
    language = PersonLanguage(link.language or PersonLanguage.SPANISH)
    await link_sending.queue(
        session,
        services.keys,
        await session.get_one(CaptureLink, link.id),
        LinkMessage(channel, address, url, language, note),
    )
    audit.record(
        session,
        caller,
        Action.LINK_SENT,
        verification.id,
        link=link.id,
        channel=channel,
        destination=services.signer.digest(DESTINATIONS, destination.encode()),
    )


def _known_address(verification: Verification, channel: Channel) -> str:
    """Return the phone or mailbox in the caller's metadata. Raise ValidationFailed.

    No other one: a link opens the verification for anyone who receives it.
    """
    for kind, form in identifiers_of(verification.verification_metadata or {}):
        if search.CHANNELS.get(kind) is channel:
            with suppress(ValueError):
                return normalized(channel, form)
    name = "email" if channel is Channel.EMAIL else "phone"
    raise ValidationFailed(
        details=[f"body.send.channel: the verification's metadata have no valid {name}"]
    )


async def _make_link(
    session: AsyncSession,
    services: CaseReviewing,
    caller: Caller,
    verification: Verification,
    data: CaptureWrite,
) -> NewLink:
    """Return a new link. The verification stays open as long as the link."""
    now = services.clock.now()
    has_expiry = data.expires_in is not None or data.expires_at is not None
    verification.expires_at = now + (LONGEST if has_expiry else LINK_LIFETIME)
    await session.flush()
    link = await capture_links.replace(session, services.keys, caller, verification.id, data, now)
    verification.expires_at = link.expires_at
    await session.flush()
    return link
