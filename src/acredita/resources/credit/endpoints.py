from starlette.responses import Response

from acredita.api.dependencies import Db, ServicesDep
from acredita.api.errors import responses
from acredita.api.permissions import Member
from acredita.api.routing import make_router
from acredita.api.schemas import IdInPath
from acredita.domain.errors import FeatureOff, IdempotencyConflict
from acredita.resources.credit import service
from acredita.resources.credit.schemas import CreditCheckCreate, CreditCheckShape
from acredita.resources.idempotency.requests import RepeatableDep

router = make_router("/v1/credit/check", tag="Credit")


@router.post(
    "",
    status_code=201,
    summary="Request a credit report from the credit bureau",
    responses=responses(FeatureOff, IdempotencyConflict),
)
async def create_credit_check(
    data: CreditCheckCreate,
    caller: Member,
    services: ServicesDep,
    repeatable: RepeatableDep,
    response: Response,
) -> CreditCheckShape:
    """A consultation costs money and leaves a record in the person's credit file. Send an
    `Idempotency-Key`: a repeated request then causes no second consultation. The response waits for
    the bureau; `status` says how the consultation ended. RFC, CURP and date of birth that
    contradict each other are refused. `error.details` names the fields that the bureau needs and
    that cannot be derived with certainty.
    """
    check = await service.check(services, caller, data, repeatable)
    response.headers["Location"] = f"/v1/credit/check/{check.id}"
    return check


@router.get("/{id}", summary="Get a credit check")
async def get_credit_check(
    id: IdInPath, caller: Member, session: Db, services: ServicesDep
) -> CreditCheckShape:
    """The audit log records every access."""
    return await service.view(session, services.keys, caller, id)
