"""How well documents are read: as JSON, or each as a picture."""

from typing import Annotated, Any, Literal

from fastapi import Query
from starlette.responses import Response

from acredita.api.caller import Caller
from acredita.api.dependencies import Reader, ServicesDep
from acredita.api.errors import ValidationFailed, responses
from acredita.api.permissions import Require
from acredita.api.routing import router as make_router
from acredita.api.routing import secured
from acredita.domain.roles import Role
from acredita.resources.admin import labelled, pictures
from acredita.resources.admin.labelled import Window
from acredita.resources.admin.labelled_schemas import (
    ClassifierMetrics,
    ExtractionMetrics,
    FieldCalibrationMetrics,
)

router = make_router("/v1/admin/metrics", tag="Administration")

Since = Annotated[Window, Query(description="How far back labels are counted.")]
Format = Annotated[
    Literal["json", "svg"], Query(description="json, or svg: the same as a picture.")
]
Admin = Annotated[Caller, Require(Role.ADMIN)]
ANSWERS: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The metrics, or a picture of them.",
        "content": {"image/svg+xml": {"schema": {"type": "string"}}},
    }
}
# A picture opened by itself is a document: nothing in it may run.
HEADERS = {"Cache-Control": "no-store", "Content-Security-Policy": "default-src 'none'; sandbox"}


@router.get(
    "/classifier",
    response_model=ClassifierMetrics,
    summary="Documents taken for what they are not: confusion matrix and accuracy by type",
    description="By labels: `documentTypeOverride` against what a document was read as.",
    responses=ANSWERS | secured() | responses(ValidationFailed),
)
async def classifier_metrics(
    caller: Admin,
    reader: Reader,
    services: ServicesDep,
    window: Since = Window.DAY,
    format: Format = "json",  # noqa: A002 (its name in the query)
) -> ClassifierMetrics | Response:
    now = services.clock.now()
    metrics = await labelled.classifier(reader, caller.organization_id, window, now)
    return _picture(pictures.classifier(metrics)) if format == "svg" else metrics


@router.get(
    "/extraction",
    response_model=ExtractionMetrics,
    summary="Accuracy, coverage and confidence of each field, against labels",
    responses=ANSWERS | secured() | responses(ValidationFailed),
)
async def extraction_metrics(
    caller: Admin,
    reader: Reader,
    services: ServicesDep,
    window: Since = Window.DAY,
    format: Format = "json",  # noqa: A002
) -> ExtractionMetrics | Response:
    now = services.clock.now()
    metrics = await labelled.extraction(reader, caller.organization_id, window, now)
    return _picture(pictures.extraction(metrics)) if format == "svg" else metrics


@router.get(
    "/field-calibration",
    response_model=FieldCalibrationMetrics,
    summary="Whether confidences mean what they say, and which thresholds labels suggest",
    description=(
        "Reliability curve, expected calibration error, and for each field the thresholds that"
        " `acredita calibrate` would write. Nothing is changed by asking."
    ),
    responses=ANSWERS | secured() | responses(ValidationFailed),
)
async def field_calibration_metrics(
    caller: Admin,
    reader: Reader,
    services: ServicesDep,
    window: Since = Window.DAY,
    format: Format = "json",  # noqa: A002
) -> FieldCalibrationMetrics | Response:
    now = services.clock.now()
    metrics = await labelled.field_calibration(reader, caller.organization_id, window, now)
    return _picture(pictures.field_calibration(metrics)) if format == "svg" else metrics


def _picture(content: bytes) -> Response:
    return Response(content, media_type="image/svg+xml", headers=HEADERS)
