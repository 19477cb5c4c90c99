from typing import Annotated

from acredita.api.caller import Caller
from acredita.api.dependencies import ServicesDep
from acredita.api.errors import ValidationFailed, responses
from acredita.api.permissions import Require
from acredita.api.routing import router as make_router
from acredita.api.routing import secured
from acredita.domain.roles import Role
from acredita.resources.location import service
from acredita.resources.location.schemas import LocationCheck, LocationCheckShape

router = make_router("/v1/location", tag="Location")


@router.post(
    "/check",
    summary="Where an address is, and whether that is allowed",
    description=(
        "Looks the address up in the installation's databases, and judges the rules that are "
        "given. Without rules every address is allowed. What no database can tell is null, and a "
        "rule that rests on it lets nobody through. The address is not kept."
    ),
    responses=secured() | responses(ValidationFailed),
)
async def check_location(
    data: LocationCheck,
    caller: Annotated[Caller, Require(Role.MEMBER)],
    services: ServicesDep,
) -> LocationCheckShape:
    return await service.check(services, caller, data)
