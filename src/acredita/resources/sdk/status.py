"""The status view: what the browser is told, read in one statement, of nobody's person a word."""

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
from acredita.resources.sdk import queries
from acredita.resources.sdk.liveness import MOST_CHALLENGES
from acredita.services import Services

# Those that ended without a verdict of their own judged nothing.
HAVE_JUDGED = {StepStatus.PASSED, StepStatus.REVIEW}


async def view(services: Services, verification_id: UUID) -> dict[str, Any]:
    """A StatusView as plain data. Raise NotFound."""
    return view_of(await queries.status_of(services.reads, verification_id))


def view_of(row: Record) -> dict[str, Any]:
    status = VerificationStatus(row["status"])
    present = _present(row)
    shown, steps = [], []
    for step in row["steps"]:
        judged = _step(step, present)
        steps.append(judged)
        shown.append(_shown(step, judged, present, asks_again=row["has_session"]))
    following = next_action(status, steps, frozenset(present), has_consented=row["has_consented"])
    return {
        "id": str(row["id"]),
        "status": status.value,
        "expiresAt": timestamp(row["expires_at"]),
        "workflowId": str(row["workflow_id"]),
        "organizationName": row["name"],
        "consentGiven": row["has_consented"],
        "steps": shown,
        "next": {
            "action": following.action.value,
            "stepId": None if following.step_id is None else str(following.step_id),
            "roles": list(following.roles),
            "optionalRoles": list(following.optional_roles),
            "alternativeRoles": list(following.alternative_roles),
            "challengesLeft": (
                max(0, MOST_CHALLENGES - row["challenges"]) if status in OPEN else 0
            ),
        },
    }


def _present(row: Record) -> dict[DocumentRole, datetime]:
    """When the newest of each role arrived, of what still counts."""
    arrived = [(DocumentRole(role), moment) for role, moment in row["documents"]]
    finished = [
        (StepType(step[1]), step[7])
        for step in row["steps"]
        if StepStatus(step[2]) in HAVE_JUDGED and step[7] is not None
    ]
    settled = workflow.settled_roles(finished, arrived)
    return {
        role: moment for role, moment in arrived if role not in settled or moment <= settled[role]
    }


def _step(row: Record, present: Mapping[DocumentRole, datetime]) -> workflow.Step:
    step_id, step_type, status, _, config, _, asked_again, _ = row
    asked = None if asked_again is None else orjson.loads(asked_again)
    return workflow.Step(
        step_id,
        StepType(step_type),
        StepStatus(status),
        orjson.loads(config),
        workflow.lacking_roles(asked, present),
    )


def _shown(
    row: Record,
    step: workflow.Step,
    present: Mapping[DocumentRole, datetime],
    *,
    asks_again: bool,
) -> dict[str, Any]:
    code, retakes = row[3], row[5]
    # What nobody can do anything about stays between us and the organization: it says something of
    # the person, or tells a forger what gave the forgery away.
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
