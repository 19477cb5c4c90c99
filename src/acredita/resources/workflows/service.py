from sqlalchemy.ext.asyncio import AsyncSession

from acredita.api.caller import Caller
from acredita.domain.audit import Action
from acredita.kit import ids
from acredita.models import Workflow
from acredita.resources.audit import service as audit
from acredita.resources.workflows.schemas import WorkflowCreate


async def create(session: AsyncSession, caller: Caller, data: WorkflowCreate) -> Workflow:
    """Steps are kept in the order of their execution; equal orders keep the order given."""
    steps = [
        {
            "id": str(ids.sortable()),
            "type": step.type.value,
            "order": step.order,
            "config": step.config or {},
        }
        for step in sorted(data.steps, key=lambda step: step.order)
    ]
    workflow = Workflow(
        organization_id=caller.organization_id,
        name=data.name,
        description=data.description,
        is_active=True,
        steps=steps,
    )
    session.add(workflow)
    await session.flush()
    audit.record(session, caller, Action.WORKFLOW_CREATED, workflow.id)
    return workflow
