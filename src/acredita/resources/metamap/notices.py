"""Events as webhooks of the compatible API tell them, for endpoints of the format `metamap`.

A notice is made when it is sent, and nothing of it is stored. All that it says was settled when the
event happened (how a step or verification ended, the metadata, names given by then), so each
attempt has the same bytes.
"""

from datetime import date, datetime
from typing import Any
from uuid import UUID

import orjson

from acredita.domain.events import EventKind
from acredita.domain.verification import VerificationStatus
from acredita.kit.clock import timestamp
from acredita.kit.crypto import CannotUnseal
from acredita.kit.javascript import stringify
from acredita.models import EventTurn
from acredita.resources.metamap import codes, queries
from acredita.resources.metamap.result import Seen, computed, day_of, seen, translated
from acredita.services import Services

NAMES = {
    EventKind.VERIFICATION_CREATED: "verification_started",
    EventKind.STEP_COMPLETED: "step_completed",
    EventKind.STEP_FAILED: "step_completed",
    EventKind.VERIFICATION_COMPLETED: "verification_completed",
}
TURNS = {
    EventTurn.INPUTS_COMPLETED: "verification_inputs_completed",
    EventTurn.EXPIRED: "verification_expired",
    EventTurn.REVISED: "verification_updated",
}


class CannotRender(Exception):
    """The event has no words in this format, or its data are not what the words need."""


async def body(
    services: Services,
    *,
    verification_id: UUID,
    kind: EventKind,
    turn: str | None,
    data: bytes,
    moment: datetime,
) -> bytes:
    """The JSON body. Raise CannotUnseal, CannotRender; errors of the database pass."""
    row = await queries.as_of(services.reads, verification_id, moment)
    if row is None:
        # Deliveries go with the events of a verification; this one was on its way.
        raise CannotRender
    try:
        name = TURNS[EventTurn(turn)] if turn else NAMES[kind]
        return stringify(_notice(seen(services, row, until=moment), name, data, moment))
    except CannotUnseal:
        raise
    except Exception as fault:
        # Whatever it is, it concerns this event alone: those of others are not to wait for it.
        raise CannotRender from fault


def _notice(verification: Seen, name: str, data: bytes, moment: datetime) -> dict[str, Any]:
    told = _told(verification, name, orjson.loads(data), day_of(moment))
    return {
        "resource": verification.resource,
        "eventName": name,
        "flowId": verification.flow["id"],
        "timestamp": timestamp(moment),
        **told,
    }


def _told(verification: Seen, name: str, data: dict[str, Any], today: date) -> dict[str, Any]:
    if name == "step_completed":
        return {"step": translated(verification, data["stepId"])}
    told: dict[str, Any] = {"metadata": verification.metadata}
    if name in ("verification_completed", "verification_updated"):
        status = VerificationStatus(data["newStatus" if "newStatus" in data else "status"])
        decided = codes.IDENTITY_STATUSES[status]
        told |= {
            "deviceFingerprint": verification.device,
            "identityStatus": decided,
            "status": decided,
            "details": computed(verification, today),
            "matiDashboardUrl": verification.resource,
        }
    return told
