from typing import Annotated

from fastapi import Query
from starlette.requests import Request
from starlette.responses import Response

from acredita.api.client_address import client_address
from acredita.api.dependencies import Db, ServicesDep, lists_of
from acredita.api.errors import InvalidCursor, responses
from acredita.api.pagination import CursorText, Limit, Offset, window
from acredita.api.permissions import Require
from acredita.api.routing import router as make_router
from acredita.api.routing import secured
from acredita.api.schemas import IdInPath, JsonAnswer
from acredita.domain.caller import Caller
from acredita.domain.errors import (
    FeatureOff,
    IdempotencyConflict,
    NotFound,
    NothingToRunAgain,
    ValidationFailed,
    WorkflowInactive,
)
from acredita.domain.roles import Role
from acredita.domain.verification import VerificationStatus
from acredita.kit.db import Statements
from acredita.resources.idempotency.requests import RepeatableDep
from acredita.resources.idempotency.service import Answer
from acredita.resources.verifications import creation, listing, views
from acredita.resources.verifications.override import override
from acredita.resources.verifications.run_again import run_again
from acredita.resources.verifications.schemas import (
    ChangedVerificationAnswer,
    CreatedVerificationAnswer,
    StatusChange,
    VerificationAnswer,
    VerificationCreate,
    VerificationPage,
)
from acredita.resources.webhooks.service import check_target

router = make_router("/v1/verifications", tag="Verifications")


@router.post(
    "",
    response_model=CreatedVerificationAnswer,
    status_code=201,
    summary="Create a verification",
    description="Responds immediately. The checks run when the documents are uploaded.",
    responses=secured()
    | responses(NotFound, FeatureOff, WorkflowInactive, IdempotencyConflict, ValidationFailed),
)
async def create_verification(
    data: VerificationCreate,
    caller: Annotated[Caller, Require(Role.MEMBER)],
    services: ServicesDep,
    request: Request,
    repeatable: RepeatableDep,
) -> Response:
    if (first := await repeatable.first_answer()) is not None:
        return first
    if data.callback_url is not None:
        await check_target(services.http, data.callback_url, field="callbackUrl")

    async def create(statements: Statements) -> Answer:
        ip_address = client_address(request, services.settings)
        created = await creation.create(statements, services, caller, data, ip_address=ip_address)
        body = CreatedVerificationAnswer(verification=created).model_dump_json(by_alias=True)
        return Answer(body, 201, {"Location": f"/v1/verifications/{created.id}"})

    return await repeatable.answer(create)


@router.get(
    "",
    response_model=VerificationPage,
    summary="List the organization's verifications, newest first",
    description=(
        "`search` searches external ids and metadata values, case-insensitive, and the words of "
        "the names on documents."
    ),
    responses=secured() | responses(InvalidCursor, ValidationFailed),
)
async def list_verifications(
    request: Request,
    caller: Annotated[Caller, Require(Role.MEMBER)],
    services: ServicesDep,
    status: VerificationStatus | None = None,
    limit: Limit = 20,
    offset: Offset = 0,
    cursor: CursorText = None,
    search: Annotated[
        str, Query(max_length=255, description=("The text to search for. It has no wildcards."))
    ] = "",
) -> Response:
    return JsonAnswer(
        await listing.page(
            lists_of(request),
            services.signer,
            caller,
            status=status,
            search_text=search,
            window=window(limit, offset, cursor, "verifications", status, search),
        )
    )


@router.get(
    "/{id}",
    response_model=VerificationAnswer,
    summary="Get a verification with its steps, documents and extracted fields",
    description="Poll this endpoint to learn the result.",
    responses=secured() | responses(NotFound),
)
async def get_verification(
    id: IdInPath,  # noqa: A002 (the specification's name of the path parameter)
    caller: Annotated[Caller, Require(Role.MEMBER)],
    services: ServicesDep,
) -> Response:
    return JsonAnswer(await views.verification_view(services, caller, id))


@router.patch(
    "/{id}/status",
    summary="Decide a verification manually",
    description=(
        "Works from any status, including the current one. Ends the run: unfinished steps are "
        "skipped."
    ),
    responses=secured() | responses(NotFound, ValidationFailed),
)
async def change_status(
    id: IdInPath,  # noqa: A002 (the specification's name of the path parameter)
    data: StatusChange,
    caller: Annotated[Caller, Require(Role.REVIEWER)],
    session: Db,
    services: ServicesDep,
) -> ChangedVerificationAnswer:
    return ChangedVerificationAnswer(
        verification=await override(session, services, caller, id, data)
    )


@router.post(
    "/{id}/run-again",
    summary="Run a verification again that a service's failure sent to review",
    description=(
        "For a verification in MANUAL_REVIEW with a step whose code is CHECK_UNAVAILABLE or"
        " REGISTRY_UNAVAILABLE. That step runs again, with later steps in review or skipped."
        " Then the verification is decided again."
    ),
    responses=secured() | responses(NotFound, NothingToRunAgain),
)
async def run_verification_again(
    id: IdInPath,  # noqa: A002 (the specification's name of the path parameter)
    caller: Annotated[Caller, Require(Role.REVIEWER)],
    session: Db,
    services: ServicesDep,
) -> ChangedVerificationAnswer:
    return ChangedVerificationAnswer(
        verification=await run_again(session, services.keys, caller, id)
    )
