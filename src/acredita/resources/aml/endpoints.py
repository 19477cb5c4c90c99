from starlette.responses import Response

from acredita.api.dependencies import Db, ServicesDep
from acredita.api.errors import ValidationFailed, responses
from acredita.api.permissions import Require
from acredita.api.routing import router as make_router
from acredita.api.routing import secured
from acredita.api.schemas import JsonAnswer
from acredita.domain.roles import Role
from acredita.resources.aml import lists, screening
from acredita.resources.aml.lists import ListsAnswer
from acredita.resources.aml.schemas import (
    BatchAnswer,
    BatchRequest,
    ScreenAnswer,
    ScreenRequest,
)

router = make_router("/v1/aml", tag="Watchlists")
# Lists are everybody's: who asks must be known, and makes no difference.
ANYONE_KNOWN = [Require(Role.MEMBER)]


@router.post(
    "/screen",
    response_model=ScreenAnswer,
    summary="Screen a name against the watchlists",
    description="Each match says why: the name it resembles, word by word, and the list's version.",
    responses=secured() | responses(ValidationFailed),
    dependencies=ANYONE_KNOWN,
)
async def screen_name(data: ScreenRequest, services: ServicesDep) -> Response:
    return JsonAnswer(await screening.screen(services, data))


@router.post(
    "/screen/batch",
    response_model=BatchAnswer,
    summary="Screen up to 500 names at once",
    description="One answer for each name, as if each had been asked for by itself.",
    responses=secured() | responses(ValidationFailed),
    dependencies=ANYONE_KNOWN,
)
async def screen_names(data: BatchRequest, services: ServicesDep) -> Response:
    return JsonAnswer({"results": await screening.screen_batch(services, data)})


@router.get(
    "/lists",
    summary="The watchlists, and how current each is",
    responses=secured(),
    dependencies=ANYONE_KNOWN,
)
async def list_watchlists(session: Db, services: ServicesDep) -> ListsAnswer:
    now, refreshed = services.clock.now(), frozenset(services.settings.aml_sources)
    rows = await lists.loaded(session)
    return ListsAnswer(lists=[lists.shape_of(row, now, refreshed=refreshed) for row in rows])
