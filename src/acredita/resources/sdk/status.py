"""The status view for the browser, read in one statement. It contains no personal data."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

import orjson
from asyncpg import Record

from acredita.domain import workflow
from acredita.domain.next_action import next_action
from acredita.domain.reasons import find
from acredita.domain.verification import (
    OPEN,
    DocumentRole,
    StepStatus,
    StepType,
    VerificationStatus,
)
from acredita.kit.clock import timestamp
from acredita.kit.statement_pool import Reads
from acredita.resources.sdk import queries
from acredita.resources.sdk.liveness import MAX_CHALLENGES
from acredita.resources.sdk.schemas import HandOverState

# Statuses of steps that judged their documents.
JUDGED = {StepStatus.PASSED, StepStatus.REVIEW}


async def view(reads: Reads, verification_id: UUID) -> dict[str, Any]:
    """Return a StatusView as plain data. Raise NotFound."""
    return to_view(await queries.get_status(reads, verification_id))


def to_view(row: Record) -> dict[str, Any]:
    status = VerificationStatus(row["status"])
    present = _valid_uploads(row)
    views, steps = [], []
    for step in row["steps"]:
        judged = _workflow_step(step, present)
        steps.append(judged)
        views.append(_step_view(step, judged, present, asks_again=row["is_in_browser"]))
    next_step = next_action(status, steps, frozenset(present), has_consented=row["has_consented"])
    return {
        "id": str(row["id"]),
        "status": status.value,
        "expiresAt": timestamp(row["expires_at"]),
        "workflowId": str(row["workflow_id"]),
        "organizationName": row["name"],
        "consentGiven": row["has_consented"],
        "steps": views,
        "handOver": None if row["hand_over"] is None else _hand_over_view(*row["hand_over"]),
        "next": {
            "action": next_step.action.value,
            "stepId": None if next_step.step_id is None else str(next_step.step_id),
            "roles": list(next_step.roles),
            "optionalRoles": list(next_step.optional_roles),
            "alternativeRoles": list(next_step.alternative_roles),
            "challengesLeft": (max(0, MAX_CHALLENGES - row["challenges"]) if status in OPEN else 0),
        },
    }


def _hand_over_view(expires_at: datetime, opened_at: datetime | None) -> dict[str, Any]:
    state = HandOverState.WAITING if opened_at is None else HandOverState.OPENED
    return {"state": state.value, "expiresAt": timestamp(expires_at)}


def _valid_uploads(row: Record) -> dict[DocumentRole, datetime]:
    """Return the upload time of each role's newest valid document."""
    arrived = [(DocumentRole(role), moment) for role, moment in row["documents"]]
    finished = [
        (StepType(step[1]), step[7])
        for step in row["steps"]
        if StepStatus(step[2]) in JUDGED and step[7] is not None
    ]
    settled = workflow.settled_roles(finished, arrived)
    return {
        role: moment for role, moment in arrived if role not in settled or moment <= settled[role]
    }


def _workflow_step(row: Record, present: Mapping[DocumentRole, datetime]) -> workflow.Step:
    step_id, step_type, status, _, config, _, asked_again, _ = row
    asked = None if asked_again is None else orjson.loads(asked_again)
    return workflow.Step(
        step_id,
        StepType(step_type),
        StepStatus(status),
        orjson.loads(config),
        workflow.lacking_roles(asked, present),
    )


def _step_view(
    row: Record,
    step: workflow.Step,
    present: Mapping[DocumentRole, datetime],
    *,
    asks_again: bool,
) -> dict[str, Any]:
    code, retakes = row[3], row[5]
    # A code without advice is only for the organization: it says something about the person, or
    # shows a forger how the forgery was detected.
    reason = find(code)
    advised = None if reason is None else reason.advice
    requires: tuple[DocumentRole, ...] = ()
    if not step.status.is_final:
        requires = workflow.missing_roles(step.type, step.config, frozenset(present), step.lacking)
    return {
        "id": str(step.id),
        "type": step.type,
        "status": step.status.value,
        "code": None if advised is None else code,
        "advice": None if advised is None else {"es": advised.es, "en": advised.en},
        "requires": list(requires),
        "retakesLeft": (
            workflow.MOST_RETAKES - retakes if asks_again and not step.status.is_final else 0
        ),
    }
