from starlette.responses import Response

from acredita.api.dependencies import Db, Reader
from acredita.api.errors import responses
from acredita.api.permissions import Admin, Member, public
from acredita.api.routing import make_router
from acredita.api.schemas import IdInPath
from acredita.domain.errors import NotFound, PolicyNotPublished, WorkflowInactive
from acredita.resources.workflows import queries, service
from acredita.resources.workflows.schemas import (
    CreatedWorkflow,
    CreatedWorkflowAnswer,
    WorkflowCreate,
    WorkflowList,
    WorkflowShape,
    WorkflowUpdate,
)
from acredita.resources.workflows.theme import ThemeShape, ThemeWrite

router = make_router("/v1/workflows", tag="Workflows")


@router.get("", summary="List workflows, newest first")
async def list_workflows(caller: Member, session: Db) -> WorkflowList:
    """Deleted workflows are listed too, with `isActive` false."""
    rows = await queries.list_all(session, caller)
    return WorkflowList(
        workflows=[WorkflowShape.model_validate(row, from_attributes=True) for row in rows]
    )


@router.post(
    "",
    status_code=201,
    summary="Create a workflow",
    responses=responses(NotFound, PolicyNotPublished),
)
async def create_workflow(
    data: WorkflowCreate, caller: Admin, session: Db, response: Response
) -> CreatedWorkflowAnswer:
    """Verifications run the steps in their `order`. A known option of a step's `config` with a
    wrong type is refused.
    """
    workflow = await service.create(session, caller, data)
    response.headers["Location"] = f"/v1/workflows/{workflow.id}"
    return CreatedWorkflowAnswer(
        workflow=CreatedWorkflow.model_validate(workflow, from_attributes=True)
    )


@router.get("/{id}", summary="Get a workflow")
async def get_workflow(id: IdInPath, caller: Member, session: Db) -> WorkflowShape:
    """Deleted workflows too, with `isActive` false."""
    return WorkflowShape.model_validate(
        await queries.get(session, caller, id), from_attributes=True
    )


@router.patch(
    "/{id}", summary="Update a workflow", responses=responses(PolicyNotPublished, WorkflowInactive)
)
async def update_workflow(
    id: IdInPath, data: WorkflowUpdate, caller: Admin, session: Db
) -> WorkflowShape:
    """Applies to new verifications. Existing ones keep their steps. `isActive: false` deactivates
    the workflow, like DELETE.
    """
    return WorkflowShape.model_validate(
        await service.update(session, caller, id, data), from_attributes=True
    )


@router.delete("/{id}", status_code=204, summary="Deactivate a workflow")
async def delete_workflow(id: IdInPath, caller: Admin, session: Db) -> None:
    """New verifications cannot use it. Existing ones continue. Deleting it again changes
    nothing.
    """
    await service.deactivate(session, caller, id)


@router.get("/{id}/theme", summary="Get the theme of a workflow's pages")
@public
async def get_workflow_theme(id: IdInPath, reader: Reader) -> ThemeShape:
    """Requires no authentication. Values that are not set are null."""
    return ThemeShape(**await queries.public_theme(reader, id))


@router.put("/{id}/theme", summary="Replace the theme of a workflow's pages")
async def set_workflow_theme(
    id: IdInPath, data: ThemeWrite, caller: Admin, session: Db
) -> ThemeShape:
    """Replaces the whole theme."""
    return await service.set_theme(session, caller, id, data)
