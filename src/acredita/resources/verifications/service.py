"""Creating a verification and showing it."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import orjson
from asyncpg import Record
from sqlalchemy.ext.asyncio import AsyncSession

from acredita import jobs
from acredita.api.caller import Caller
from acredita.api.errors import WorkflowInactive
from acredita.domain.events import EventKind
from acredita.domain.government.questions import plan
from acredita.domain.verification import DocumentRole, StepStatus, StepType, VerificationStatus
from acredita.domain.workflow import missing_roles
from acredita.kit import ids
from acredita.kit.clock import timestamp
from acredita.resources.documents.links import image_link, media_link
from acredita.resources.verifications import queries, sealing, search
from acredita.resources.verifications.claims import stated_in
from acredita.resources.verifications.jobs import begin
from acredita.resources.verifications.schemas import (
    CreatedVerification,
    ExtractedField,
    VerificationCreate,
)
from acredita.resources.webhooks import events, secrets
from acredita.resources.workflows import queries as workflows
from acredita.services import Services

# The rest (zones, reasons) is for reviewers.
SHOWN_OF_EVIDENCE = [str(field.alias) for field in ExtractedField.model_fields.values()]


async def create(
    session: AsyncSession,
    services: Services,
    caller: Caller,
    data: VerificationCreate,
    *,
    ip_address: str | None,
) -> CreatedVerification:
    """Raise NotFound for an unknown workflow, WorkflowInactive for one that was deleted."""
    workflow = await workflows.snapshot(services.reads, caller, ids.parse(data.workflow_id))
    if not workflow.is_active:
        raise WorkflowInactive
    verification_id = ids.capability()
    callback_secret, callback_secret_sealed = None, None
    if data.callback_url is not None:
        callback_secret = secrets.new_secret()
        callback_secret_sealed = services.keys.seal(
            callback_secret.encode(), context=secrets.callback_context(verification_id)
        )
    created_at = await queries.add(
        session,
        caller,
        verification_id,
        workflow,
        data,
        callback_secret_sealed=callback_secret_sealed,
        ip_address=ip_address,
        expires_at=services.clock.now() + timedelta(seconds=services.settings.verification_ttl),
    )
    await search.enter(
        session, caller.organization_id, verification_id, data.external_id, data.metadata
    )
    await events.record(
        session,
        organization_id=caller.organization_id,
        verification_id=verification_id,
        kind=EventKind.VERIFICATION_CREATED,
        data={
            "verificationId": str(verification_id),
            "workflowId": str(workflow.id),
            "status": VerificationStatus.PENDING,
        },
    )
    if _needs_no_upload(workflow.steps[0], data.metadata or {}):
        await jobs.add(
            session,
            begin,
            {"verification_id": verification_id},
            once_key=f"begin:{verification_id}",
            organization_id=caller.organization_id,
        )
    return CreatedVerification(
        id=verification_id,
        status=VerificationStatus.PENDING,
        workflow_id=workflow.id,
        external_id=data.external_id,
        metadata=data.metadata,
        ip_address=ip_address,
        created_at=created_at,
        updated_at=created_at,
        callback_secret=callback_secret,
    )


def _needs_no_upload(first: Mapping[str, Any], metadata: Mapping[str, Any]) -> bool:
    """Whether the first step asks registries, and the metadata suffice to ask one."""
    asks = first["type"] == StepType.GOVERNMENT_VERIFY
    return asks and any(plan(stated_in(metadata)).values())


async def show(services: Services, caller: Caller, verification_id: UUID) -> dict[str, Any]:
    """A VerificationAnswer as plain data: made of models it would cost a third more."""
    row = await queries.get_whole(services.reads, caller, verification_id)
    present = frozenset(DocumentRole(document[1]) for document in row["documents"])
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
    services: Services, row: Record, present: frozenset[DocumentRole]
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """What is shown of a step, and its evidence."""
    step_id, step_type, status, config, *sealed, code = row
    result, evidence = (sealing.unseal(services.keys, step_id, value) for value in sealed)
    if result is None and code is not None:
        # Purged: what the step found is gone, why it ended so is not.
        result = {"code": code, "message": None}
    requires = (
        ()
        if StepStatus(status).is_final
        else missing_roles(StepType(step_type), orjson.loads(config), present)
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
