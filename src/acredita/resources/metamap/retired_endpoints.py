"""Addresses of that API's first version, which its obsolete clients use: 410 with the successor."""

from starlette.responses import Response

from acredita.api.metamap import Gone
from acredita.api.permissions import public
from acredita.resources.metamap.routing import IdOrAliasInPath
from acredita.resources.metamap.routing import router as make_router

router = make_router()
METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"]
RETIRED = "Say which operation of version 2 replaces this one"
START = "POST /v2/verifications"


@router.api_route("/api/v1/identities", methods=METHODS, summary=RETIRED, include_in_schema=False)
@router.api_route(
    "/api/v1/verifications", methods=METHODS, summary=RETIRED, include_in_schema=False
)
@public
async def formerly_start() -> Response:
    raise Gone(f"Version 1 is retired. Use {START}.")


@router.api_route(
    "/api/v1/verifications/{id}", methods=METHODS, summary=RETIRED, include_in_schema=False
)
@public
async def formerly_get(id: IdOrAliasInPath) -> Response:  # noqa: A002 (as /v1 calls it)
    raise Gone(f"Version 1 is retired. Use GET /v2/verifications/{id}.")


@router.api_route(
    "/api/v1/identities/{id}", methods=METHODS, summary=RETIRED, include_in_schema=False
)
@public
async def formerly_get_identity(id: IdOrAliasInPath) -> Response:  # noqa: A002
    raise Gone(f"Version 1 is retired. Use GET /v2/identities/{id}.")


@router.api_route(
    "/api/v1/identities/{id}/documents", methods=METHODS, summary=RETIRED, include_in_schema=False
)
@public
async def formerly_send(id: IdOrAliasInPath) -> Response:  # noqa: A002
    raise Gone(f"Version 1 is retired. Use POST /v2/identities/{id}/send-input.")
