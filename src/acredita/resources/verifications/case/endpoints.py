"""What a reviewer sees of a verification besides its own view, and asks of the person."""

from starlette.responses import Response

from acredita.api.dependencies import Db, ServicesDep
from acredita.api.errors import responses
from acredita.api.permissions import Member, Reviewer
from acredita.api.routing import make_router
from acredita.api.schemas import IdInPath, JsonAnswer
from acredita.domain.errors import (
    AlreadyClaimed,
    NothingToRetake,
)
from acredita.resources.capture_links import service as capture_links
from acredita.resources.organizations.masking import is_masked_for
from acredita.resources.verifications.case.fields import located_fields
from acredita.resources.verifications.case.links import linked_verifications
from acredita.resources.verifications.case.masking import mask_located, reveal
from acredita.resources.verifications.case.schemas import (
    LocatedFields,
    RevealedVerification,
    RevealRequest,
    VerificationLinks,
)
from acredita.resources.verifications.request_schemas import RetakeRequest
from acredita.resources.verifications.retake_by_reviewer import ask_for_pictures
from acredita.resources.verifications.schemas import RetakeAnswer

router = make_router("/v1/verifications", tag="Verifications")


@router.get("/{id}/fields", summary="Get the extracted fields with their places in the pictures")
async def list_fields(
    id: IdInPath, caller: Reviewer, session: Db, services: ServicesDep
) -> LocatedFields:
    """The fields of the documents that the steps judged. A source with `mediaId` and `box` was read
    there: the box is left, top, right and bottom, as shares of that image's width and height.
    Machine-readable zones and registries have no box. Empty once the data are purged. With
    `revealsOnDemand`, users see the places alone.
    """
    is_masked = await is_masked_for(services.reads, caller)
    fields = await located_fields(session, services, caller, id)
    return LocatedFields(fields=mask_located(fields) if is_masked else fields)


@router.post(
    "/{id}/reveal",
    response_model=RevealedVerification,
    summary="Reveal the personal data of a verification",
)
async def reveal_personal_data(
    id: IdInPath, data: RevealRequest, caller: Reviewer, session: Db, services: ServicesDep
) -> Response:
    """For organizations with `revealsOnDemand`: the response has what `GET /v1/verifications/{id}`
    masks for users, and the notes that its history masks. The audit log and the history record who
    revealed which kinds, without values. Nothing stays revealed: the next request is masked again,
    and links to pictures expire after 15 minutes.
    """
    return JsonAnswer(await reveal(session, services, caller, id, data.kinds))


@router.get(
    "/{id}/links",
    response_model=VerificationLinks,
    summary="List verifications with the same identifiers",
)
async def list_links(id: IdInPath, caller: Member, services: ServicesDep) -> Response:
    """Other verifications of the organization with the same CURP, RFC, phone number, e-mail address
    or external id: from documents, confirmed codes and the metadata `curp`, `rfc`, `phone` and
    `email`. They are compared by keyed hashes.
    """
    return JsonAnswer({"links": await linked_verifications(services.reads, services, caller, id)})


@router.post(
    "/{id}/retake",
    summary="Ask the person for other pictures",
    responses=responses(NothingToRetake, AlreadyClaimed),
)
async def ask_for_other_pictures(
    id: IdInPath, data: RetakeRequest, caller: Reviewer, session: Db, services: ServicesDep
) -> RetakeAnswer:
    """For a verification in MANUAL_REVIEW. It is open again, for three days unless `capture` says
    otherwise, and the response has a link for the person: no other response has it, and earlier
    links stop working. The steps that judge these pictures run again when the new ones arrive, and
    all later steps with them; then the verification is decided again. The message is kept in the
    history. Send it to the person with the link, or let `send` do it.
    """
    await capture_links.check_origins(services.reads, caller.organization_id, data.capture)
    changed, link = await ask_for_pictures(session, services, caller, id, data)
    return RetakeAnswer(verification=changed, capture=link.answer(services.settings.public_url, id))
