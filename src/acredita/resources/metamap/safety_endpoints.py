from typing import Annotated

from starlette.responses import Response

from acredita.api.dependencies import ServicesDep
from acredita.api.metamap import BadRequest, responses
from acredita.api.permissions import Require
from acredita.api.schemas import JsonAnswer
from acredita.domain.caller import Caller
from acredita.domain.errors import ValidationFailed
from acredita.domain.roles import Role
from acredita.resources.aml.screening.service import screen_recorded
from acredita.resources.metamap import watchlist_checks
from acredita.resources.metamap.routing import BODY, SECURED
from acredita.resources.metamap.routing import router as make_router
from acredita.resources.metamap.schemas import WatchlistAnswer, WatchlistCheck

router = make_router()


@router.post(
    "/safety/v1/checks/comply-advantage",
    summary="Screen a name against the watchlists, outside of any verification",
    description=(
        "All loaded lists are screened. `profileUrl` is the record of the screening in /v1. For"
        " monitoring, use POST /v1/aml/monitor, which needs a verification."
    ),
    response_model=WatchlistAnswer,
    responses=SECURED | BODY | responses(ValidationFailed),
    name="check_metamap_watchlists",
)
async def check_watchlists(
    data: WatchlistCheck, caller: Annotated[Caller, Require(Role.MEMBER)], services: ServicesDep
) -> Response:
    if data.monitor:
        raise BadRequest("Monitoring needs a verification: use POST /v1/aml/monitor")
    request = watchlist_checks.screening_of(data)
    screened = await screen_recorded(services, services.screener, caller, request)
    return JsonAnswer(watchlist_checks.answer(data, screened, services.settings.public_url))
