"""Views of a verification for the API."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

import orjson
from asyncpg import Record

from acredita.domain.caller import Caller
from acredita.domain.roles import Role
from acredita.domain.verification import DocumentRole, StepStatus, StepType
from acredita.domain.workflow import lacking_roles, missing_roles
from acredita.kit.clock import timestamp
from acredita.kit.crypto import KeyRing
from acredita.models import VerificationStep
from acredita.ports import LinkSigning, ViewSources
from acredita.resources.capture_links import service as capture_links
from acredita.resources.images.links import image_link, media_link
from acredita.resources.verifications import queries
from acredita.resources.verifications.schemas import DecidingPolicy, ExtractedField, ShownSignals

# Reviewers get the other keys of the evidence (zones, reasons).
EXTRACTION_FIELDS = [str(field.alias) for field in ExtractedField.model_fields.values()]

POLICY_FIELDS = [str(field.alias) for field in DecidingPolicy.model_fields.values()]


async def verification_view(
    services: ViewSources, caller: Caller, verification_id: UUID, signals: ShownSignals
) -> dict[str, Any]:
    """Return a VerificationAnswer as plain data, with these signals. Raise NotFound.

    Models would cost a third more CPU time.
    """
    row = await queries.get_verification(services.reads, caller, verification_id)
    present = {DocumentRole(document[1]): document[4] for document in row["documents"]}
    now = services.clock.now()
    steps, extraction = [], []
    for step in row["steps"]:
        view, evidence = _step_view(services.keys, step, present, signals)
        steps.append(view)
        extraction += [{name: item[name] for name in EXTRACTION_FIELDS} for item in evidence]
    return {
        "verification": {
            "id": str(row["id"]),
            "status": row["status"],
            "workflowId": str(row["workflow_id"]),
            "externalId": row["external_id"],
            "metadata": row["metadata"] and orjson.loads(row["metadata"]),
            "steps": steps,
            "decision": _decision_view(caller, row["decision"]),
            "createdAt": timestamp(row["created_at"]),
            "updatedAt": timestamp(row["updated_at"]),
            "capture": capture_links.state_of(row["link"], now),
        },
        "documents": [_document_view(services, document, now) for document in row["documents"]],
        "extraction": extraction,
    }


def _decision_view(caller: Caller, stored: str | None) -> dict[str, Any] | None:
    """Return a DecisionShape; None for callers that may not read the history either."""
    decision = stored and orjson.loads(stored)
    # While steps run again, it is JSON's null.
    if not decision or not caller.role.covers(Role.REVIEWER):
        return None
    policy = decision.get("policy")
    return {
        "status": decision["status"],
        "reasons": decision["reasons"],
        "rules": decision["rules"],
        # A policy without a published version has decided nothing: it has no id.
        "policy": policy and {name: policy.get(name) for name in POLICY_FIELDS},
    }


def _step_view(
    keys: KeyRing,
    row: Record,
    present: Mapping[DocumentRole, datetime],
    signals: ShownSignals,
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return the view of a step, and its evidence."""
    step_id, step_type, status, config, asked_again, result_sealed, evidence_sealed, code = row
    result = VerificationStep.result.open(keys, step_id, result_sealed)
    evidence = VerificationStep.evidence.open(keys, step_id, evidence_sealed)
    if result is None and code is not None:
        # The verification is purged: the code remains, the result does not.
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
    view = {
        "id": str(step_id),
        "type": step_type,
        "status": status,
        "requires": list(requires),
        "result": result if signals == "all" else _with_raised_signals(result),
    }
    return view, evidence or []


def _with_raised_signals(result: dict[str, Any] | None) -> dict[str, Any] | None:
    """Return the result with only the raised ones of its list `signals`. LIVENESS has an object
    `signals`, the measures of its frames.
    """
    if result is None or not isinstance(found := result.get("signals"), list):
        return result
    return result | {"signals": [signal for signal in found if signal["raised"]]}


def _document_view(services: LinkSigning, row: Record, now: datetime) -> dict[str, Any]:
    document_id, role, mime_type, file_size, created_at, media, source = row
    return {
        "id": str(document_id),
        "type": role,
        "mimeType": mime_type,
        "fileSize": file_size,
        "source": source,
        "createdAt": timestamp(created_at),
        "imageUrl": image_link(services, document_id, now),
        "media": [
            {"id": str(media_id), "kind": kind, "imageUrl": media_link(services, media_id, now)}
            for media_id, kind in media
        ],
    }
