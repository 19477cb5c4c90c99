from acredita.api.dependencies import ServicesDep
from acredita.api.errors import responses
from acredita.api.permissions import Member
from acredita.api.routing import make_router
from acredita.domain.errors import FeatureOff
from acredita.resources.location import service
from acredita.resources.location.schemas import LocationCheck, LocationCheckShape

router = make_router("/v1/location", tag="Location")


@router.post(
    "/check",
    summary="Locate an IP address and check it against rules",
    responses=responses(FeatureOff),
)
async def check_location(
    data: LocationCheck, caller: Member, services: ServicesDep
) -> LocationCheckShape:
    """Looks the address up in the installation's databases and evaluates the given rules. Without
    rules every address is allowed. Unknown values are null. A rule on an unknown value rejects the
    address. The address is not stored.
    """
    return await service.check(
        services.database, services.signer, services.geolocation, caller, data
    )
