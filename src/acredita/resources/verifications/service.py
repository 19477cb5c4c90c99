"""Showing a verification."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

import orjson
from asyncpg import Record
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.caller import Caller
from acredita.domain.steps import kind_of
from acredita.domain.verification import DocumentRole, StepStatus, StepType
from acredita.domain.workflow import lacking_roles, missing_roles
from acredita.kit.clock import timestamp
from acredita.models import VerificationStep
from acredita.resources.documents.links import image_link, media_link
from acredita.resources.verifications import queries
from acredita.resources.verifications.schemas import (
    ExtractedField,
)
from acredita.services import Services

# The rest (zones, reasons) is for reviewers.
SHOWN_OF_EVIDENCE = [str(field.alias) for field in ExtractedField.model_fields.values()]


async def show(services: Services, caller: Caller, verification_id: UUID) -> dict[str, Any]:
    """A VerificationAnswer as plain data: made of models it would cost a third more."""
    row = await queries.get_whole(services.reads, caller, verification_id)
    present = {DocumentRole(document[1]): document[4] for document in row["documents"]}
    now = services.clock.now()
    steps, extraction = [], []
    for step in row["steps"]:
        shown, evidence = _step(services, step, present)
        steps.append(shown)
        extraction += [{name: item[name] for name in SHOWN_OF_EVIDENCE} for item in evidence]
    return {
        "verification": {
            "id": str(row["id"]),
            "status": row["status"],
            "workflowId": str(row["workflow_id"]),
            "steps": steps,
            "createdAt": timestamp(row["created_at"]),
            "updatedAt": timestamp(row["updated_at"]),
        },
        "documents": [_document(services, document, now) for document in row["documents"]],
        "extraction": extraction,
    }


def _step(
    services: Services, row: Record, present: Mapping[DocumentRole, datetime]
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """What is shown of a step, and its evidence."""
    step_id, step_type, status, config, asked_again, result_sealed, evidence_sealed, code = row
    result = VerificationStep.result.open(services.keys, step_id, result_sealed)
    evidence = VerificationStep.evidence.open(services.keys, step_id, evidence_sealed)
    if result is None and code is not None:
        # Purged: what the step found is gone, why it ended so is not.
        result = {"code": code, "message": None}
    requires = (
        ()
        if StepStatus(status).is_final
        else missing_roles(
            StepType(step_type),
            orjson.loads(config),
            frozenset(present),
            lacking_roles(asked_again and orjson.loads(asked_again), present),
        )
    )
    shown = {
        "id": str(step_id),
        "type": step_type,
        "status": status,
        "requires": list(requires),
        "result": result,
    }
    return shown, evidence or []


def _document(services: Services, row: Record, now: datetime) -> dict[str, Any]:
    document_id, role, mime_type, file_size, created_at, media = row
    return {
        "id": str(document_id),
        "type": role,
        "mimeType": mime_type,
        "fileSize": file_size,
        "createdAt": timestamp(created_at),
        "imageUrl": image_link(services, document_id, now),
        "media": [
            {"id": str(media_id), "kind": kind, "imageUrl": media_link(services, media_id, now)}
            for media_id, kind in media
        ],
    }


async def step_for_challenge(
    session: AsyncSession, verification_id: UUID
) -> VerificationStep | None:
    """The step that a challenge can serve, and that is yet to end."""
    steps = await queries.steps_of(session, verification_id)
    return next(
        (
            step
            for step in steps
            if kind_of(StepType(step.type)).asks_challenge is not None
            and not StepStatus(step.status).is_final
        ),
        None,
    )
