from typing import Annotated

from fastapi import Path, Query
from sqlalchemy.ext.asyncio import AsyncSession
from starlette.responses import Response

from acredita.api.dependencies import Db, ListReader, ServicesDep
from acredita.api.errors import InvalidCursor, responses
from acredita.api.pagination import CursorText, Limit, Offset, Pagination, next_page, window
from acredita.api.permissions import Member, Require, Reviewer
from acredita.api.routing import file_of, make_router
from acredita.api.schemas import ClientTime, IdInPath, JsonAnswer
from acredita.domain.errors import (
    ClaimedByAnother,
    IdempotencyConflict,
    MatchChanged,
    NotFound,
    SecondReviewerNeeded,
)
from acredita.domain.roles import Role
from acredita.models import AskerType, MonitorState, Outcome
from acredita.resources.aml.entries import forms
from acredita.resources.aml.entries.schemas import EntriesAnswer, EntryAnswer, EntryIdInPath
from acredita.resources.aml.lists import queries as lists
from acredita.resources.aml.lists.schemas import ListsAnswer, ListsHealth
from acredita.resources.aml.monitors import listing, reviewing
from acredita.resources.aml.monitors import service as monitoring
from acredita.resources.aml.monitors.schemas import (
    MatchUpdate,
    MonitoringAnswer,
    MonitorMatchShape,
    MonitorPage,
    MonitorRequest,
    MonitorShape,
    MonitorSummary,
)
from acredita.resources.aml.screening import records
from acredita.resources.aml.screening import service as screening
from acredita.resources.aml.screening.certificate import certificate
from acredita.resources.aml.screening.record_schemas import (
    ScreeningPage,
    ScreeningShape,
    ScreeningSummary,
)
from acredita.resources.aml.screening.schemas import (
    BatchAnswer,
    BatchRequest,
    FullName,
    ScreenAnswer,
    ScreenRequest,
)
from acredita.resources.idempotency.requests import RepeatableDep
from acredita.resources.idempotency.service import Answer

router = make_router("/v1/aml", tag="Watchlists")
CERTIFICATE = file_of("application/pdf", "The certificate.")
# Watchlists belong to no organization: any authenticated caller gets the same answer.
ANYONE_KNOWN = [Require(Role.MEMBER)]


@router.post(
    "/screen",
    response_model=ScreenAnswer,
    summary="Screen a name against the watchlists",
    responses=responses(NotFound),
)
async def screen_name(data: ScreenRequest, caller: Member, services: ServicesDep) -> Response:
    """Each match has an explanation, word by word, and the version of its list. `GET
    /v1/aml/screenings/{screeningId}` returns question and answer as evidence.
    """
    return JsonAnswer(await screening.screen_recorded(services, services.screener, caller, data))


@router.post(
    "/screen/batch",
    response_model=BatchAnswer,
    summary="Screen up to 500 names at once",
    responses=responses(NotFound),
)
async def screen_names(data: BatchRequest, caller: Member, services: ServicesDep) -> Response:
    """The result of each name is the same as that of a single request, with a record of its own."""
    results = await screening.screen_batch(services, services.screener, caller, data)
    return JsonAnswer({"results": results})


@router.get(
    "/screenings",
    summary="List the records of screenings, newest first",
    responses=responses(InvalidCursor),
    response_model_exclude_unset=True,
)
async def list_screenings(
    caller: Member,
    reader: ListReader,
    screened_from: Annotated[ClientTime | None, Query(alias="screenedFrom")] = None,
    screened_before: Annotated[ClientTime | None, Query(alias="screenedBefore")] = None,
    has_matches: Annotated[bool | None, Query(alias="hasMatches")] = None,
    verification_id: Annotated[str | None, Query(alias="verificationId", max_length=255)] = None,
    caller_type: Annotated[
        AskerType | None,
        Query(alias="callerType", description="client and user ask by the API."),
    ] = None,
    limit: Limit = 50,
    offset: Offset = 0,
    cursor: CursorText = None,
) -> ScreeningPage:
    """The list names no person. A record by its id has the question and the answer."""
    filters = records.Filters(
        screened_from, screened_before, has_matches, verification_id, caller_type
    )
    asked = window(limit, offset, cursor, "screenings", filters)
    total, found = await records.page(reader, caller, filters, asked)
    shown, has_more = found[:limit], len(found) > limit
    last = (shown[-1]["created_at"], shown[-1]["id"]) if has_more else None
    return ScreeningPage(
        **next_page(asked, total, last),
        screenings=[ScreeningSummary.model_validate(records.summary_of(row)) for row in shown],
        pagination=Pagination.for_window(asked, total=total, has_more=has_more),
    )


@router.get(
    "/screenings/{id}", response_model=ScreeningShape, summary="Get the record of a screening"
)
async def get_screening(
    id: IdInPath, caller: Member, session: Db, services: ServicesDep
) -> Response:
    """The audit log records every access."""
    return JsonAnswer(await records.view(session, services.keys, caller, id))


