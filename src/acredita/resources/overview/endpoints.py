import re
from datetime import date
from typing import Annotated, Any

from fastapi import Depends, Query
from pydantic import BeforeValidator
from starlette.requests import Request
from starlette.responses import Response

from acredita.api.dependencies import ServicesDep, lists_of
from acredita.api.permissions import Member
from acredita.api.routing import make_router
from acredita.api.schemas import JsonAnswer
from acredita.resources.overview import service
from acredita.resources.overview.schemas import Overview, OverviewWorkflows

router = make_router("/v1", tag="Overview")

CSV: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "A header, and a line for each day, workflow or reason.",
        "content": {
            "text/csv": {
                "schema": {"type": "string"},
                "example": "date,created,approved,rejected,review\r\n2026-01-30,40,31,3,2\r\n",
            }
        },
    }
}


# Pydantic also takes a number, as the seconds since 1970.
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


def _as_written(day: str) -> str:
    if not _DAY.fullmatch(day):
        raise ValueError("the form is YYYY-MM-DD")
    return day


Day = Annotated[date, BeforeValidator(_as_written)]


async def _period(
    services: ServicesDep,
    first: Annotated[
        Day | None,
        Query(alias="from", description="The first day (UTC). Without it: 30 days up to `to`."),
    ] = None,
    last: Annotated[
        Day | None, Query(alias="to", description="The last day (UTC). Without it: today.")
    ] = None,
) -> tuple[date, date]:
    return service.period(first, last, services.clock.now())


Period = Annotated[tuple[date, date], Depends(_period)]
WorkflowId = Annotated[
    str | None,
    Query(alias="workflowId", max_length=36, description="Only verifications of this workflow."),
]


@router.get(
    "/overview", response_model=Overview, summary="Get what became of the verifications of a period"
)
async def get_overview(
    caller: Member,
    services: ServicesDep,
    request: Request,
    period: Period,
    workflow_id: WorkflowId = None,
) -> Response:
    """All numbers except `reviewQueue` are about the verifications created from `from` to `to`, at
    most 366 days, with their present outcomes. They are kept as verifications change, so the
    request costs the same for any number of verifications.
    """
    return JsonAnswer(
        await service.overview(
            lists_of(request), caller.organization_id, period, workflow_id, services.clock.now()
        )
    )


@router.get(
    "/overview/workflows",
    response_model=OverviewWorkflows,
    summary="Compare the workflows of a period",
)
async def compare_workflows(caller: Member, request: Request, period: Period) -> Response:
    """The funnel, the outcomes and the times to a decision of each workflow, from the same kept
    numbers as `GET /v1/overview`.
    """
    return JsonAnswer(await service.of_workflows(lists_of(request), caller.organization_id, period))


@router.get(
    "/overview.csv", response_class=Response, summary="Download the overview as CSV", responses=CSV
)
async def get_overview_as_csv(
    caller: Member,
    request: Request,
    period: Period,
    workflow_id: WorkflowId = None,
    by: Annotated[
        service.OverviewLines, Query(description="What a line is about.")
    ] = service.OverviewLines.DAY,
) -> Response:
    """With `by=day`, the `days` of `GET /v1/overview`, a line each. With `by=workflow`, the funnel,
    the outcomes and the times to a decision of each workflow. With `by=reason`, the codes of the
    decisions of each workflow with the number of its verifications. A text that a spreadsheet would
    run as a formula begins with an apostrophe.
    """
    content = await service.to_csv(
        lists_of(request), caller.organization_id, period, workflow_id, by
    )
    headers = {"Content-Disposition": f'attachment; filename="overview-by-{by}.csv"'}
    return Response(content, media_type="text/csv; charset=utf-8", headers=headers)
