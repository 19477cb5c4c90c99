"""The queue of matches, and reviewers' decisions about them."""

from typing import Annotated, Any

from fastapi import Query
from starlette.responses import Response

from acredita.api.dependencies import Db, ListReader, ServicesDep
from acredita.api.errors import InvalidCursor, responses
from acredita.api.pagination import CursorText, Limit, Offset, Pagination, next_page, window
from acredita.api.permissions import Member, Reviewer
from acredita.api.routing import make_router
from acredita.api.schemas import IdInPath, JsonAnswer
from acredita.domain.errors import (
    ClaimedByAnother,
    MatchChanged,
    NoProposal,
    SecondReviewerNeeded,
)
from acredita.models import HitState
from acredita.resources.aml.reviews import service
from acredita.resources.aml.reviews.schemas import (
    Assigned,
    HitAnswer,
    HitPage,
    HitSummary,
    ReviewRequest,
    SecondDecision,
)
from acredita.resources.users.schemas import HandOver

router = make_router("/v1/aml/matches", tag="Watchlists")


@router.get(
    "",
    summary="List matches that wait for a review, newest first",
    responses=responses(InvalidCursor),
    response_model_exclude_unset=True,
)
async def list_matches(
    caller: Member,
    reader: ListReader,
    services: ServicesDep,
    state: HitState | None = None,
    list_id: Annotated[str | None, Query(alias="list", max_length=50)] = None,
    assigned: Annotated[
        Assigned | None, Query(description="Who holds it: me, nobody, anybody, or a user's id.")
    ] = None,
    has_proposal: Annotated[bool | None, Query(alias="hasProposal")] = None,
    external_id: Annotated[str | None, Query(alias="externalId", max_length=255)] = None,
    verification_id: Annotated[str | None, Query(alias="verificationId", max_length=255)] = None,
    limit: Limit = 50,
    offset: Offset = 0,
    cursor: CursorText = None,
) -> HitPage:
    """Matches of screenings, monitors and steps. Without `state`: those that are open or need
    information. The list names no customer.
    """
    states = () if state is None else (state.value,)
    filters = service.Filters(states, list_id, assigned, has_proposal, external_id, verification_id)
    asked = window(limit, offset, cursor, "matches", caller.id, filters)
    now = services.clock.now()
    total, found = await service.page(reader, services.signer, caller, filters, asked, now)
    shown, has_more = found[:limit], len(found) > limit
    last = (shown[-1].opened_at, shown[-1].id) if has_more else None
    return HitPage(
        **next_page(asked, total, last),
        matches=[
            HitSummary.model_validate(service.summary_of(row, row.list_id, row.entry_name, now))
            for row in shown
        ],
        pagination=Pagination.for_window(asked, total=total, has_more=has_more),
    )


def _answer(match: dict[str, Any]) -> Response:
    return JsonAnswer({"match": match})


@router.get(
    "/{id}", response_model=HitAnswer, summary="Get a match with its person, entry and reviews"
)
async def get_match(id: IdInPath, caller: Member, session: Db, services: ServicesDep) -> Response:
    """The audit log records every access."""
    return _answer(await service.view(session, services, caller, id))


@router.post(
    "/{id}/review",
    response_model=HitAnswer,
    summary="Decide whether a match is the same person",
    responses=responses(SecondReviewerNeeded, ClaimedByAnother, MatchChanged),
)
async def review(
    id: IdInPath, data: ReviewRequest, caller: Reviewer, session: Db, services: ServicesDep
) -> Response:
    """A false hit is remembered for this customer and entry in screenings, batches, monitors and
    steps, until the entry or the person changes. If the organization requires two reviewers, a true
    or false hit is a proposal until another user confirms it. Refused if the entry or the person
    changed after you read the match.
    """
    return _answer(await service.review(session, services, caller, id, data))


@router.post(
    "/{id}/proposal/confirm",
    response_model=HitAnswer,
    summary="Confirm another reviewer's proposal about a match",
    responses=responses(SecondReviewerNeeded, NoProposal),
)
async def confirm(
    id: IdInPath, data: SecondDecision, caller: Reviewer, session: Db, services: ServicesDep
) -> Response:
    """The proposed decision takes effect. Only a signed-in user confirms it."""
    return _answer(await service.confirm(session, services, caller, id, data))


@router.post(
    "/{id}/proposal/decline",
    response_model=HitAnswer,
    summary="Decline another reviewer's proposal about a match",
    responses=responses(SecondReviewerNeeded, NoProposal),
)
async def decline(
    id: IdInPath, data: SecondDecision, caller: Reviewer, session: Db, services: ServicesDep
) -> Response:
    """The match keeps its state. Only a signed-in user declines it."""
    return _answer(await service.decline(session, services, caller, id, data))


@router.post(
    "/{id}/claim",
    response_model=HitAnswer,
    summary="Take a match from the queue",
    responses=responses(ClaimedByAnother),
)
async def claim(id: IdInPath, caller: Reviewer, session: Db, services: ServicesDep) -> Response:
    """Only the caller reviews it then, until a decision or a release."""
    return _answer(await service.claim(session, services, caller, id))


@router.post(
    "/{id}/hand-over",
    response_model=HitAnswer,
    summary="Hand a match over to another user",
    responses=responses(ClaimedByAnother),
)
async def hand_over(
    id: IdInPath, data: HandOver, caller: Reviewer, session: Db, services: ServicesDep
) -> Response:
    """Assigns it: only this user reviews it, until a decision, a release or another hand-over. The
    user must be active and may review (GET /v1/reviews/reviewers). An administrator also hands over
    what another reviewer holds.
    """
    return _answer(await service.hand_over(session, services, caller, id, data.user_id))


@router.post(
    "/{id}/release",
    response_model=HitAnswer,
    summary="Return a match to the queue",
    responses=responses(ClaimedByAnother),
)
async def release(id: IdInPath, caller: Reviewer, session: Db, services: ServicesDep) -> Response:
    """An administrator releases any reviewer's match."""
    return _answer(await service.release(session, services, caller, id))
