from typing import Annotated

from starlette.responses import Response

from acredita.api.caller import Caller
from acredita.api.dependencies import Db
from acredita.api.errors import NotFound, ValidationFailed, responses
from acredita.api.permissions import Require
from acredita.api.routing import router as make_router
from acredita.api.routing import secured
from acredita.api.schemas import IdInPath
from acredita.domain.roles import Role
from acredita.resources.workflows import queries, service
from acredita.resources.workflows.schemas import (
    CreatedWorkflow,
    CreatedWorkflowAnswer,
    WorkflowCreate,
    WorkflowList,
    WorkflowShape,
)

router = make_router("/v1/workflows", tag="Workflows")


@router.get("", summary="List workflows, newest first", responses=secured())
async def list_workflows(
    caller: Annotated[Caller, Require(Role.MEMBER)], session: Db
) -> WorkflowList:
    rows = await queries.list_all(session, caller)
    return WorkflowList(workflows=[WorkflowShape.of(row) for row in rows])


@router.post(
    "",
    status_code=201,
    summary="Create a workflow",
    responses=secured() | responses(ValidationFailed),
)
async def create_workflow(
    data: WorkflowCreate,
    caller: Annotated[Caller, Require(Role.ADMIN)],
    session: Db,
    response: Response,
) -> CreatedWorkflowAnswer:
    workflow = await service.create(session, caller, data)
    response.headers["Location"] = f"/v1/workflows/{workflow.id}"
    return CreatedWorkflowAnswer(workflow=CreatedWorkflow.of(workflow))


@router.get("/{id}", summary="One workflow", responses=secured() | responses(NotFound))
async def get_workflow(
    id: IdInPath,  # noqa: A002 (the specification's name of the path parameter)
    caller: Annotated[Caller, Require(Role.MEMBER)],
    session: Db,
) -> WorkflowShape:
    return WorkflowShape.of(await queries.get(session, caller, id))
