"""One attempt of a delivery: sign, POST, classify the result."""

import time
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from acredita.domain.events import EventKind
from acredita.kit import ids
from acredita.kit.clock import Clock
from acredita.kit.http import Conversation, HttpClient, HttpError
from acredita.models import WebhookFormat
from acredita.resources.webhooks import signed_request


class Reason(StrEnum):
    """Why an attempt failed. Only this reason and the response's status are stored and shown."""

    HTTP_STATUS = "http_status"
    TIMEOUT = "timeout"
    REFUSED = "refused"
    DNS = "dns"
    TLS = "tls"
    BLOCKED_ADDRESS = "blocked_address"
    INVALID_TARGET = "invalid_target"
    DISCONNECTED = "disconnected"
    INVALID_RESPONSE = "invalid_response"
    TOO_LARGE = "too_large"
    # Not the receiver's fault: the service crashed repeatedly during this attempt.
    INTERRUPTED = "interrupted"
    # Not the receiver's fault either: the event cannot be rendered in the receiver's format.
    NOT_RENDERED = "not_rendered"


@dataclass(frozen=True, slots=True)
class Attempt:
    id: UUID
    started_at: datetime
    duration_ms: int
    response_status: int | None
    reason: Reason | None

    @property
    def delivered(self) -> bool:
        return self.reason is None


async def post(
    http: HttpClient | Conversation,
    clock: Clock,
    *,
    url: str,
    secret: str,
    kind: EventKind,
    delivery_id: UUID,
    body: bytes,
    format: WebhookFormat = WebhookFormat.STANDARD,  # noqa: A002 (as on the wire)
) -> Attempt:
    """POST the body. Call it outside transactions: it may take as long as the time-out."""
    attempt_id, started_at, start = ids.sortable(), clock.now(), time.monotonic()
    status, reason = None, None
    try:
        response = await http.request(
            "POST",
            url,
            headers=signed_request.headers(
                secret,
                body,
                kind=kind,
                delivery_id=delivery_id,
                attempt_id=attempt_id,
                now=started_at,
                format=format,
            ),
            body=body,
        )
        status = response.status
        if not response.is_success:
            reason = Reason.HTTP_STATUS
    except HttpError as fault:
        reason = Reason(fault.word)
    duration_ms = round((time.monotonic() - start) * 1000)
    return Attempt(attempt_id, started_at, duration_ms, status, reason)


def interrupted(clock: Clock) -> Attempt:
    """Return an attempt that a crash of its process interrupted."""
    return _unsent(clock, Reason.INTERRUPTED)


def not_rendered(clock: Clock) -> Attempt:
    """Return an attempt that had no body to send."""
    return _unsent(clock, Reason.NOT_RENDERED)


def _unsent(clock: Clock, reason: Reason) -> Attempt:
    return Attempt(ids.sortable(), clock.now(), 0, None, reason)
