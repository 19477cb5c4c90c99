from typing import Annotated, Any

from fastapi import Query
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from acredita.api import uploads
from acredita.api.dependencies import Db, Reader, ServicesDep
from acredita.api.errors import (
    responses,
)
from acredita.api.pagination import Limit, Offset, Pagination
from acredita.api.permissions import Reviewer
from acredita.api.routing import make_router
from acredita.api.schemas import IdInPath
from acredita.models import TrialStatus
from acredita.resources.ground_truth import export, licences, samples, states, truths
from acredita.resources.ground_truth.licences import LICENCES
from acredita.resources.ground_truth.schemas import (
    KNOWN_FIELDS,
    LicenceTruthChange,
    LicenceTruthPage,
    LicenceTruthShape,
    LicenceTruthWrite,
    StateCode,
    StateList,
    TrialAnswer,
)
from acredita.resources.images.responses import UPLOADED, jpeg

router = make_router("/v1/dl-groundtruth", tag="Ground truth")

UPLOAD_FAULTS = responses(*uploads.FAULTS)
State = Annotated[StateCode | None, Query(description="Only licences of this state.")]
InStatus = Annotated[TrialStatus | None, Query(description="Only samples with this status.")]
ExportFormat = Annotated[export.Format, Query(alias="format", description="csv or JSON lines.")]
EXPORT: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "A stream of the whole dataset, oldest first.",
        "content": {
            "text/csv": {"schema": {"type": "string"}},
            "application/x-ndjson": {"schema": {"type": "string"}},
        },
    }
}


@router.post(
    "/upload",
    status_code=201,
    summary="Add a driver's licence with known content",
    responses=UPLOAD_FAULTS,
    openapi_extra={"requestBody": samples.form_of(["document"], LicenceTruthWrite)},
)
async def upload_licence_truth(
    caller: Reviewer, services: ServicesDep, request: Request
) -> LicenceTruthShape:
    """A background job reads the licence immediately. `status` shows when it is done."""
    async with uploads.received(
        request, roles=["document"], texts=[samples.TRUTH], limits=samples.limits(1)
    ) as form:
        given = samples.truth_of(form.texts[samples.TRUTH], LicenceTruthWrite)
        return await licences.add(services, caller, form.files[0], given)


@router.get("", summary="List the driver's licences with known content, newest first")
async def list_licence_truths(
    caller: Reviewer,
    services: ServicesDep,
    reader: Reader,
    state: State = None,
    status: InStatus = None,
    limit: Limit = 20,
    offset: Offset = 0,
) -> LicenceTruthPage:
    """Each licence has the state of its last reading and how many fields were read correctly."""
    wanted = truths.conditions(LICENCES, caller, state=state, status=status)
    total, rows = await truths.page(reader, LICENCES, wanted, limit=limit, offset=offset)
    return LicenceTruthPage(
        licences=await truths.shapes(services.keys, LICENCES, rows),
        pagination=Pagination.for_page(total=total, limit=limit, offset=offset),
    )


@router.get(
    "/export",
    summary="Export the licences with their known content and their readings",
    response_class=StreamingResponse,
    responses=EXPORT,
)
async def export_licence_truths(
    caller: Reviewer,
    services: ServicesDep,
    form: ExportFormat = export.Format.JSON_LINES,
    state: State = None,
    status: InStatus = None,
) -> StreamingResponse:
    """Each row is one licence: as JSON lines, or with `format=csv` as a table. The response is a
    stream.
    """
    wanted = truths.conditions(LICENCES, caller, state=state, status=status)
    return await export.answer(
        services.database,
        services.keys,
        caller,
        LICENCES,
        wanted,
        _columns,
        name="licences",
        form=form,
    )


def _columns(sample: LicenceTruthShape) -> dict[str, Any]:
    read = {trial.field: trial.read for trial in sample.trials}
    columns: dict[str, Any] = {
        "id": sample.id,
        "state": sample.state,
        "readState": sample.read_by.state if sample.read_by else None,
        "status": sample.status.value,
        "compared": sample.compared,
        "correct": sample.correct,
        "notes": sample.notes,
    }
    for field in sorted(KNOWN_FIELDS):
        columns[field] = sample.fields.get(field)
        columns[f"{field}Read"] = read.get(field)
    return columns


@router.get("/states", summary="List the states with their numbers of licences")
async def list_licence_states(caller: Reviewer, reader: Reader) -> StateList:
    """`hasTemplate` says whether a template of the state's layout was made here."""
    return StateList(states=await states.counts(reader, caller))


@router.get("/{id}", summary="Get a licence, field by field")
async def get_licence_truth(
    id: IdInPath, caller: Reviewer, services: ServicesDep, session: Db
) -> LicenceTruthShape:
    """For each field: the known value, the last reading, and the reading before it."""
    return licences.shape(services.keys, await truths.get(session, LICENCES, caller, id))


@router.patch("/{id}", summary="Correct the known content of a licence")
async def change_licence_truth(
    id: IdInPath, data: LicenceTruthChange, caller: Reviewer, services: ServicesDep, session: Db
) -> LicenceTruthShape:
    """Absent fields stay unchanged. The last reading is compared again with the corrected
    content.
    """
    truth = await licences.change(session, services.keys, caller, id, data)
    return licences.shape(services.keys, truth)


@router.delete(
    "/{id}", status_code=204, summary="Delete a licence, its image and the template made from it"
)
async def delete_licence_truth(id: IdInPath, caller: Reviewer, session: Db) -> None:
    """The files are deleted by a job. Nothing can be restored."""
    await truths.remove(session, LICENCES, caller, id)


@router.post("/{id}/reocr", status_code=202, summary="Read a licence again")
async def read_licence_again(id: IdInPath, caller: Reviewer, session: Db) -> TrialAnswer:
    """Uses the current engine and templates. The response also shows the previous reading."""
    truth = await truths.try_again(session, LICENCES, caller, id)
    return TrialAnswer(id=truth.id, status=TrialStatus(truth.status))


@router.get(
    "/{id}/image", summary="Get the image of a licence", response_class=Response, responses=UPLOADED
)
async def get_licence_truth_image(
    id: IdInPath, caller: Reviewer, services: ServicesDep
) -> Response:
    """The image is encoded again without metadata. A PDF is shown as its first page."""
    return jpeg(
        await truths.image(
            services.database, services, LICENCES, caller, id, lambda truth: truth.file_id
        )
    )
