"""Links for the person of a verification: make, open, revoke.

The token is in the fragment of the URL. Browsers do not send a fragment, so it is in no log and in
no Referer, and a program that fetches a link to preview it opens nothing. The page's script
exchanges the token for a session (`resources/sdk/sessions`). A capture link opens any number of
sessions until it ends, so the person can continue on another device. A hand-over opens one.
"""

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit
from uuid import UUID

from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.audit import Action
from acredita.domain.caller import Caller
from acredita.domain.errors import LinkClosed, NotFound, ValidationFailed, VerificationClosed
from acredita.domain.verification import OPEN, VerificationStatus
from acredita.kit import ids
from acredita.kit.crypto import KeyRing, token_digest
from acredita.kit.sealed import SealedBytes
from acredita.kit.statement_pool import Reads
from acredita.models import CaptureLink, CaptureLinkPurpose, Verification
from acredita.models.tenancy import belongs_to, fetch, owned
from acredita.resources.audit import service as audit
from acredita.resources.capture_links.schemas import (
    LONGEST_SECONDS,
    CaptureAnswer,
    CaptureState,
    CaptureWrite,
    LinkState,
)

# The page tells the tokens of links from those of sessions by this.
PREFIX: Final = "cl_"
# A person has a few devices. More openings mean that the link was published.
MOST_OPENINGS: Final = 100
ALLOWED_ORIGINS = "SELECT allowed_origins FROM organization WHERE id = $1"


@dataclass(frozen=True, slots=True)
class NewLink:
    """A link that is not stored yet."""

    id: UUID
    token: str
    return_url_sealed: SealedBytes | None
    expires_at: datetime
    # ISO 639-1.
    language: str | None = None

    @property
    def digest(self) -> bytes:
        return token_digest(self.token)

    def url(self, public_url: str, verification_id: UUID) -> str:
        query = "" if self.language is None else f"?lang={self.language}"
        return f"{public_url}/verify/{verification_id}{query}#{self.token}"

    def answer(self, public_url: str, verification_id: UUID) -> CaptureAnswer:
        return CaptureAnswer(url=self.url(public_url, verification_id), expires_at=self.expires_at)


def prepare(
    keys: KeyRing,
    data: CaptureWrite,
    *,
    now: datetime,
    default_expiry: datetime,
    last_expiry: datetime | None = None,
) -> NewLink:
    """Return a link to store, once `check_origins` has passed. `last_expiry`: the end of an
    existing verification. Raise ValidationFailed for an expiry that is past or too late.
    """
    link_id = ids.sortable()
    return NewLink(
        link_id,
        PREFIX + secrets.token_urlsafe(32),
        CaptureLink.return_url.seal(keys, link_id, data.return_url),
        _expiry(data, now, default_expiry, last_expiry),
        data.language,
    )


async def check_origins(reads: Reads, organization_id: UUID, data: CaptureWrite) -> None:
    """Raise ValidationFailed for an origin that the organization does not list."""
    given = {
        "returnUrl": None if data.return_url is None else _origin_of(data.return_url),
        "origin": data.origin,
    }
    if not any(given.values()):
        return
    row = await reads.row(ALLOWED_ORIGINS, organization_id)
    allowed = [] if row is None else row["allowed_origins"]
    faults = [
        f"body.capture.{name}: {origin} is not one of the organization's allowed origins"
        for name, origin in given.items()
        if origin is not None and origin not in allowed
    ]
    if faults:
        raise ValidationFailed(details=faults)


def _origin_of(url: str) -> str:
    parts = urlsplit(url)
    host = parts.hostname or ""
    host = f"[{host}]" if ":" in host else host
    implied = {"https": 443, "http": 80}[parts.scheme]
    port = "" if parts.port in (None, implied) else f":{parts.port}"
    return f"{parts.scheme}://{host}{port}"


def _expiry(
    data: CaptureWrite, now: datetime, default_expiry: datetime, last_expiry: datetime | None
) -> datetime:
    if data.expires_in is not None:
        name, expiry = "expiresIn", now + timedelta(seconds=data.expires_in)
    elif data.expires_at is not None:
        name, expiry = "expiresAt", data.expires_at
    else:
        return default_expiry
    if expiry <= now:
        raise ValidationFailed(details=[f"body.capture.{name}: the time is past"])
    if expiry > now + timedelta(seconds=LONGEST_SECONDS):
        raise ValidationFailed(details=[f"body.capture.{name}: a link lasts at most 30 days"])
    if last_expiry is not None and expiry > last_expiry:
        raise ValidationFailed(
            details=[f"body.capture.{name}: the verification itself expires before"]
        )
    return expiry


async def replace(
    session: AsyncSession,
    keys: KeyRing,
    caller: Caller,
    verification_id: UUID,
    data: CaptureWrite,
    now: datetime,
) -> NewLink:
    """Store a new capture link, once `check_origins` has passed. Revoke all earlier links.

    Raise NotFound, VerificationClosed, ValidationFailed.
    """
    verification = await _lock(session, caller, verification_id)
    if VerificationStatus(verification.status) not in OPEN or verification.expires_at <= now:
        raise VerificationClosed("The verification has ended; nobody can continue it.")
    link = prepare(
        keys,
        data,
        now=now,
        default_expiry=verification.expires_at,
        last_expiry=verification.expires_at,
    )
    await revoke_all(session, caller, verification_id, now)
    add(session, caller, verification_id, link, CaptureLinkPurpose.CAPTURE)
    verification.has_link = True
    audit.record(session, caller, Action.LINK_CREATED, verification_id, link=link.id)
    return link


