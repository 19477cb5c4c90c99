from typing import Annotated

from starlette.responses import Response

from acredita.api.caller import Caller
from acredita.api.dependencies import Db, Reader, ServicesDep
from acredita.api.errors import Forbidden, NotFound, ValidationFailed, responses
from acredita.api.pagination import Limit, Offset, Pagination
from acredita.api.permissions import Require
from acredita.api.routing import router as make_router
from acredita.api.routing import secured
from acredita.api.schemas import IdInPath
from acredita.domain.roles import Role
from acredita.models import LicenceTruth
from acredita.resources.documents.endpoints import IMAGE
from acredita.resources.groundtruth import licences, samples, states, templates
from acredita.resources.groundtruth.licence_endpoints import InStatus, State
from acredita.resources.groundtruth.schemas import (
    StateStats,
    StateTruthChange,
    StateTruthDetail,
    StateTruthPage,
    StateTruthShape,
)

router = make_router("/v1/dl-state-groundtruth", tag="Ground truth")

Reviewer = Annotated[Caller, Require(Role.REVIEWER)]


@router.get(
    "",
    summary="List licences with the state that they are of, and the one that was read",
    responses=secured() | responses(ValidationFailed),
)
async def list_state_truths(
    caller: Reviewer,
    reader: Reader,
    state: State = None,
    status: InStatus = None,
    limit: Limit = 20,
    offset: Offset = 0,
) -> StateTruthPage:
    wanted = licences.Filter(state, status)
    total, rows = await licences.page(reader, caller, wanted, limit=limit, offset=offset)
    drawn = await templates.drawn_from(reader, [row.id for row in rows])
    return StateTruthPage(
        licences=[StateTruthShape.of(row, has_template=row.id in drawn) for row in rows],
        pagination=Pagination.of(total=total, limit=limit, offset=offset),
    )


@router.get("/stats", summary="How well each state's licences are read", responses=secured())
async def get_state_stats(caller: Reviewer, reader: Reader) -> StateStats:
    return StateStats(states=await states.stats(reader, caller))


@router.get(
    "/{id}",
    summary="One licence's state, and the template drawn up from it",
    responses=secured() | responses(NotFound),
)
async def get_state_truth(
    id: IdInPath,  # noqa: A002 (the specification's name of the path parameter)
    caller: Reviewer,
    session: Db,
) -> StateTruthDetail:
    return await _detail(session, await licences.get(session, caller, id))


@router.patch(
    "/{id}",
    summary="Say of which state a licence is, and how its layout is read",
    description=(
        "A template counts at once for all licences of the organization, hence an ADMIN's; read"
        " this licence again to see what it changes."
    ),
    responses=secured() | responses(NotFound, ValidationFailed),
)
async def change_state_truth(
    id: IdInPath,  # noqa: A002 (the specification's name of the path parameter)
    data: StateTruthChange,
    caller: Reviewer,
    session: Db,
) -> StateTruthDetail:
    if "template" in data.model_fields_set and not caller.role.covers(Role.ADMIN):
        raise Forbidden
    return await _detail(session, await licences.change_state(session, caller, id, data))


@router.get(
    "/{id}/document-image",
    summary="The picture of a licence",
    response_class=Response,
    responses=IMAGE | secured() | responses(NotFound),
)
async def get_state_truth_image(
    id: IdInPath,  # noqa: A002 (the specification's name of the path parameter)
    caller: Reviewer,
    services: ServicesDep,
) -> Response:
    async with services.database.transaction() as session:
        file = await samples.file_of(session, await licences.view(session, caller, id))
    return await samples.image(services, file)


async def _detail(session: Db, truth: LicenceTruth) -> StateTruthDetail:
    template = (await templates.drawn_from(session, [truth.id])).get(truth.id)
    shown = StateTruthShape.of(truth, has_template=template is not None)
    return StateTruthDetail(**shown.model_dump(), template=template)
