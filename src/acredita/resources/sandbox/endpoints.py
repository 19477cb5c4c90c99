from typing import Annotated, Literal

from fastapi import Query
from starlette.responses import Response

from acredita.api.dependencies import Db, ServicesDep
from acredita.api.errors import responses
from acredita.api.permissions import Require
from acredita.api.routing import file_of, make_router
from acredita.domain.errors import NotFound
from acredita.domain.roles import Role
from acredita.domain.verification import DocumentRole
from acredita.resources.sandbox import people, pictures
from acredita.resources.sandbox.schemas import SandboxPeople

EXAMPLE = "XUXX900201HNEXXX01"
PictureRole = Annotated[
    Literal["front", "back", "selfie"], Query(description="Which picture.", examples=["front"])
]
DRAWN = file_of("image/jpeg", "The picture.")

router = make_router("/v1/sandbox", tag="System")


@router.get(
    "/people",
    summary="List the invented people of the sandboxes",
    dependencies=[Require(Role.MEMBER)],
)
async def list_sandbox_people(session: Db, services: ServicesDep) -> SandboxPeople:
    """The people by whom an installation with sandbox providers tries each result: whose CURP, RFC
    or INE card to draw on a specimen or to send, and what it leads to.
    """
    return SandboxPeople(people=await people.people(session, services.settings))


@router.get(
    "/picture",
    summary="Draw a picture of an invented person",
    response_class=Response,
    responses=DRAWN | responses(NotFound),
    dependencies=[Require(Role.MEMBER)],
)
async def draw_sandbox_picture(
    person: Annotated[str, Query(description="Their `id`.", max_length=100, examples=[EXAMPLE])],
    role: PictureRole,
    session: Db,
    services: ServicesDep,
) -> Response:
    """A side of the person's voter card, marked as a specimen, or a selfie, as JPEG: upload them to
    a verification to try it. 404 for a person without such `pictures`, and so always in production.
    """
    identity = await people.identity(session, services.settings, person)
    today = services.clock.now().date()
    content = await pictures.draw(identity, DocumentRole(role), today)
    return Response(content, media_type="image/jpeg", headers={"Cache-Control": "no-store"})