def add(
    session: AsyncSession,
    caller: Caller,
    verification_id: UUID,
    link: NewLink,
    purpose: CaptureLinkPurpose,
) -> CaptureLink:
    row = CaptureLink(
        id=link.id,
        organization_id=caller.organization_id,
        verification_id=verification_id,
        purpose=purpose.value,
        token_digest=link.digest,
        return_url_sealed=link.return_url_sealed,
        expires_at=link.expires_at,
    )
    session.add(row)
    return row


async def revoke(
    session: AsyncSession, caller: Caller, verification_id: UUID, now: datetime
) -> None:
    """Revoke the verification's links, and with them the sessions that they opened.

    Raise NotFound.
    """
    await _lock(session, caller, verification_id)
    if await revoke_all(session, caller, verification_id, now):
        audit.record(session, caller, Action.LINK_REVOKED, verification_id)


async def revoke_all(
    session: AsyncSession,
    caller: Caller,
    verification_id: UUID,
    now: datetime,
    purposes: Iterable[CaptureLinkPurpose] = CaptureLinkPurpose,
) -> Sequence[UUID]:
    """Revoke the links of a locked verification. Return the ids of those that were not revoked."""
    query = (
        update(CaptureLink)
        .where(
            belongs_to(CaptureLink, caller.organization_id),
            CaptureLink.verification_id == verification_id,
            CaptureLink.purpose.in_([purpose.value for purpose in purposes]),
            CaptureLink.revoked_at.is_(None),
        )
        .values(revoked_at=now, message_sealed=None)
        .returning(CaptureLink.id)
    )
    return (await session.scalars(query)).all()


async def _lock(session: AsyncSession, caller: Caller, verification_id: UUID) -> Verification:
    """Raise NotFound."""
    query = (
        owned(Verification, caller.organization_id)
        .where(Verification.id == verification_id, Verification.purged_at.is_(None))
        .with_for_update()
    )
    return await fetch(session, query)


async def open_link(
    session: AsyncSession, token: str, purpose: CaptureLinkPurpose, now: datetime
) -> tuple[CaptureLink, Verification]:
    """Count an opening. Return the link and its verification, both locked.

    Raise NotFound for an unknown token, LinkClosed.
    """
    of_token = (CaptureLink.token_digest == token_digest(token), CaptureLink.purpose == purpose)
    # The verification first, as everywhere: two orders would be a deadlock.
    locking = (
        select(Verification)
        .join(CaptureLink, CaptureLink.verification_id == Verification.id)
        .where(*of_token, Verification.purged_at.is_(None))
        .with_for_update(of=Verification)
    )
    verification = (await session.scalars(locking)).one_or_none()
    query = select(CaptureLink).where(*of_token).with_for_update()
    link = (await session.scalars(query)).one_or_none()
    if verification is None or link is None:
        raise NotFound("The link is not known: it is incomplete, or its data were deleted.")
    most = 1 if purpose is CaptureLinkPurpose.HAND_OVER else MOST_OPENINGS
    if link.revoked_at is not None or link.expires_at <= now or link.openings >= most:
        raise LinkClosed
    link.openings += 1
    link.first_opened_at = link.first_opened_at or now
    link.last_opened_at = now
    return link, verification


async def delete_all(session: AsyncSession, verification_ids: Sequence[UUID]) -> None:
    """Delete the links of verifications whose retention period has ended."""
    await session.execute(
        delete(CaptureLink).where(CaptureLink.verification_id.in_(verification_ids))
    )


def return_url(keys: KeyRing, link: CaptureLink) -> str | None:
    """Return the page to go back to, with the verification's id as a parameter."""
    url = link.return_url.open(keys)
    if url is None:
        return None
    parts = urlsplit(url)
    query = [*parse_qsl(parts.query, keep_blank_values=True)]
    query.append(("verificationId", str(link.verification_id)))
    return urlunsplit(parts._replace(query=urlencode(query)))


def state_of(row: Sequence[object] | None, now: datetime) -> dict[str, object] | None:
    """Return a CaptureState as plain data; None without a link.

    `row`: expires_at, revoked_at, first_opened_at, last_opened_at, openings.
    """
    if row is None:
        return None
    expires_at, revoked_at, first, last, openings = row
    if revoked_at is not None:
        state = LinkState.REVOKED
    elif isinstance(expires_at, datetime) and expires_at <= now:
        state = LinkState.EXPIRED
    else:
        state = LinkState.CREATED if first is None else LinkState.OPENED
    shape = CaptureState.model_validate(
        {
            "state": state,
            "expires_at": expires_at,
            "first_opened_at": first,
            "last_opened_at": last,
            "openings": openings,
        }
    )
    return shape.model_dump(mode="json", by_alias=True)
