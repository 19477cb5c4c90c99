"""Starting verifications for the compatible API: as POST /v1/verifications does, in other words."""

from dataclasses import replace
from typing import Any
from uuid import UUID

from acredita.domain.caller import Caller
from acredita.domain.errors import ValidationFailed
from acredita.domain.verification import StepType
from acredita.kit.db import Within
from acredita.resources.metamap import codes, queries, result
from acredita.resources.metamap.naming import alias_of
from acredita.resources.metamap.queries import Flow
from acredita.resources.verifications import creation
from acredita.resources.verifications.schemas import CreatedVerification, VerificationCreate
from acredita.resources.verifications.step_table import entry_of
from acredita.resources.workflows.queries import Snapshot
from acredita.services import Services


async def flow_of(services: Services, caller: Caller, flow_id: str | None) -> Flow:
    """The workflow that is named, or the only one. Raise NotFound, ValidationFailed."""
    if flow_id is not None:
        return await queries.flow(services.reads, caller.organization_id, flow_id)
    flow = await queries.only_flow(services.reads, caller)
    if flow is None:
        raise ValidationFailed(details=["body.flowId: Field required"])
    return flow


async def start(
    services: Services,
    caller: Caller,
    flow: Flow,
    *,
    metadata: dict[str, Any] | None,
    identity: str | None,
    ip_address: str | None,
) -> tuple[CreatedVerification, UUID]:
    """A new verification, and its identity. Raise NotFound, WorkflowInactive."""
    data = VerificationCreate.model_validate(
        {"workflowId": str(flow.workflow.id), "metadata": metadata}
    )
    workflow = _with_expected_options(flow.workflow)
    if identity is None:
        created = await creation.create_from(
            services.writes, services, caller, workflow, data, ip_address=ip_address
        )
        return created, created.id
    identity_id = await queries.identity_id(services.reads, caller, identity)
    async with services.database.transaction() as session:
        created = await creation.create_from(
            Within(session), services, caller, workflow, data, ip_address=ip_address
        )
        queries.add_to_identity(session, created.id, identity_id)
    return created, identity_id


def _with_expected_options(workflow: Snapshot) -> Snapshot:
    """The workflow with the options that callers of the other API expect, where it has none."""
    steps = [
        {**step, "config": {**entry_of(step["type"]).translation.config, **step["config"]}}
        for step in workflow.steps
    ]
    return replace(workflow, steps=steps)


def started(
    created: CreatedVerification, flow: Flow, identity_id: UUID, user_agent: str | None
) -> dict[str, Any]:
    """The answer of POST /v2/verifications."""
    types = [StepType(step["type"]) for step in flow.workflow.steps]
    waiting = [entry_of(each).translation.initial_id for each in types]
    return {
        "id": alias_of(created.id),
        "identity": alias_of(identity_id),
        "flow": {"id": flow.alias, "name": flow.name},
        "documents": [],
        "expired": False,
        "inputs": result.inputs(types, {}),
        "steps": [
            {"status": codes.WAITING, "id": step_id} for step_id in waiting if step_id is not None
        ],
        "metadata": created.metadata or {},
        "deviceFingerprint": result.device(user_agent, created.ip_address),
        "hasProblem": False,
    }
