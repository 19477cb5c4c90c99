"""Bodies of webhook events in the compatible API's format, for endpoints of the format `metamap`.

A body is rendered when it is sent, and not stored. It contains only data that do not change after
the event (outcomes, metadata, aliases of that time), so each attempt has the same bytes.
"""

from datetime import date, datetime
from typing import Any
from uuid import UUID

import orjson

from acredita.domain.events import METAMAP_NAMES, EventKind
from acredita.domain.time_zone import mexican_date
from acredita.domain.verification import VerificationStatus
from acredita.kit.clock import timestamp
from acredita.kit.crypto import CannotUnseal
from acredita.kit.javascript_json import stringify
from acredita.models import EventTurn
from acredita.ports import EventSources
from acredita.resources.metamap import queries, translation
from acredita.resources.metamap.verification_view import (
    OpenedVerification,
    computed_view,
    open_verification,
    step_view,
)
from acredita.resources.webhooks.formats import CannotRender

TURNS = {
    EventTurn.INPUTS_COMPLETED: "verification_inputs_completed",
    EventTurn.LAST_INPUT: "verification_inputs_completed",
    EventTurn.EXPIRED: "verification_expired",
    EventTurn.REVISED: "verification_updated",
    EventTurn.POSTPONED: "verification_postponed",
    EventTurn.SIGNED: "verification_signed",
    EventTurn.FURTHER_STEP: "step_completed",
}


async def render(
    services: EventSources,
    *,
    verification_id: UUID,
    kind: EventKind,
    turn: str | None,
    data: bytes,
    moment: datetime,
) -> bytes:
    """Return the JSON body. Raise CannotUnseal, CannotRender, and errors of the database."""
    row = await queries.get_verification_as_of(services.reads, verification_id, moment)
    if row is None:
        # The verification was purged with its deliveries while this one was being sent.
        raise CannotRender
    try:
        name = TURNS[EventTurn(turn)] if turn else METAMAP_NAMES[kind]
        opened = open_verification(services, row, moment, until=moment)
        view = _event_view(opened, name, data, moment)
        if turn == EventTurn.SIGNED:
            view["digitalSignature"] = await _conservation(services, verification_id, data)
        return stringify(view)
    except (CannotUnseal, CannotRender):
        raise
    except Exception as fault:
        # The fault concerns only this event and must not block the others.
        raise CannotRender from fault


async def _conservation(
    services: EventSources, verification_id: UUID, data: bytes
) -> dict[str, Any]:
    """Return the certificate of conservation of the event's package, which never changes."""
    package_id = UUID(orjson.loads(data)["packageId"])
    row = await services.reads.row(queries.CONSERVATION, verification_id, package_id)
    if row is None:
        raise CannotRender
    known = orjson.loads(row[0])
    return {
        "type": "NOM-151",
        "timestamp": known["token"],
        "issuedAt": known["issuedAt"],
        "provider": known["provider"],
    }


def _event_view(
    verification: OpenedVerification, name: str, data: bytes, moment: datetime
) -> dict[str, Any]:
    fields = _event_fields(verification, name, orjson.loads(data), mexican_date(moment))
    return {
        "resource": verification.resource,
        "eventName": name,
        "flowId": verification.flow["id"],
        "timestamp": timestamp(moment),
        **fields,
    }


def _event_fields(
    verification: OpenedVerification, name: str, data: dict[str, Any], today: date
) -> dict[str, Any]:
    fields: dict[str, Any] = {"metadata": verification.metadata}
    if name == "step_completed":
        fields["step"] = step_view(verification, data["stepId"], data.get("place", 0))
    if name == "verification_postponed":
        fields |= {"identityStatus": translation.POSTPONED, "status": translation.POSTPONED}
    if name in ("verification_completed", "verification_updated"):
        status = VerificationStatus(data["newStatus" if "newStatus" in data else "status"])
        identity_status = translation.IDENTITY_STATUSES[status]
        fields |= {
            "deviceFingerprint": verification.device,
            "identityStatus": identity_status,
            "status": identity_status,
            "details": computed_view(verification, today),
            "matiDashboardUrl": verification.resource,
        }
    return fields
