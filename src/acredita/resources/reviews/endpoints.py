"""The queue of verifications that wait for a reviewer."""

from typing import Annotated, Any

from fastapi import Depends, Query, Request
from starlette.responses import Response

from acredita.api.client_address import client_address
from acredita.api.dependencies import Db, ServicesDep
from acredita.api.errors import InvalidCursor, responses
from acredita.api.event_streams import EventStream
from acredita.api.pagination import CursorText, Limit, next_page, window
from acredita.api.permissions import Reviewer
from acredita.api.routing import make_router
from acredita.api.schemas import IdInPath, JsonAnswer
from acredita.api.subscriptions import Subscriptions
from acredita.domain.errors import (
    AlreadyClaimed,
    FilterExists,
    NotInReview,
    TooManyFilters,
    TooManyStreams,
)
from acredita.kit.rate_limit_address import counted_as
from acredita.resources.reviews import cases, filters, queries, service
from acredita.resources.reviews.queries import Filters, Sort
from acredita.resources.reviews.schemas import (
    MOST_AGE_HOURS,
    Assignee,
    FilterAnswer,
    FilterList,
    FilterShape,
    FilterWrite,
    NextWrite,
    ReviewerList,
    ReviewItem,
    ReviewPage,
    ReviewQueueList,
)
from acredita.resources.reviews.stream import messages
from acredita.resources.users.reviewers import list_reviewers as find_reviewers
from acredita.resources.users.schemas import HandOver

router = make_router("/v1/reviews", tag="Reviews")

EVENTS: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The stream of events.",
        "content": {
            "text/event-stream": {
                "schema": {"type": "string"},
                "example": 'event: queue\ndata: {"total":12}\n\n',
            }
        },
    }
}
NONE_WAITS: dict[int | str, dict[str, Any]] = {
    200: {"model": ReviewItem, "description": "The verification, which the caller now holds."},
    204: {"description": "No verification waits that matches."},
}


async def _filters(
    workflow_id: Annotated[str | None, Query(alias="workflowId", max_length=36)] = None,
    reason: Annotated[str | None, Query(max_length=100, description="A reason code.")] = None,
    queue: Annotated[
        str | None, Query(max_length=64, description="A queue that policies name.")
    ] = None,
    assignee: Annotated[
        str | None, Query(max_length=36, description="me, none, or a user's id.")
    ] = None,
    min_age_hours: Annotated[
        float | None,
        Query(
            alias="minAgeHours",
            ge=0,
            le=MOST_AGE_HOURS,
            description="Only verifications that have waited this long.",
        ),
    ] = None,
    overdue: Annotated[
        bool | None, Query(description="true: only verifications whose deadline has passed.")
    ] = None,
    sort: Annotated[Sort, Query(description="By the time since when they wait.")] = "oldest",
) -> Filters:
    return Filters(workflow_id, reason, queue, assignee, min_age_hours, overdue or False, sort)


@router.get(
    "",
    response_model=ReviewPage,
    summary="List the verifications that wait for a reviewer",
    responses=responses(InvalidCursor),
    response_model_exclude_unset=True,
)
async def list_reviews(
    caller: Reviewer,
    services: ServicesDep,
    wanted: Annotated[Filters, Depends(_filters)],
    limit: Limit = 50,
    cursor: CursorText = None,
) -> Response:
    """A verification is in the queue while its status is MANUAL_REVIEW, also while a reviewer holds
    it. Its deadline is `reviewSlaHours` of the organization after `waitingSince`.
    """
    asked = window(limit, 0, cursor, "reviews", caller.id, wanted)
    now = services.clock.now()
    total, items, last = await queries.page(services.reads, caller, wanted, asked, now)
    following = next_page(asked, total, last)
    answer: dict[str, Any] = {"items": items, "total": total}
    if following:
        answer["nextCursor"] = following["next_cursor"]
    return JsonAnswer(answer)


@router.get("/queues", response_model=ReviewQueueList, summary="List the queues that policies name")
async def list_review_queues(caller: Reviewer, services: ServicesDep) -> Response:
    """Those in which verifications wait, by name, at most 200."""
    return JsonAnswer({"queues": await queries.queues(services.reads, caller.organization_id)})


