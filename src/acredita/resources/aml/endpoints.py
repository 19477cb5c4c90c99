from typing import Annotated

from fastapi import Path
from sqlalchemy.ext.asyncio import AsyncSession
from starlette.responses import Response

from acredita.api.dependencies import Db, ServicesDep
from acredita.api.errors import responses
from acredita.api.permissions import Require
from acredita.api.routing import router as make_router
from acredita.api.routing import secured
from acredita.api.schemas import IdInPath, JsonAnswer
from acredita.domain.caller import Caller
from acredita.domain.errors import IdempotencyConflict, NotFound, ValidationFailed
from acredita.domain.roles import Role
from acredita.resources.aml.lists import queries as lists
from acredita.resources.aml.lists.schemas import ListsAnswer
from acredita.resources.aml.monitors import reviewing
from acredita.resources.aml.monitors import service as monitoring
from acredita.resources.aml.monitors.schemas import (
    MatchUpdate,
    MonitoringAnswer,
    MonitorMatchShape,
    MonitorRequest,
    MonitorShape,
)
from acredita.resources.aml.screening import service as screening
from acredita.resources.aml.screening.schemas import (
    BatchAnswer,
    BatchRequest,
    ScreenAnswer,
    ScreenRequest,
)
from acredita.resources.idempotency.requests import RepeatableDep
from acredita.resources.idempotency.service import Answer

router = make_router("/v1/aml", tag="Watchlists")
# Watchlists belong to no organization: any authenticated caller gets the same answer.
ANYONE_KNOWN = [Require(Role.MEMBER)]


@router.post(
    "/screen",
    response_model=ScreenAnswer,
    summary="Screen a name against the watchlists",
    description="Each match has an explanation, word by word, and the version of its list.",
    responses=secured() | responses(ValidationFailed),
    dependencies=ANYONE_KNOWN,
)
async def screen_name(data: ScreenRequest, services: ServicesDep) -> Response:
    return JsonAnswer(await screening.screen(services.reads, services.screener, data))


@router.post(
    "/screen/batch",
    response_model=BatchAnswer,
    summary="Screen up to 500 names at once",
    description="The result of each name is the same as that of a single request.",
    responses=secured() | responses(ValidationFailed),
    dependencies=ANYONE_KNOWN,
)
async def screen_names(data: BatchRequest, services: ServicesDep) -> Response:
    return JsonAnswer(
        {"results": await screening.screen_batch(services.reads, services.screener, data)}
    )


@router.get(
    "/lists",
    summary="List the watchlists and their refresh status",
    description=(
        "`id` is what the screening's `lists` takes. A list that could not be refreshed "
        "keeps its last version."
    ),
    responses=secured(),
    dependencies=ANYONE_KNOWN,
)
async def list_watchlists(session: Db, services: ServicesDep) -> ListsAnswer:
    now, refreshed = services.clock.now(), frozenset(services.settings.aml_sources)
    rows = await lists.loaded(session)
    return ListsAnswer(lists=[lists.shape_of(row, now, refreshed=refreshed) for row in rows])


@router.post(
    "/monitor",
    response_model=MonitoringAnswer,
    summary="Start or stop the monitor of a verification's person",
    description=(
        "An active monitor screens the name every 24 hours for 90 days, and when a change of a "
        "list may concern the name. An `aml.match` event reports new matches and matches whose "
        "score rose by at least 0.05."
    ),
    responses=secured() | responses(NotFound, IdempotencyConflict, ValidationFailed),
)
async def switch_monitor(
    data: MonitorRequest,
    caller: Annotated[Caller, Require(Role.MEMBER)],
    services: ServicesDep,
    repeatable: RepeatableDep,
) -> Response:
    if (first := await repeatable.first_answer()) is not None:
        return first

    async def switch(session: AsyncSession) -> Answer:
        verification_id, message = await monitoring.switch(
            session, services.clock, services.keys, caller, data
        )
        answer = MonitoringAnswer(
            verification_id=verification_id, monitoring=data.enabled, message=message
        )
        return Answer(answer.model_dump_json(by_alias=True), 200, {})

    return await repeatable.answer_within(switch)


@router.get(
    "/monitor/{verificationId}",
    summary="Get a monitor with its matches and history",
    description=(
        "A monitor screens the person of a verification again each day for 90 days, and "
        "when a list changes."
    ),
    responses=secured() | responses(NotFound),
)
async def get_monitor(
    verification_id: Annotated[IdInPath, Path(alias="verificationId")],
    caller: Annotated[Caller, Require(Role.MEMBER)],
    session: Db,
    services: ServicesDep,
) -> MonitorShape:
    return await reviewing.show(session, services.keys, caller, verification_id)


@router.patch(
    "/monitor/{verificationId}/matches/{id}",
    summary="Dismiss or restore a match",
    description=(
        "A dismissed match causes no more events until its entry changes. Each call replaces the "
        "notes."
    ),
    responses=secured() | responses(NotFound, ValidationFailed),
)
async def review_match(
    verification_id: Annotated[IdInPath, Path(alias="verificationId")],
    id: IdInPath,  # noqa: A002 (the name of the path parameter)
    data: MatchUpdate,
    caller: Annotated[Caller, Require(Role.REVIEWER)],
    session: Db,
    services: ServicesDep,
) -> MonitorMatchShape:
    return await reviewing.review(
        session, services.clock, services.keys, caller, verification_id, id, data
    )
