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
from acredita.models import Verification, VerificationStep
from acredita.resources.documents.links import image_link
from acredita.resources.verifications import queries, sealing
from acredita.resources.verifications.claims import stated_in
from acredita.resources.verifications.jobs import begin
from acredita.resources.verifications.schemas import (
    CreatedVerification,
    DocumentShape,
    ExtractedField,
    VerificationAnswer,
    VerificationCreate,
    VerificationShape,
    VerificationStepShape,
)
from acredita.resources.webhooks import events, secrets
from acredita.resources.workflows import queries as workflows
from acredita.services import Services


async def create(
    session: AsyncSession,
    services: Services,
    caller: Caller,
    data: VerificationCreate,
    *,
    ip_address: str | None,
) -> CreatedVerification:
    """Raise NotFound for an unknown workflow, WorkflowInactive for one that was deleted."""
    workflow = await workflows.get(session, caller, ids.parse(data.workflow_id))
    if not workflow.is_active:
        raise WorkflowInactive
    verification = Verification(
        id=ids.capability(),
        organization_id=caller.organization_id,
        workflow_id=workflow.id,
        status=VerificationStatus.PENDING,
        external_id=data.external_id,
        verification_metadata=data.metadata,
        callback_url=data.callback_url,
        ip_address=ip_address,
        expires_at=services.clock.now() + timedelta(seconds=services.settings.verification_ttl),
    )
    callback_secret = None
    if data.callback_url is not None:
        callback_secret = secrets.new_secret()
        verification.callback_secret_sealed = services.keys.seal(
            callback_secret.encode(), context=secrets.callback_context(verification.id)
        )
    session.add(verification)
    await session.flush()
    session.add_all(
        VerificationStep(
            verification_id=verification.id,
            position=position,
            type=step["type"],
            config=step["config"],
            status=StepStatus.PENDING,
        )
        for position, step in enumerate(workflow.steps)
    )
    await events.record(
        session,
        organization_id=caller.organization_id,
        verification_id=verification.id,
        kind=EventKind.VERIFICATION_CREATED,
        data={
            "verificationId": str(verification.id),
            "workflowId": str(workflow.id),
            "status": VerificationStatus.PENDING,
        },
    )
    if _needs_no_upload(workflow.steps[0], data.metadata or {}):
        await jobs.add(
            session,
            begin,
            {"verification_id": verification.id},
            once_key=f"begin:{verification.id}",
            organization_id=caller.organization_id,
        )
    await session.flush()
    return CreatedVerification.of(verification, callback_secret)


def _needs_no_upload(first: Mapping[str, Any], metadata: Mapping[str, Any]) -> bool:
    """Whether the first step asks registries, and the metadata suffice to ask one."""
    asks = first["type"] == StepType.GOVERNMENT_VERIFY
    return asks and any(plan(stated_in(metadata)).values())


async def show(services: Services, caller: Caller, verification_id: UUID) -> VerificationAnswer:
    row = await queries.get_whole(services.reads, caller, verification_id)
    present = frozenset(DocumentRole(document[1]) for document in row["documents"])
    steps, extraction = [], []
    for step in row["steps"]:
        shape, fields = _step(services, step, present)
        steps.append(shape)
        extraction.extend(fields)
    now = services.clock.now()
    return VerificationAnswer(
        verification=VerificationShape(
            id=row["id"],
            status=row["status"],
            workflow_id=row["workflow_id"],
            steps=steps,
            created_at=row["created_at"],
            updated_at=row["updated_at"],
        ),
        documents=[_document(services, document, now) for document in row["documents"]],
        extraction=extraction,
    )


def _step(
    services: Services, row: Record, present: frozenset[DocumentRole]
) -> tuple[VerificationStepShape, list[ExtractedField]]:
    step_id, type_name, status_name, config, *sealed = row
    step_type, status = StepType(type_name), StepStatus(status_name)
    result, evidence = (sealing.unseal(services.keys, step_id, value) for value in sealed)
    requires = () if status.is_final else missing_roles(step_type, orjson.loads(config), present)
    shape = VerificationStepShape(
        id=step_id, type=step_type, status=status, requires=list(requires), result=result
    )
    return shape, [
        ExtractedField(
            field=item["field"],
            value=item["value"],
            confidence=item["confidence"],
            decision=item["decision"],
            source=item["source"],
            document_id=item["documentId"],
            alternatives=item["alternatives"],
        )
        for item in evidence or []
    ]


def _document(services: Services, row: Record, now: datetime) -> DocumentShape:
    document_id, role, mime_type, file_size, created_at = row
    return DocumentShape(
        id=document_id,
        type=role,
        mime_type=mime_type,
        file_size=file_size,
        created_at=created_at,
        image_url=image_link(services, document_id, now),
    )
