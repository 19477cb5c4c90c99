from starlette.responses import Response

from acredita.api.dependencies import Db, Reader, ServicesDep
from acredita.api.pagination import Limit, Offset, Pagination
from acredita.api.permissions import Reviewer
from acredita.api.routing import make_router
from acredita.api.schemas import IdInPath
from acredita.domain.errors import Forbidden
from acredita.domain.roles import Role
from acredita.models import LicenceTruth
from acredita.resources.ground_truth import licences, states, templates, truths
from acredita.resources.ground_truth.licence_endpoints import InStatus, State
from acredita.resources.ground_truth.licences import LICENCES
from acredita.resources.ground_truth.schemas import (
    StateStats,
    StateTruthChange,
    StateTruthDetail,
    StateTruthPage,
    StateTruthShape,
)
from acredita.resources.images.responses import UPLOADED, jpeg

router = make_router("/v1/dl-state-groundtruth", tag="Ground truth")


@router.get("", summary="List licences with their known state and their recognized state")
async def list_state_truths(
    caller: Reviewer,
    reader: Reader,
    state: State = None,
    status: InStatus = None,
    limit: Limit = 20,
    offset: Offset = 0,
) -> StateTruthPage:
    """Filter by `state` to find licences that were taken for another state's."""
    wanted = truths.conditions(LICENCES, caller, state=state, status=status)
    total, rows = await truths.page(reader, LICENCES, wanted, limit=limit, offset=offset)
    drawn = await templates.drawn_from(reader, [row.id for row in rows])
    return StateTruthPage(
        licences=[StateTruthShape.from_row(row, has_template=row.id in drawn) for row in rows],
        pagination=Pagination.for_page(total=total, limit=limit, offset=offset),
    )


@router.get("/stats", summary="Get the reading accuracy for each state's licences")
async def get_state_stats(caller: Reviewer, reader: Reader) -> StateStats:
    """For each state: the number of licences, and how many fields of them were read correctly."""
    return StateStats(states=await states.stats(reader, caller))


@router.get("/{id}", summary="Get the state of a licence and the template made from it")
async def get_state_truth(id: IdInPath, caller: Reviewer, session: Db) -> StateTruthDetail:
    """A template says where the fields of a state's layout are. The organization's own are used
    before the built-in ones.
    """
    return await _detail(session, await truths.get(session, LICENCES, caller, id))


@router.patch("/{id}", summary="Set the state of a licence and the template of its layout")
async def change_state_truth(
    id: IdInPath, data: StateTruthChange, caller: Reviewer, session: Db
) -> StateTruthDetail:
    """A template applies to all licences of the organization immediately, so it requires an ADMIN.
    Read the licence again to see the effect.
    """
    if "template" in data.model_fields_set and not caller.role.covers(Role.ADMIN):
        raise Forbidden
    return await _detail(session, await licences.change_state(session, caller, id, data))


@router.get(
    "/{id}/document-image",
    summary="Get the image of a licence",
    response_class=Response,
    responses=UPLOADED,
)
async def get_state_truth_image(id: IdInPath, caller: Reviewer, services: ServicesDep) -> Response:
    """The image is encoded again without metadata. A PDF is shown as its first page."""
    return jpeg(
        await truths.image(
            services.database, services, LICENCES, caller, id, lambda truth: truth.file_id
        )
    )


async def _detail(session: Db, truth: LicenceTruth) -> StateTruthDetail:
    template = (await templates.drawn_from(session, [truth.id])).get(truth.id)
    state = StateTruthShape.from_row(truth, has_template=template is not None)
    return StateTruthDetail(**state.model_dump(), template=template)
