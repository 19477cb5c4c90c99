"""Addresses of that API without an operation here: those of its first version, which obsolete
clients use (410 with the successor), and checks without a source (404 with the reason).
"""

from collections.abc import Awaitable, Callable

from starlette.responses import Response

from acredita.api.metamap import Gone, NotOffered, responses
from acredita.api.permissions import public
from acredita.domain.errors import NotFound
from acredita.resources.metamap.routing import IdOrAliasInPath
from acredita.resources.metamap.routing import router as make_router

router = make_router()
Endpoint = Callable[..., Awaitable[Response]]
METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"]
RETIRED = "Say which operation of version 2 replaces this one"
START = "POST /v2/verifications"


def retired(path: str) -> Callable[[Endpoint], Endpoint]:
    return router.api_route(
        f"/api/v1/{path}",
        methods=METHODS,
        summary=RETIRED,
        responses=responses(NotFound) if "{id}" in path else None,
        include_in_schema=False,
    )


@retired("identities")
@retired("verifications")
@public
async def formerly_start() -> Response:
    raise Gone(f"Version 1 is retired. Use {START}.")


@retired("verifications/{id}")
@public
async def formerly_get(id: IdOrAliasInPath) -> Response:  # noqa: A002 (as /v1 calls it)
    raise Gone(f"Version 1 is retired. Use GET /v2/verifications/{id}.")


@retired("identities/{id}")
@public
async def formerly_get_identity(id: IdOrAliasInPath) -> Response:  # noqa: A002
    raise Gone(f"Version 1 is retired. Use GET /v2/identities/{id}.")


@retired("identities/{id}/documents")
@public
async def formerly_send(id: IdOrAliasInPath) -> Response:  # noqa: A002
    raise Gone(f"Version 1 is retired. Use POST /v2/identities/{id}/send-input.")


@router.post(
    "/safety/v1/checks/email/risk", summary="Say that no risk is scored", include_in_schema=False
)
@router.post(
    "/safety/v1/checks/phone/risk", summary="Say that no risk is scored", include_in_schema=False
)
@public
async def score_risk() -> Response:
    raise NotOffered("No source of risk scores is connected: this check is not offered here.")
