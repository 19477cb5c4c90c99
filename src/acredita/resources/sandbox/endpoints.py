from acredita.api.dependencies import Db, ServicesDep
from acredita.api.permissions import Require
from acredita.api.routing import router as make_router
from acredita.api.routing import secured
from acredita.domain.roles import Role
from acredita.resources.sandbox import people
from acredita.resources.sandbox.schemas import SandboxPeople

router = make_router("/v1/sandbox", tag="System")


@router.get(
    "/people",
    summary="List the invented people of the sandboxes",
    description=(
        "The people by whom an installation with sandbox providers tries each result: whose CURP, "
        "RFC or INE card to draw on a specimen or to send, and what it leads to."
    ),
    responses=secured(),
    dependencies=[Require(Role.MEMBER)],
)
async def list_sandbox_people(session: Db, services: ServicesDep) -> SandboxPeople:
    return SandboxPeople(people=await people.people(session, services.settings))
