from starlette.responses import Response

from acredita.api.dependencies import Db, ServicesDep
from acredita.api.errors import responses
from acredita.api.permissions import Member
from acredita.api.routing import file_of, largest_body, make_router
from acredita.api.schemas import IdInPath
from acredita.domain.errors import (
    EvidenceMissing,
    FeatureOff,
    IdempotencyConflict,
    NotFound,
    SignatureFailed,
    SignatureNotReady,
)
from acredita.resources.esignature import service
from acredita.resources.esignature.schemas import SignatureRecord, SignRequest
from acredita.resources.idempotency.requests import RepeatableDep

router = make_router("/v1/esignature", tag="Electronic signatures")

# DECISIONS, Wire conventions: every body within the specification's limits fits.
LARGEST_REQUEST = 32 * 1024 * 1024
PDF = file_of("application/pdf", "The signed PDF. Every request returns the same bytes.")
# The PDF has untrusted content: browsers must not render it in the context of a page.
PDF_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; sandbox",
}


@router.post(
    "/sign",
    response_model=SignatureRecord,
    status_code=201,
    summary="Sign a package of documents",
    responses=responses(FeatureOff, NotFound, EvidenceMissing, IdempotencyConflict),
)
@largest_body(LARGEST_REQUEST)
async def sign_documents(
    data: SignRequest, caller: Member, services: ServicesDep, repeatable: RepeatableDep
) -> Response:
    """Composes one PDF of the documents and a page of evidence, and seals it (PAdES with a time
    stamp). A package of up to 200,000 characters is usually SIGNED in the response, within a
    second. Otherwise it is PENDING and a background job makes it.
    """
    if (first := await repeatable.first_answer()) is not None:
        return first
    return await service.sign(services, caller, data, repeatable)


@router.get("/{id}", summary="Get a signed package")
async def get_signature(
    id: IdInPath, caller: Member, session: Db, services: ServicesDep
) -> SignatureRecord:
    """`status` says whether the sealed PDF is ready. The response has the evidence and the digests
    of the documents.
    """
    return await service.show(session, services.keys, caller, id)


@router.get(
    "/{id}/pdf",
    response_class=Response,
    summary="Download the signed PDF",
    responses=PDF | responses(SignatureNotReady, SignatureFailed),
)
async def get_signed_pdf(id: IdInPath, caller: Member, services: ServicesDep) -> Response:
    """Waits up to ten seconds for a PENDING package. The audit log records every download."""
    content = await service.pdf(services, services.database, services.reads, caller, id)
    name = f'attachment; filename="{id}.pdf"'
    return Response(
        content,
        media_type="application/pdf",
        headers={**PDF_HEADERS, "Content-Disposition": name},
    )
