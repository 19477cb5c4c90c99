from typing import Annotated

from acredita.api.caller import Caller
from acredita.api.dependencies import Reader
from acredita.api.permissions import Require
from acredita.api.routing import router as make_router
from acredita.api.routing import secured
from acredita.domain.roles import Role
from acredita.resources.organizations import queries
from acredita.resources.organizations.schemas import OrganizationAnswer

router = make_router("/v1/organizations", tag="Organization")


@router.get("/me", summary="The caller's organization", responses=secured())
async def get_my_organization(
    caller: Annotated[Caller, Require(Role.MEMBER)], reader: Reader
) -> OrganizationAnswer:
    return OrganizationAnswer(org=await queries.get(reader, caller.organization_id))
