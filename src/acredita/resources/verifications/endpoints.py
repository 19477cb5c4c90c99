from typing import Annotated

from fastapi import Query
from starlette.requests import Request
from starlette.responses import Response

from acredita.api.client_address import client_address
from acredita.api.dependencies import Db, ServicesDep, lists_of
from acredita.api.errors import InvalidCursor, responses
from acredita.api.pagination import CursorText, Limit, Offset, Pagination, window
from acredita.api.permissions import Member, Reviewer
from acredita.api.routing import file_of, make_router
from acredita.api.schemas import ClientTime, IdInPath, JsonAnswer
from acredita.domain.errors import (
    AlreadyClaimed,
    FeatureOff,
    Forbidden,
    IdempotencyConflict,
    NoProposal,
    NotFound,
    NothingToReplay,
    NothingToRunAgain,
    SecondReviewerNeeded,
    StatusChanged,
    WorkflowInactive,
)
from acredita.domain.roles import Role
from acredita.domain.verification import VerificationStatus
from acredita.kit.db import Statements
from acredita.resources.idempotency.requests import RepeatableDep
from acredita.resources.idempotency.service import Answer
from acredita.resources.organizations.masking import reveals_masked
from acredita.resources.verifications import (
    creation,
    history_page,
    listing,
    read_again,
    record_keeping,
)
from acredita.resources.verifications.case.masking import case_view
from acredita.resources.verifications.evidence.zip_file import evidence_file
from acredita.resources.verifications.override import confirm, decline, override
from acredita.resources.verifications.replay import replay
from acredita.resources.verifications.request_schemas import (
    NoteCreate,
    ReplayRequest,
    SecondReview,
    StatusChange,
    VerificationCreate,
    VerificationUpdate,
)
from acredita.resources.verifications.run_again import run_again
from acredita.resources.verifications.schemas import (
    AddedNote,
    ChangedVerificationAnswer,
    CreatedVerificationAnswer,
    HistoryPage,
    ProposedDecision,
    Replay,
    RequestedReading,
    ShownSignals,
    UpdatedVerificationAnswer,
    VerificationAnswer,
    VerificationPage,
)
from acredita.resources.webhooks.service import check_target

router = make_router("/v1/verifications", tag="Verifications")

EVIDENCE = file_of("application/zip", "The evidence file.")


@router.post(
    "",
    response_model=CreatedVerificationAnswer,
    status_code=201,
    summary="Create a verification",
    responses=responses(NotFound, FeatureOff, WorkflowInactive, IdempotencyConflict),
)
async def create_verification(
    data: VerificationCreate,
    caller: Member,
    services: ServicesDep,
    request: Request,
    repeatable: RepeatableDep,
) -> Response:
    """Responds immediately. The checks run when the documents are uploaded. With `capture`, the
    response has a link: send the person there, and the page asks for everything. The browser flow
    of such a verification requires a session token, which the link opens.
    """
    if (first := await repeatable.first_answer()) is not None:
        return first
    if data.callback_url is not None:
        await check_target(services.http, data.callback_url, field="callbackUrl")
    link = await creation.prepare_link(services, caller, data.capture)

    async def create(statements: Statements) -> Answer:
        ip_address = client_address(request, services.settings)
        created = await creation.create(
            statements, services, caller, data, ip_address=ip_address, link=link
        )
        body = CreatedVerificationAnswer(verification=created).model_dump_json(by_alias=True)
        return Answer(body, 201, {"Location": f"/v1/verifications/{created.id}"})

    return await repeatable.answer(create)


