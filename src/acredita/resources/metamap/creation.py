"""Create verifications for the compatible API, like POST /v1/verifications."""

from dataclasses import replace
from functools import partial
from typing import Any
from uuid import UUID

from acredita.domain.caller import Caller
from acredita.domain.errors import ValidationFailed
from acredita.domain.verification import StepType
from acredita.kit.db import Within
from acredita.kit.statement_pool import Reads
from acredita.ports import SessionCreation
from acredita.resources.capture_links.schemas import CaptureWrite
from acredita.resources.metamap import queries, translation, verification_view
from acredita.resources.metamap.id_aliases import to_alias, to_identity_alias
from acredita.resources.metamap.queries import Flow
from acredita.resources.sdk.visitors import Browser
from acredita.resources.verifications import creation
from acredita.resources.verifications.request_schemas import VerificationCreate
from acredita.resources.verifications.schemas import CreatedVerification
from acredita.resources.verifications.step_table import entry_of
from acredita.resources.workflows.queries import Snapshot


async def find_flow(reads: Reads, organization_id: UUID, flow_id: str | None) -> Flow:
    """Return the workflow with this id; by default the chosen one, or the oldest
    active one.

    Raise NotFound, ValidationFailed.
    """
    if flow_id is not None:
        return await queries.get_flow(reads, organization_id, flow_id)
    flow = await queries.get_default_flow(reads, organization_id)
    if flow is None:
        raise ValidationFailed(details=["body.flowId: Field required"])
    return flow


async def create(
    services: SessionCreation,
    caller: Caller,
    flow: Flow,
    *,
    metadata: dict[str, Any] | None,
    identity: str | None,
    browser: Browser,
    capture: CaptureWrite | None = None,
) -> tuple[CreatedVerification, UUID]:
    """Create a verification. Return it and its identity. `browser`: the client that starts it.

    Raise NotFound, WorkflowInactive, ValidationFailed.
    """
    link = await creation.prepare_link(services, caller, capture)
    data = VerificationCreate.model_validate(
        {"workflowId": str(flow.workflow.id), "metadata": metadata}
    )
    workflow = _with_default_options(flow.workflow)
    create_in = partial(
        creation.create_from,
        services=services,
        caller=caller,
        workflow=workflow,
        data=data,
        ip_address=browser.address,
        user_agent=browser.user_agent,
        link=link,
    )
    if identity is None:
        created = await create_in(services.writes)
        return created, created.id
    identity_id = await queries.find_identity_id(services.reads, caller, identity)
    async with services.database.transaction() as session:
        created = await create_in(Within(session))
        queries.add_to_identity(session, caller, created.id, identity_id)
    return created, identity_id


def _with_default_options(workflow: Snapshot) -> Snapshot:
    """Return the workflow with the compatible API's defaults for options that it does not set."""
    steps = [
        {**step, "config": {**entry_of(step["type"]).translation.config, **step["config"]}}
        for step in workflow.steps
    ]
    return replace(workflow, steps=steps)


def created_view(
    created: CreatedVerification, flow: Flow, identity_id: UUID, browser: Browser
) -> dict[str, Any]:
    """Return the response of POST /v2/verifications."""
    steps = flow.workflow.steps
    types = [StepType(step["type"]) for step in steps]
    # Each once: `document` stands for all documents.
    waiting = dict.fromkeys(
        entry_of(step["type"]).translation.first_id(step["config"]) for step in steps
    )
    return {
        "id": to_alias(created.id),
        "identity": to_identity_alias(identity_id),
        "flow": {"id": flow.alias, "name": flow.name},
        "documents": [],
        "expired": False,
        "inputs": verification_view.inputs_view(types, {}),
        "steps": [
            {"status": translation.WAITING, "id": step_id}
            for step_id in waiting
            if step_id is not None
        ],
        "metadata": created.metadata or {},
        "deviceFingerprint": _device_view(created, browser),
        "hasProblem": False,
        **capture_view(created),
    }


def _device_view(created: CreatedVerification, browser: Browser) -> dict[str, Any]:
    """Return what is known of the client; with a link, nothing of the person's browser yet."""
    agent = browser.user_agent if created.capture is None else None
    return verification_view.device_view(agent, created.ip_address)


def capture_view(created: CreatedVerification) -> dict[str, Any]:
    """Return the field with the person's link, which MetaMap does not have; nothing without one."""
    if created.capture is None:
        return {}
    return {"capture": created.capture.model_dump(mode="json", by_alias=True)}
