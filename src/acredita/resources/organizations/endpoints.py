from acredita.api.dependencies import Db, Reader
from acredita.api.permissions import Admin, Member
from acredita.api.routing import make_router
from acredita.resources.organizations import queries, service
from acredita.resources.organizations.schemas import (
    AllowedOrigins,
    AllowedOriginsUpdate,
    OrganizationAnswer,
    OrganizationUpdate,
)

router = make_router("/v1/organizations/me", tag="Organization")


@router.get("", summary="Get the caller's organization")
async def get_my_organization(caller: Member, reader: Reader) -> OrganizationAnswer:
    """The organization of the key or token that the request has."""
    return OrganizationAnswer(org=await queries.get(reader, caller.organization_id))


@router.patch("", summary="Update the caller's organization")
async def update_my_organization(
    data: OrganizationUpdate, caller: Admin, session: Db
) -> OrganizationAnswer:
    """The slug does not change."""
    return OrganizationAnswer(org=await service.update(session, caller, data))


@router.get("/allowed-origins", summary="Get the allowed origins of the browser flow")
async def get_allowed_origins(caller: Admin, reader: Reader) -> AllowedOrigins:
    """The origins of web pages that may call /v1/sdk for this organization."""
    return AllowedOrigins(allowed_origins=await queries.allowed_origins(reader, caller))


@router.put("/allowed-origins", summary="Replace the allowed origins of the browser flow")
async def set_allowed_origins(
    data: AllowedOriginsUpdate, caller: Admin, session: Db
) -> AllowedOrigins:
    """The list replaces the previous one. An origin is https, or http on localhost; at most 50."""
    return AllowedOrigins(allowed_origins=await service.set_allowed_origins(session, caller, data))
