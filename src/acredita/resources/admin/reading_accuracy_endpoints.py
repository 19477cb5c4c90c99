"""Metrics of document reading, as JSON or as SVG pictures."""

from typing import Annotated, Any, Literal

from fastapi import Query
from starlette.responses import Response

from acredita.api.dependencies import ListReader, ServicesDep
from acredita.api.permissions import Admin
from acredita.api.routing import make_router
from acredita.resources.admin import charts, reading_accuracy
from acredita.resources.admin.reading_accuracy import Window
from acredita.resources.admin.reading_accuracy_schemas import (
    ClassifierMetrics,
    ExtractionMetrics,
    FieldCalibrationMetrics,
)

router = make_router("/v1/admin/metrics", tag="Administration")

Since = Annotated[Window, Query(description="Counts the labels of this period until now.")]
Format = Annotated[
    Literal["json", "svg"], Query(description="json, or svg for a chart of the metrics.")
]
ANSWERS: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The metrics as JSON or as a chart.",
        "content": {"image/svg+xml": {"schema": {"type": "string"}}},
    }
}
# An SVG opened on its own is a document: forbid scripts.
HEADERS = {"Cache-Control": "no-store", "Content-Security-Policy": "default-src 'none'; sandbox"}


@router.get(
    "/classifier",
    response_model=ClassifierMetrics,
    summary="Get the confusion matrix and accuracy of document types",
    responses=ANSWERS,
)
async def classifier_metrics(
    caller: Admin,
    reader: ListReader,
    services: ServicesDep,
    window: Since = Window.DAY,
    format: Format = "json",
) -> ClassifierMetrics | Response:
    """Compares the labels (`documentTypeOverride`) with the recognized types."""
    now = services.clock.now()
    metrics = await reading_accuracy.classifier(reader, caller.organization_id, window, now)
    return _picture(charts.classifier(metrics)) if format == "svg" else metrics


@router.get(
    "/extraction",
    response_model=ExtractionMetrics,
    summary="Get accuracy, coverage and confidence of each field, compared with labels",
    responses=ANSWERS,
)
async def extraction_metrics(
    caller: Admin,
    reader: ListReader,
    services: ServicesDep,
    window: Since = Window.DAY,
    format: Format = "json",
) -> ExtractionMetrics | Response:
    """Compares the readings of the window with the labels that reviewers gave. With `format=svg`
    the response is a chart.
    """
    now = services.clock.now()
    metrics = await reading_accuracy.extraction(reader, caller.organization_id, window, now)
    return _picture(charts.extraction(metrics)) if format == "svg" else metrics


@router.get(
    "/field-calibration",
    response_model=FieldCalibrationMetrics,
    summary="Get the calibration of confidences and suggested thresholds",
    responses=ANSWERS,
)
async def field_calibration_metrics(
    caller: Admin,
    reader: ListReader,
    services: ServicesDep,
    window: Since = Window.DAY,
    format: Format = "json",
) -> FieldCalibrationMetrics | Response:
    """Reliability curve, expected calibration error, and for each field the thresholds that
    `acredita calibrate` would write. The request changes nothing.
    """
    now = services.clock.now()
    metrics = await reading_accuracy.field_calibration(reader, caller.organization_id, window, now)
    return _picture(charts.field_calibration(metrics)) if format == "svg" else metrics


def _picture(content: bytes) -> Response:
    return Response(content, media_type="image/svg+xml", headers=HEADERS)
