from typing import Annotated

from starlette.responses import Response

from acredita.api.caller import Caller
from acredita.api.dependencies import Db, ServicesDep
from acredita.api.errors import IdempotencyConflict, NotFound, ValidationFailed, responses
from acredita.api.idempotency import RepeatableDep
from acredita.api.permissions import Require
from acredita.api.routing import router as make_router
from acredita.api.routing import secured
from acredita.api.schemas import IdInPath
from acredita.domain.roles import Role
from acredita.resources.credit import service
from acredita.resources.credit.schemas import CreditCheckCreate, CreditCheckShape

router = make_router("/v1/credit/check", tag="Credit")


@router.post(
    "",
    status_code=201,
    summary="Ask the credit bureau about a person",
    description=(
        "A consultation: it costs money and leaves a trace in the person's file. Send an "
        "`Idempotency-Key`, so that a request that is sent again asks nobody again. The answer "
        "comes when the bureau's has; `status` says what came of it. RFC, CURP and date of birth "
        "that contradict each other are refused. What the bureau needs and cannot be derived for "
        "certain is named in `error.details`."
    ),
    responses=secured() | responses(IdempotencyConflict, ValidationFailed),
)
async def create_credit_check(
    data: CreditCheckCreate,
    caller: Annotated[Caller, Require(Role.MEMBER)],
    services: ServicesDep,
    repeatable: RepeatableDep,
    response: Response,
) -> CreditCheckShape:
    check = await service.check(services, caller, data, repeatable)
    response.headers["Location"] = f"/v1/credit/check/{check.id}"
    return check


@router.get(
    "/{id}",
    summary="One credit check",
    description="Each look is recorded in the audit log.",
    responses=secured() | responses(NotFound),
)
async def get_credit_check(
    id: IdInPath,  # noqa: A002 (the specification's name of the path parameter)
    caller: Annotated[Caller, Require(Role.MEMBER)],
    session: Db,
    services: ServicesDep,
) -> CreditCheckShape:
    return await service.view(session, services, caller, id)
