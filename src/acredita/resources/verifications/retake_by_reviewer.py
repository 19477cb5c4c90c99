"""POST /v1/verifications/{id}/retake: a reviewer asks the person for other pictures."""

from datetime import timedelta
from typing import Final
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.caller import Caller
from acredita.domain.errors import NothingToRetake
from acredita.domain.verification import VerificationStatus
from acredita.models import Verification
from acredita.ports import CaseReviewing
from acredita.resources.capture_links import service as capture_links
from acredita.resources.capture_links.schemas import LONGEST_SECONDS, CaptureWrite
from acredita.resources.capture_links.service import NewLink
from acredita.resources.reviews import cases
from acredita.resources.verifications import pipeline, queries, retakes
from acredita.resources.verifications.schemas import ChangedVerification, RetakeRequest

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

    `check_origins` has passed. Raise NotFound, NothingToRetake, AlreadyClaimed, ValidationFailed.
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
    await session.refresh(verification, ["status", "updated_at"])
    changed = ChangedVerification(
        id=verification.id,
        status=VerificationStatus(verification.status),
        updated_at=verification.updated_at,
    )
    return changed, link


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