@router.get(
    "/screenings/{id}/certificate",
    response_class=Response,
    summary="Download the certificate of a screening",
    responses=CERTIFICATE,
)
async def get_certificate(id: IdInPath, caller: Member, services: ServicesDep) -> Response:
    """A PDF of one page in Spanish, sealed with PAdES: who was screened, when, against which
    versions of the lists, and the result, also of a clean screening. The record is attached as
    `consulta.json`. Without a certificate of the installation the page says that it is not signed.
    The audit log records every download.
    """
    content = await certificate(services, caller, id)
    name = f'attachment; filename="{id}.pdf"'
    headers = {"Cache-Control": "no-store", "Content-Disposition": name}
    return Response(content, media_type="application/pdf", headers=headers)


@router.get(
    "/entries",
    response_model=EntriesAnswer,
    summary="Find entries of the watchlists by a name",
    dependencies=ANYONE_KNOWN,
)
async def find_entries(
    name: Annotated[FullName, Query(description="A name of the person or firm, in any order.")],
    services: ServicesDep,
) -> Response:
    """To look something up. It screens nobody: it makes no record and no match to review."""
    return JsonAnswer(await screening.find_entries(services.reads, services.screener, name))


@router.get(
    "/entries/{id}",
    response_model=EntryAnswer,
    summary="Get an entry of a watchlist with its history",
    dependencies=ANYONE_KNOWN,
)
async def get_entry(id: EntryIdInPath, session: Db) -> Response:
    """`history` has each form of the entry and the versions of the list that had it. `sources`
    names the entries of other lists about the same person or firm.
    """
    return JsonAnswer({"entry": await forms.view(session, id)})


@router.get(
    "/lists", summary="List the watchlists and their refresh status", dependencies=ANYONE_KNOWN
)
async def list_watchlists(session: Db, services: ServicesDep) -> ListsAnswer:
    """`id` is what the screening's `lists` takes. A list that could not be refreshed keeps its last
    version.
    """
    now, refreshed = services.clock.now(), frozenset(services.settings.aml_sources)
    rows = await lists.loaded(session)
    return ListsAnswer(lists=[lists.shape_of(row, now, refreshed=refreshed) for row in rows])


@router.get(
    "/health", summary="Get the age of the watchlists and of their index", dependencies=ANYONE_KNOWN
)
async def lists_health(session: Db, services: ServicesDep) -> ListsHealth:
    """`degraded` if a list is stale, missing, or not in the index yet."""
    refreshed = frozenset(services.settings.aml_sources)
    return await lists.health(session, services.clock.now(), refreshed=refreshed)


@router.post(
    "/monitor",
    response_model=MonitoringAnswer,
    summary="Start or stop the monitor of a verification's person",
    responses=responses(NotFound, IdempotencyConflict),
)
async def switch_monitor(
    data: MonitorRequest, caller: Member, services: ServicesDep, repeatable: RepeatableDep
) -> Response:
    """An active monitor screens the name every 24 hours for 90 days, and when a change of a list
    may concern the name. An `aml.match` event reports new matches and matches whose score rose by
    at least 0.05.
    """
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
    "/monitors",
    summary="List the monitors, newest first",
    responses=responses(InvalidCursor),
    response_model_exclude_unset=True,
)
async def list_monitors(
    caller: Member,
    reader: ListReader,
    state: Annotated[
        MonitorState | None, Query(description="active, disabled, or ended after 90 days.")
    ] = None,
    outcome: Annotated[
        Outcome | None, Query(description="hit: at least one match is open.")
    ] = None,
    limit: Limit = 50,
    offset: Offset = 0,
    cursor: CursorText = None,
) -> MonitorPage:
    """The list names no person. A monitor by its verification has the person."""
    filters = listing.Filters(state, outcome)
    asked = window(limit, offset, cursor, "monitors", filters)
    total, found = await listing.page(reader, caller, filters, asked)
    shown, has_more = found[:limit], len(found) > limit
    last = (shown[-1]["created_at"], shown[-1]["id"]) if has_more else None
    return MonitorPage(
        **next_page(asked, total, last),
        monitors=[MonitorSummary.model_validate(dict(row)) for row in shown],
        pagination=Pagination.for_window(asked, total=total, has_more=has_more),
    )


@router.get("/monitor/{verificationId}", summary="Get a monitor with its matches and history")
async def get_monitor(
    verification_id: Annotated[IdInPath, Path(alias="verificationId")],
    caller: Member,
    session: Db,
    services: ServicesDep,
) -> MonitorShape:
    """A monitor screens the person of a verification again each day for 90 days, and when a list
    changes.
    """
    return await reviewing.show(session, services.keys, caller, verification_id)


@router.patch(
    "/monitor/{verificationId}/matches/{id}",
    summary="Dismiss or restore a match",
    responses=responses(SecondReviewerNeeded, ClaimedByAnother, MatchChanged),
)
async def review_match(
    verification_id: Annotated[IdInPath, Path(alias="verificationId")],
    id: IdInPath,
    data: MatchUpdate,
    caller: Reviewer,
    session: Db,
    services: ServicesDep,
) -> MonitorMatchShape:
    """A dismissed match causes no more events until its entry changes. Each call replaces the
    notes. The same as a false hit of POST /v1/aml/matches/{matchId}/review; refused if the
    organization requires two reviewers.
    """
    return await reviewing.review(
        session, services.clock, services.keys, caller, verification_id, id, data
    )
