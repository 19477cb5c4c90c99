"""Addresses of that API's first version, which obsolete clients use: 410 with the successor."""

from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response

from acredita.api.metamap import Gone, responses
from acredita.api.permissions import public
from acredita.domain.errors import NotFound
from acredita.resources.metamap.routing import IdOrAliasInPath, make_router

router = make_router()
METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"]
START = "POST /v2/verifications"
SEND = "POST /v2/identities/{id}/send-input"
SHOW = "GET /v2/verifications/{id}"
SHOW_IDENTITY = "GET /v2/identities/{id}"
# The id in the address is that of the identity.
SHOW_VERIFICATION = "GET /v2/verifications/{verificationId}"
DECIDE = "PUT /v2/verifications/{id}/status"
# Version 2 has no list.
LIST = "GET /v1/verifications (outside of /v1/metamap)"
# The successor of each address by the request's method; "" stands for all other methods.
SUCCESSORS: Mapping[str, Mapping[str, str]] = {
    "identities": {"GET": LIST, "": START},
    "identities/{id}": {"": SHOW_IDENTITY},
    "identities/{id}/documents": {"GET": SHOW_VERIFICATION, "": SEND},
    "identities/{id}/selfie": {"GET": SHOW_VERIFICATION, "": SEND},
    "identities/{id}/send-input": {"": SEND},
    "verifications": {"GET": LIST, "": START},
    "verifications/{id}": {"DELETE": "DELETE /verifications/{id}", "": SHOW},
    "verifications/{id}/documents": {"": SHOW},
    "verifications/{id}/status": {"GET": SHOW, "": DECIDE},
}


@public
async def name_successor(request: Request) -> Response:
    raise _gone(request, "")


@public
async def name_successor_of_id(id: IdOrAliasInPath, request: Request) -> Response:
    raise _gone(request, id)


def _gone(request: Request, named_id: str) -> Gone:
    successors = SUCCESSORS[request.scope["route"].path.partition("/api/v1/")[2]]
    successor = successors.get(request.method, successors[""]).replace("{id}", named_id)
    return Gone(f"Version 1 is retired. Use {successor}.")


for path in SUCCESSORS:
    router.add_api_route(
        f"/api/v1/{path}",
        name_successor_of_id if "{id}" in path else name_successor,
        methods=METHODS,
        summary="Say which operation of version 2 replaces this one",
        responses=responses(NotFound) if "{id}" in path else None,
        include_in_schema=False,
    )
