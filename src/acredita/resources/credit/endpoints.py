from typing import Annotated

from starlette.responses import Response

from acredita.api.dependencies import Db, ServicesDep
from acredita.api.errors import responses
from acredita.api.permissions import Require
from acredita.api.routing import router as make_router
from acredita.api.routing import secured
from acredita.api.schemas import IdInPath
from acredita.domain.caller import Caller
from acredita.domain.errors import FeatureOff, IdempotencyConflict, NotFound, ValidationFailed
from acredita.domain.roles import Role
from acredita.resources.credit import service
from acredita.resources.credit.schemas import CreditCheckCreate, CreditCheckShape
from acredita.resources.idempotency.requests import RepeatableDep

router = make_router("/v1/credit/check", tag="Credit")


@router.post(
    "",
    status_code=201,
    summary="Request a credit report from the credit bureau",
    description=(
        "A consultation costs money and leaves a record in the person's credit file. Send an "
        "`Idempotency-Key`: a repeated request then causes no second consultation. The response "
        "waits for the bureau; `status` says how the consultation ended. RFC, CURP and date of "
        "birth that contradict each other are refused. `error.details` names the fields that the "
        "bureau needs and that cannot be derived with certainty."
    ),
    responses=secured() | responses(FeatureOff, IdempotencyConflict, ValidationFailed),
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
    summary="Get a credit check",
    description="The audit log records every access.",
    responses=secured() | responses(NotFound),
)
async def get_credit_check(
    id: IdInPath,  # noqa: A002 (the specification's name of the path parameter)
    caller: Annotated[Caller, Require(Role.MEMBER)],
    session: Db,
    services: ServicesDep,
) -> CreditCheckShape:
    return await service.view(session, services.keys, caller, id)