@router.get(
    "",
    response_model=VerificationPage,
    summary="List the organization's verifications, newest first",
    responses=responses(InvalidCursor),
)
async def list_verifications(
    request: Request,
    caller: Member,
    services: ServicesDep,
    status: VerificationStatus | None = None,
    limit: Limit = 20,
    offset: Offset = 0,
    cursor: CursorText = None,
    search: Annotated[
        str, Query(max_length=255, description=("The text to search for. It has no wildcards."))
    ] = "",
    created_from: Annotated[
        ClientTime | None,
        Query(alias="createdFrom", description="The earliest creation time, inclusive."),
    ] = None,
    created_before: Annotated[
        ClientTime | None,
        Query(alias="createdBefore", description="The end of the period, exclusive."),
    ] = None,
) -> Response:
    """`search` searches external ids and metadata values, case-insensitive, the words of the names
    on documents, the last one also by its first three to ten letters, and finds a whole CURP, RFC,
    phone number or e-mail address. Of a text that many verifications have, it counts the newest
    8,000 verifications of the list: then `totalIsExact` is false. If these have few or none, a page
    can be empty, and `nextCursor` goes on after them. For one or two letters it looks through these
    alone, and at whole words of names. `createdFrom` and `createdBefore` limit the list to a
    period.
    """
    filters = listing.Filters(status, search, created_from, created_before)
    return JsonAnswer(
        await listing.page(
            lists_of(request),
            services.signer,
            caller,
            filters=filters,
            window=window(limit, offset, cursor, "verifications", filters),
        )
    )


@router.get(
    "/{id}",
    response_model=VerificationAnswer,
    summary="Get a verification with its steps, documents and extracted fields",
)
async def get_verification(
    id: IdInPath,
    caller: Member,
    services: ServicesDep,
    signals: Annotated[
        ShownSignals,
        Query(
            description="raised: only the raised signals; all: also the others.", examples=["all"]
        ),
    ] = "raised",
) -> Response:
    """Poll this endpoint to learn the result. `signals` in the result of a step lists the raised
    signals of altered documents and bad images; with `signals=all`, all that were measured. For
    users of an organization with `revealsOnDemand`, `masked` names what is masked: values are
    `•••`, other personal data null, and pictures without a link, until `POST
    /v1/verifications/{id}/reveal`.
    """
    return JsonAnswer(await case_view(services, caller, id, signals))


@router.patch(
    "/{id}/status",
    response_model=ChangedVerificationAnswer,
    summary="Decide a verification manually",
    responses=responses(AlreadyClaimed, StatusChanged, SecondReviewerNeeded)
    | {
        202: {
            "model": ProposedDecision,
            "description": "The organization requires two reviewers: the decision is proposed.",
        }
    },
)
async def change_status(
    id: IdInPath, data: StatusChange, caller: Reviewer, session: Db, services: ServicesDep
) -> Response:
    """Works from any status, including the current one. Ends the run: unfinished steps are skipped.
    Refused while another reviewer holds the verification in the review queue; API keys decide at
    any time.
    """
    changed = await override(session, services, caller, id, data)
    if isinstance(changed, ProposedDecision):
        return JsonAnswer(changed.model_dump(mode="json", by_alias=True), 202)
    answer = ChangedVerificationAnswer(verification=changed)
    return JsonAnswer(answer.model_dump(mode="json", by_alias=True))


@router.post(
    "/{id}/proposal/confirm",
    summary="Confirm another reviewer's proposed decision",
    responses=responses(NoProposal, AlreadyClaimed, SecondReviewerNeeded),
)
async def confirm_decision(
    id: IdInPath, data: SecondReview, caller: Reviewer, session: Db, services: ServicesDep
) -> ChangedVerificationAnswer:
    """For organizations with `requiresSecondReviewer`. The proposer cannot confirm."""
    return ChangedVerificationAnswer(
        verification=await confirm(session, services, caller, id, data)
    )


@router.post(
    "/{id}/proposal/decline",
    summary="Decline another reviewer's proposed decision",
    responses=responses(NoProposal, AlreadyClaimed, SecondReviewerNeeded),
)
async def decline_decision(
    id: IdInPath, data: SecondReview, caller: Reviewer, session: Db, services: ServicesDep
) -> ChangedVerificationAnswer:
    """The status stays. The proposer can propose another decision instead."""
    return ChangedVerificationAnswer(
        verification=await decline(session, services, caller, id, data)
    )


@router.patch("/{id}", summary="Set the end of the relationship with the person")
async def update_verification(
    id: IdInPath, data: VerificationUpdate, caller: Reviewer, session: Db
) -> UpdatedVerificationAnswer:
    """An absent field stays unchanged."""
    return UpdatedVerificationAnswer(
        verification=await record_keeping.update(session, caller, id, data)
    )


