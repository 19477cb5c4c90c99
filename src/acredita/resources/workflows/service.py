from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import func
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.audit import Action
from acredita.domain.caller import Caller
from acredita.domain.errors import Forbidden, NotFound, PolicyNotPublished, WorkflowInactive
from acredita.domain.roles import Role
from acredita.kit import ids
from acredita.models import PolicyStatus, Workflow
from acredita.resources.audit import service as audit
from acredita.resources.workflows import queries
from acredita.resources.workflows.schemas import StepWrite, WorkflowCreate, WorkflowUpdate
from acredita.resources.workflows.theme import ThemeShape, ThemeWrite


async def create(session: AsyncSession, caller: Caller, data: WorkflowCreate) -> Workflow:
    """Create a workflow. The service assigns the ids of its steps. Raise NotFound for an unknown
    policy, PolicyNotPublished.
    """
    workflow = Workflow(
        organization_id=caller.organization_id,
        name=data.name,
        description=data.description,
        is_active=True,
        steps=_in_order(data.steps),
        policy_id=await _policy_id(session, caller, data.policy_id),
        shadow_policy_id=await _shadow_id(session, caller, data.shadow_policy_id),
        allow_files=data.allow_files,
    )
    session.add(workflow)
    await session.flush()
    audit.record(session, caller, Action.WORKFLOW_CREATED, workflow.id)
    return workflow


def _in_order(steps: Sequence[StepWrite]) -> list[dict[str, Any]]:
    """Sort the steps by `order`. The sort is stable."""
    return [
        {
            "id": str(ids.sortable()),
            "type": step.type,
            "order": step.order,
            "config": step.config or {},
        }
        for step in sorted(steps, key=lambda step: step.order)
    ]


async def update(
    session: AsyncSession, caller: Caller, workflow_id: UUID, data: WorkflowUpdate
) -> Workflow:
    """Update the given fields. Existing verifications keep their steps.

    Raise NotFound, PolicyNotPublished. Raise WorkflowInactive if the workflow is inactive, unless
    it is only deactivated again.
    """
    workflow = await queries.get(session, caller, workflow_id, lock=True)
    changes = sorted(data.model_fields_set - {"is_active"})
    deactivates = "is_active" in data.model_fields_set and not data.is_active
    if not workflow.is_active and not (deactivates and not changes):
        raise WorkflowInactive
    if changes:
        await _change(session, caller, workflow, data)
        audit.record(session, caller, Action.WORKFLOW_UPDATED, workflow.id, changes=changes)
    if deactivates:
        _deactivate(session, caller, workflow)
    await session.flush()
    return workflow


async def _change(
    session: AsyncSession, caller: Caller, workflow: Workflow, data: WorkflowUpdate
) -> None:
    """Raise NotFound, PolicyNotPublished, Forbidden."""
    if "name" in data.model_fields_set:
        workflow.name = data.name
    if "description" in data.model_fields_set:
        workflow.description = data.description
    if "steps" in data.model_fields_set:
        await _change_steps(session, caller, workflow, _in_order(data.steps))
    if "policy_id" in data.model_fields_set:
        await _change_policy(session, caller, workflow, data.policy_id)
    if "allow_files" in data.model_fields_set:
        workflow.allow_files = data.allow_files
    if "shadow_policy_id" in data.model_fields_set:
        workflow.shadow_policy_id = await _shadow_id(session, caller, data.shadow_policy_id)
    workflow.updated_at = func.now()


async def check_may_change_rules(session: AsyncSession, caller: Caller) -> None:
    """Raise Forbidden where two reviewers are required, unless the caller is an OWNER.

    Otherwise one administrator could make the rules of a workflow lenient (its policy, the limits
    and conditions of its steps), wait for a decision, and go back.
    """
    if not caller.role.covers(Role.OWNER) and await queries.requires_second_reviewer(
        session, caller
    ):
        raise Forbidden(
            "Where two reviewers are required, only an OWNER changes the rules of a workflow."
        )


async def _change_steps(
    session: AsyncSession, caller: Caller, workflow: Workflow, steps: list[dict[str, Any]]
) -> None:
    """Raise Forbidden."""
    former, new = ([{**step, "id": None} for step in each] for each in (workflow.steps, steps))
    if former != new:
        await check_may_change_rules(session, caller)
    workflow.steps = steps


async def _change_policy(
    session: AsyncSession, caller: Caller, workflow: Workflow, given: str | None
) -> None:
    """Raise NotFound, PolicyNotPublished, Forbidden."""
    policy_id = await _policy_id(session, caller, given)
    if policy_id == workflow.policy_id:
        return
    await check_may_change_rules(session, caller)
    audit.record(
        session,
        caller,
        Action.WORKFLOW_UPDATED,
        workflow.id,
        previous_policy=workflow.policy_id,
        new_policy=policy_id,
    )
    workflow.policy_id = policy_id


async def _policy_id(session: AsyncSession, caller: Caller, given: str | None) -> UUID | None:
    """Return the id of the policy that a request names. Raise NotFound, PolicyNotPublished."""
    if given is None:
        return None
    statuses = await queries.policy_statuses(session, caller, ids.parse(given))
    if not statuses:
        raise NotFound
    if PolicyStatus.PUBLISHED not in statuses:
        raise PolicyNotPublished
    return UUID(given)


async def _shadow_id(session: AsyncSession, caller: Caller, given: str | None) -> UUID | None:
    """Return the id of the policy whose draft runs as a shadow. Raise NotFound."""
    if given is None:
        return None
    if not await queries.policy_statuses(session, caller, ids.parse(given)):
        raise NotFound
    return UUID(given)


async def deactivate(session: AsyncSession, caller: Caller, workflow_id: UUID) -> None:
    """Soft delete: existing verifications continue. Deleting again changes nothing.

    Raise NotFound.
    """
    _deactivate(session, caller, await queries.get(session, caller, workflow_id, lock=True))


def _deactivate(session: AsyncSession, caller: Caller, workflow: Workflow) -> None:
    if workflow.is_active:
        workflow.is_active = False
        workflow.updated_at = func.now()
        audit.record(session, caller, Action.WORKFLOW_DELETED, workflow.id)


async def set_theme(
    session: AsyncSession, caller: Caller, workflow_id: UUID, data: ThemeWrite
) -> ThemeShape:
    """Replace the theme, also of a deleted workflow, because its verifications still use it.

    Raise NotFound.
    """
    workflow = await queries.get(session, caller, workflow_id, lock=True)
    workflow.theme = data.model_dump(by_alias=True, exclude_none=True)
    workflow.updated_at = func.now()
    audit.record(session, caller, Action.WORKFLOW_UPDATED, workflow.id, changes=["theme"])
    return ThemeShape(**workflow.theme)
