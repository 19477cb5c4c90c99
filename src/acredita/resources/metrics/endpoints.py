"""/metrics on the API's port, for installations that configure a token."""

from starlette.requests import Request
from starlette.responses import Response

from acredita.api.permissions import public
from acredita.api.routing import make_router
from acredita.domain.errors import Unauthorized
from acredita.kit.metrics.exposition import Exposition

router = make_router("", tag="System")


@router.get("/metrics", include_in_schema=False)
@public
async def metrics(request: Request) -> Response:
    exposition: Exposition = request.app.state.exposition
    if not exposition.admits(request.headers.get("authorization", "")):
        await request.app.state.rate_limits.count_failure(request)
        raise Unauthorized
    return Response(await exposition.render(), headers={"Content-Type": exposition.content_type})
