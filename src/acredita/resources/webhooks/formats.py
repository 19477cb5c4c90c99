"""The formats of webhook bodies. Another API registers the renderer of its format."""

from datetime import datetime
from typing import Protocol
from uuid import UUID

from acredita.domain.events import EventKind
from acredita.models import WebhookFormat
from acredita.ports import EventSources
from acredita.resources.webhooks import signed_request


class CannotRender(Exception):
    """The event has no form in this format, or its data are not as expected."""


class Render(Protocol):
    async def __call__(
        self,
        services: EventSources,
        *,
        verification_id: UUID,
        kind: EventKind,
        turn: str | None,
        data: bytes,
        moment: datetime,
    ) -> bytes:
        """Return the JSON body. Raise CannotUnseal, CannotRender, and errors of the database."""


_RENDERERS: dict[WebhookFormat, Render] = {}


def register(format: WebhookFormat, render: Render) -> None:  # noqa: A002 (as on the wire)
    _RENDERERS[format] = render


async def body(
    services: EventSources,
    format: WebhookFormat,  # noqa: A002 (as on the wire)
    *,
    delivery_id: UUID,
    verification_id: UUID | None,
    kind: EventKind,
    turn: str | None,
    data: bytes,
    moment: datetime,
) -> bytes:
    """Return the body of an event, the same bytes for every attempt.

    Events without a verification exist only in the standard format. Raise as `Render` does.
    """
    if format is WebhookFormat.STANDARD or verification_id is None:
        return signed_request.envelope(delivery_id, kind, moment, data)
    return await _RENDERERS[format](
        services, verification_id=verification_id, kind=kind, turn=turn, data=data, moment=moment
    )
