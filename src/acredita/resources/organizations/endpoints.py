from typing import Annotated

from acredita.api.dependencies import Db, Reader
from acredita.api.errors import responses
from acredita.api.permissions import Require
from acredita.api.routing import router as make_router
from acredita.api.routing import secured
from acredita.domain.caller import Caller
from acredita.domain.errors import Forbidden, ValidationFailed
from acredita.domain.roles import Role
from acredita.resources.organizations import queries, service
from acredita.resources.organizations.schemas import (
    AllowedOrigins,
    AllowedOriginsUpdate,
    OrganizationAnswer,
    OrganizationUpdate,
)

router = make_router("/v1/organizations/me", tag="Organization")


@router.get(
    "",
    summary="Get the caller's organization",
    description="The organization of the key or token that the request has.",
    responses=secured(),
)
async def get_my_organization(
    caller: Annotated[Caller, Require(Role.MEMBER)], reader: Reader
) -> OrganizationAnswer:
    return OrganizationAnswer(org=await queries.get(reader, caller.organization_id))


@router.patch(
    "",
    summary="Update the caller's organization",
    description="The slug does not change.",
    responses=secured() | responses(Forbidden, ValidationFailed),
)
async def update_my_organization(
    data: OrganizationUpdate, caller: Annotated[Caller, Require(Role.ADMIN)], session: Db
) -> OrganizationAnswer:
    return OrganizationAnswer(org=await service.update(session, caller, data))


@router.get(
    "/allowed-origins",
    summary="Get the allowed origins of the browser flow",
    description="The origins of web pages that may call /v1/sdk for this organization.",
    responses=secured(),
)
async def get_allowed_origins(
    caller: Annotated[Caller, Require(Role.ADMIN)], reader: Reader
) -> AllowedOrigins:
    return AllowedOrigins(allowed_origins=await queries.allowed_origins(reader, caller))


@router.put(
    "/allowed-origins",
    summary="Replace the allowed origins of the browser flow",
    description=(
        "The list replaces the previous one. An origin is https, or http on localhost; at most 50."
    ),
    responses=secured() | responses(ValidationFailed),
)
async def set_allowed_origins(
    data: AllowedOriginsUpdate, caller: Annotated[Caller, Require(Role.ADMIN)], session: Db
) -> AllowedOrigins:
    return AllowedOrigins(allowed_origins=await service.set_allowed_origins(session, caller, data))