@router.get(
    "/events",
    summary="Stream changes of the review queue",
    response_class=Response,
    responses=EVENTS | responses(TooManyStreams),
)
async def watch_reviews(caller: Reviewer, services: ServicesDep, request: Request) -> Response:
    """Server-sent events. `queue` comes at once, and whenever a verification enters or leaves the
    queue, or is claimed, released or handed over; `data` has the number that waits. Read the queue
    again then. A comment comes at least every 16 seconds. The stream ends after five minutes;
    browsers then reconnect on their own.
    """
    subscriptions: Subscriptions = request.app.state.subscriptions
    mine = caller.organization_id
    address = counted_as(client_address(request, services.settings))
    return EventStream(
        subscriptions.subscribe(cases.channel_of(mine), mine, address, most=None),
        lambda subscription: messages(services.reads, mine, subscription),
    )


@router.post(
    "/next",
    response_model=ReviewItem,
    summary="Claim the next verification that waits",
    responses=NONE_WAITS,
)
async def take_next_review(
    data: NextWrite, caller: Reviewer, services: ServicesDep, session: Db
) -> Response:
    """Claims the first verification that nobody holds and that matches. Two reviewers never get the
    same one. Verifications that the caller has proposed a decision for wait for another reviewer.
    """
    item = await service.take_next(
        session, services.clock, services.settings, caller, data.filters()
    )
    return Response(status_code=204) if item is None else JsonAnswer(item)


@router.get("/filters", summary="List the filters that the caller saved")
async def list_review_filters(caller: Reviewer, session: Db) -> FilterList:
    """By name. Each user has filters of their own."""
    rows = await filters.list_all(session, caller)
    return FilterList(
        filters=[FilterShape.model_validate(row, from_attributes=True) for row in rows]
    )


@router.post(
    "/filters",
    status_code=201,
    summary="Save filters under a name",
    responses=responses(FilterExists, TooManyFilters),
)
async def save_review_filter(data: FilterWrite, caller: Reviewer, session: Db) -> FilterAnswer:
    """Only signed-in users save filters, at most 50 each."""
    row = await filters.add(session, caller, data)
    return FilterAnswer(filter=FilterShape.model_validate(row, from_attributes=True))


@router.delete(
    "/filters/{id}", status_code=204, response_class=Response, summary="Delete a saved filter"
)
async def delete_review_filter(id: IdInPath, caller: Reviewer, session: Db) -> None:
    """A user deletes only filters of their own."""
    await filters.remove(session, caller, id)


@router.get("/reviewers", summary="List who may review")
async def list_reviewers(caller: Reviewer, session: Db) -> ReviewerList:
    """The active users to whom a verification or a match can be handed over, by name."""
    return ReviewerList(
        reviewers=[
            Assignee(id=user_id, name=name)
            for user_id, name in await find_reviewers(session, caller)
        ]
    )


@router.post(
    "/{id}/claim",
    response_model=ReviewItem,
    summary="Claim a verification",
    responses=responses(NotInReview, AlreadyClaimed),
)
async def claim_review(
    id: IdInPath, caller: Reviewer, services: ServicesDep, session: Db
) -> Response:
    """The caller holds it for `ACREDITA_REVIEW_LEASE_MINUTES`: no other user claims or decides it.
    Repeat the request while the reviewer works: it renews the lease, as a note does. A decision
    ends it.
    """
    return JsonAnswer(await service.claim(session, services.clock, services.settings, caller, id))


@router.post(
    "/{id}/release",
    status_code=204,
    response_class=Response,
    summary="Release a verification",
    responses=responses(NotInReview, AlreadyClaimed),
)
async def release_review(
    id: IdInPath, caller: Reviewer, services: ServicesDep, session: Db
) -> None:
    """Others can claim it at once. An ADMIN releases what another reviewer holds."""
    await service.release(session, services.clock, caller, id)


@router.post(
    "/{id}/hand-over",
    response_model=ReviewItem,
    summary="Hand a verification over to another user",
    responses=responses(NotInReview, AlreadyClaimed),
)
async def hand_over_review(
    id: IdInPath, data: HandOver, caller: Reviewer, services: ServicesDep, session: Db
) -> Response:
    """The user must be active and may review. The user then holds it. An ADMIN also hands over what
    another reviewer holds.
    """
    item = await service.hand_over(
        session, services.clock, services.settings, caller, id, data.user_id
    )
    return JsonAnswer(item)
