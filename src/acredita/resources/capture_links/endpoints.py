from acredita.api.dependencies import Db, ServicesDep
from acredita.api.errors import responses
from acredita.api.permissions import Member
from acredita.api.routing import make_router
from acredita.api.schemas import IdInPath
from acredita.domain.errors import VerificationClosed
from acredita.resources.capture_links import service
from acredita.resources.capture_links.schemas import CaptureWrite, CreatedCapture

router = make_router("/v1/verifications/{id}/capture", tag="Verifications")


@router.post(
    "",
    status_code=201,
    summary="Make a new link for the person",
    responses=responses(VerificationClosed),
)
async def create_capture_link(
    id: IdInPath, data: CaptureWrite, caller: Member, session: Db, services: ServicesDep
) -> CreatedCapture:
    """For a person who lost the link, or whose link has expired. All earlier links of the
    verification stop working, with the sessions that they opened. What the person has sent stays.
    From now on, the browser flow of the verification requires a session token.
    """
    await service.check_origins(services.reads, caller.organization_id, data)
    link = await service.replace(session, services.keys, caller, id, data, services.clock.now())
    return CreatedCapture(capture=link.answer(services.settings.public_url, id))


@router.delete("", status_code=204, summary="Revoke the links for the person")
async def revoke_capture_links(
    id: IdInPath, caller: Member, session: Db, services: ServicesDep
) -> None:
    """Nobody opens them any more, and the sessions that they opened end. The verification itself
    stays open. Revoking again changes nothing.
    """
    await service.revoke(session, caller, id, services.clock.now())
