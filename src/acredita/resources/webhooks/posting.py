"""One attempt at a delivery: sign, POST, and see what comes of it."""

import time
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from acredita.domain.events import EventKind
from acredita.kit import ids
from acredita.kit.http import HttpError
from acredita.resources.webhooks import wire
from acredita.services import Services


@dataclass(frozen=True, slots=True)
class Attempt:
    id: UUID
    started_at: datetime
    duration_ms: int
    response_status: int | None
    # A word for what went wrong; of the response nothing but its status is kept.
    error: str | None

    @property
    def delivered(self) -> bool:
        return self.error is None


async def post(
    services: Services, *, url: str, secret: str, kind: EventKind, delivery_id: UUID, body: bytes
) -> Attempt:
    """POST the body. Call it with no transaction open: it may take as long as the time-out."""
    attempt_id, started_at, start = ids.sortable(), services.clock.now(), time.monotonic()
    status, error = None, None
    try:
        response = await services.http.request(
            "POST",
            url,
            headers=wire.headers(
                secret,
                body,
                kind=kind,
                delivery_id=delivery_id,
                attempt_id=attempt_id,
                now=started_at,
            ),
            body=body,
        )
        status = response.status
        if not response.is_success:
            error = "bad_status"
    except HttpError as fault:
        error = fault.word
    duration_ms = round((time.monotonic() - start) * 1000)
    return Attempt(attempt_id, started_at, duration_ms, status, error)
