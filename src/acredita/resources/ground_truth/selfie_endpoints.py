from typing import Annotated, Any

from fastapi import Query
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from acredita.api import uploads
from acredita.api.dependencies import Db, Reader, ServicesDep
from acredita.api.pagination import Limit, Offset, Pagination
from acredita.api.permissions import Reviewer
from acredita.api.routing import make_router
from acredita.api.schemas import IdInPath
from acredita.domain.errors import ValidationFailed
from acredita.models import TrialStatus
from acredita.resources.ground_truth import export, samples, selfies, truths
from acredita.resources.ground_truth.licence_endpoints import (
    EXPORT,
    UPLOAD_FAULTS,
    ExportFormat,
    InStatus,
)
from acredita.resources.ground_truth.schemas import (
    SelfieTruthChange,
    SelfieTruthPage,
    SelfieTruthShape,
    SelfieTruthWrite,
    TrialAnswer,
)
from acredita.resources.ground_truth.selfies import SELFIES
from acredita.resources.images.responses import UPLOADED, jpeg

router = make_router("/v1/selfie-groundtruth", tag="Ground truth")

ROLES = ("selfie", "document")
SamePerson = Annotated[
    bool | None, Query(alias="isSamePerson", description="Only pairs with this known answer.")
]


@router.post(
    "/upload",
    status_code=201,
    summary="Add a selfie and a document, of the same person or of two people",
    responses=UPLOAD_FAULTS,
    openapi_extra={"requestBody": samples.form_of(ROLES, SelfieTruthWrite)},
)
async def upload_selfie_truth(
    caller: Reviewer, services: ServicesDep, request: Request
) -> SelfieTruthShape:
    """A background job compares them immediately. `status` shows when it is done."""
    async with uploads.received(
        request, roles=ROLES, texts=[samples.TRUTH], limits=samples.limits(len(ROLES))
    ) as form:
        given = samples.truth_of(form.texts[samples.TRUTH], SelfieTruthWrite)
        files = {file.role: file for file in form.files}
        missing = [f"body.{role}: is missing" for role in ROLES if role not in files]
        if missing:
            raise ValidationFailed(details=missing)
        return await selfies.add(services, caller, files["selfie"], files["document"], given)


@router.get("", summary="List the pairs of selfie and document with a known answer, newest first")
async def list_selfie_truths(
    caller: Reviewer,
    services: ServicesDep,
    reader: Reader,
    status: InStatus = None,
    same_person: SamePerson = None,
    limit: Limit = 20,
    offset: Offset = 0,
) -> SelfieTruthPage:
    """Each pair has the state of its last comparison and whether it agreed with the known
    answer.
    """
    wanted = truths.conditions(SELFIES, caller, status=status, is_same_person=same_person)
    total, rows = await truths.page(reader, SELFIES, wanted, limit=limit, offset=offset)
    return SelfieTruthPage(
        selfies=await truths.shapes(services.keys, SELFIES, rows),
        pagination=Pagination.for_page(total=total, limit=limit, offset=offset),
    )


@router.get(
    "/export",
    summary="Export the pairs with their known answers and their comparisons",
    response_class=StreamingResponse,
    responses=EXPORT,
)
async def export_selfie_truths(
    caller: Reviewer,
    services: ServicesDep,
    form: ExportFormat = export.Format.JSON_LINES,
    status: InStatus = None,
    same_person: SamePerson = None,
) -> StreamingResponse:
    """Each row is one pair: as JSON lines, or with `format=csv` as a table. The response is a
    stream.
    """
    wanted = truths.conditions(SELFIES, caller, status=status, is_same_person=same_person)
    return await export.answer(
        services.database,
        services.keys,
        caller,
        SELFIES,
        wanted,
        _columns,
        name="selfies",
        form=form,
    )


def _columns(sample: SelfieTruthShape) -> dict[str, Any]:
    result = sample.result
    return {
        "id": sample.id,
        "isSamePerson": sample.is_same_person,
        "status": sample.status.value,
        "isCorrect": sample.is_correct,
        "code": result and result.code,
        "distance": result and result.distance,
        "similarity": result and result.similarity,
        "band": result and result.band and result.band.value,
        "engine": result and result.engine,
        "calibration": result and result.calibration,
        "notes": sample.notes,
    }


@router.get("/{id}", summary="Get a pair")
async def get_selfie_truth(
    id: IdInPath, caller: Reviewer, services: ServicesDep, session: Db
) -> SelfieTruthShape:
    """The known answer, the last comparison of the two faces, and the comparison before it."""
    return selfies.shape(services.keys, await truths.get(session, SELFIES, caller, id))


@router.patch("/{id}", summary="Correct the known answer of a pair")
async def change_selfie_truth(
    id: IdInPath, data: SelfieTruthChange, caller: Reviewer, services: ServicesDep, session: Db
) -> SelfieTruthShape:
    """Absent fields stay unchanged."""
    truth = await selfies.change(session, services.keys, caller, id, data)
    return selfies.shape(services.keys, truth)


@router.delete("/{id}", status_code=204, summary="Delete a pair and its images")
async def delete_selfie_truth(id: IdInPath, caller: Reviewer, session: Db) -> None:
    """The files are deleted by a job. Nothing can be restored."""
    await truths.remove(session, SELFIES, caller, id)


@router.post("/{id}/rematch", status_code=202, summary="Compare a pair again")
async def match_selfie_again(id: IdInPath, caller: Reviewer, session: Db) -> TrialAnswer:
    """Uses the current engine. The response also shows the previous result."""
    truth = await truths.try_again(session, SELFIES, caller, id)
    return TrialAnswer(id=truth.id, status=TrialStatus(truth.status))


@router.get(
    "/{id}/selfie-image",
    summary="Get the selfie of a pair",
    response_class=Response,
    responses=UPLOADED,
)
async def get_selfie_truth_selfie(
    id: IdInPath, caller: Reviewer, services: ServicesDep
) -> Response:
    """The image is encoded again without metadata."""
    image = await truths.image(
        services.database, services, SELFIES, caller, id, lambda truth: truth.selfie_file_id
    )
    return jpeg(image)


@router.get(
    "/{id}/document-image",
    summary="Get the document image of a pair",
    response_class=Response,
    responses=UPLOADED,
)
async def get_selfie_truth_document(
    id: IdInPath, caller: Reviewer, services: ServicesDep
) -> Response:
    """The image is encoded again without metadata. A PDF is shown as its first page."""
    image = await truths.image(
        services.database, services, SELFIES, caller, id, lambda truth: truth.document_file_id
    )
    return jpeg(image)