@router.post("/{id}/notes", status_code=201, summary="Add a note to a verification's history")
async def add_note(
    id: IdInPath, data: NoteCreate, caller: Reviewer, session: Db, services: ServicesDep
) -> AddedNote:
    """Notes cannot be changed. They are deleted with the person's data."""
    return await record_keeping.add_note(session, services, caller, id, data)


@router.post(
    "/{id}/replay",
    summary="Evaluate today's rules on a verification's stored evidence",
    responses=responses(NothingToReplay),
)
async def replay_verification(
    id: IdInPath,
    caller: Reviewer,
    session: Db,
    services: ServicesDep,
    data: ReplayRequest | None = None,
) -> Replay:
    """Changes nothing. Compares the decision with the stored one. Without a body, what decides the
    workflow's verifications today is evaluated; with `policyId`, a policy is tried, also as a
    draft. The judging is replayed, not the reading of the images.
    """
    return await replay(session, services.keys, caller, id, data or ReplayRequest())


@router.post(
    "/{id}/read-again",
    status_code=202,
    summary="Read a decided verification's documents with today's engines",
    responses=responses(NothingToReplay),
)
async def read_documents_again(id: IdInPath, caller: Reviewer, session: Db) -> RequestedReading:
    """Changes neither result nor decision. When a worker has read them, the history has an entry
    `verification.read_again` with the status and code before and now, and the fields whose value or
    decision differs, without their values.
    """
    await read_again.request(session, caller, id)
    return RequestedReading(
        verification_id=id,
        message="The documents are read again. The history shows the result.",
    )


@router.get(
    "/{id}/evidence",
    response_class=Response,
    summary="Download the evidence file of a decision",
    responses=EVIDENCE | responses(NothingToReplay),
)
async def get_evidence(
    id: IdInPath,
    caller: Reviewer,
    services: ServicesDep,
    images: Annotated[
        bool | None, Query(description="true: the file has the images, too (ADMIN).")
    ] = None,
    reveal: Annotated[
        bool | None,
        Query(description="true: reveal what the organization masks for users."),
    ] = None,
) -> Response:
    """A ZIP with the decision's record (digests of the inputs, versions, results, rules), its part
    of the audit log with its signed head, and a report in Spanish sealed with PAdES. The program
    `acredita-verify` checks it offline, without the service. With `images=true` (ADMIN), it also
    has the uploaded files. The audit log records every download. With `revealsOnDemand`, users need
    `reveal=true`, which the audit log records as well.
    """
    if images and not caller.role.covers(Role.ADMIN):
        raise Forbidden
    reveals = await reveals_masked(services.reads, caller, is_asked=reveal is True)
    content = await evidence_file(services, caller, id, with_images=images is True, reveals=reveals)
    name = f'attachment; filename="{id}.zip"'
    headers = {"Cache-Control": "no-store", "Content-Disposition": name}
    return Response(content, media_type="application/zip", headers=headers)


@router.get(
    "/{id}/history",
    response_model=HistoryPage,
    summary="List what happened to a verification, oldest first",
)
async def list_history(
    id: IdInPath, caller: Reviewer, services: ServicesDep, limit: Limit = 50, offset: Offset = 0
) -> Response:
    """Uploads, results, retakes, decisions with their reasons, decisions of reviewers with their
    notes, and all other acts in the audit log. Nothing in it ever changes; the notes are deleted
    with the person's data.
    """
    items, total = await history_page.page(
        services.reads, services.keys, caller, id, limit=limit, offset=offset
    )
    pagination = Pagination.for_page(total=total, limit=limit, offset=offset)
    shown = pagination.model_dump(mode="json", by_alias=True)
    return JsonAnswer({"history": items, "pagination": shown})


@router.post(
    "/{id}/run-again",
    summary="Run a verification again that a service's failure sent to review",
    responses=responses(NothingToRunAgain, AlreadyClaimed),
)
async def run_verification_again(
    id: IdInPath, caller: Reviewer, session: Db, services: ServicesDep
) -> ChangedVerificationAnswer:
    """For a verification in MANUAL_REVIEW with a step whose code is CHECK_UNAVAILABLE or
    REGISTRY_UNAVAILABLE. That step runs again, with later steps in review or skipped. Then the
    verification is decided again.
    """
    return ChangedVerificationAnswer(
        verification=await run_again(session, services.clock, services.keys, caller, id)
    )
