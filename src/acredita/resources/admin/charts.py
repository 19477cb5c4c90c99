"""Draw the metrics of document reading as SVG pictures."""

from collections import Counter
from itertools import pairwise
from typing import Final

from acredita.kit.svg import Drawing
from acredita.resources.admin.reading_accuracy_schemas import (
    ClassifierMetrics,
    ExtractionMetrics,
    FieldCalibrationMetrics,
)

_BLUE: Final = "#1a56db"
_ORANGE: Final = "#c2410c"
_GREY: Final = "#8a93a3"
_PALE: Final = "#eef1f6"
_ROW: Final = 26
_NOTHING: Final = "No labels in this window."


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f} %"


def classifier(metrics: ClassifierMetrics) -> bytes:
    """The confusion matrix: rows are labelled types, columns are recognized types."""
    types = [each.doc_type for each in metrics.by_document_type]
    cells = {(cell.labelled, cell.read_as): cell.documents for cell in metrics.confusion_matrix}
    in_row: Counter[str] = Counter()
    for (labelled, _), count in cells.items():
        in_row[labelled] += count
    side, left, top = 92, 190, 96
    drawing = Drawing(
        left + side * max(len(types), 3) + 24,
        top + _ROW * max(len(types), 1) + 48,
        title=f"Documents by type, last {metrics.window}",
        description=f"{metrics.documents} labelled documents, {_percent(metrics.accuracy)} read as"
        " what they are. "
        + "; ".join(
            f"{each.doc_type}: {_percent(each.accuracy)} of {each.documents}"
            for each in metrics.by_document_type
        ),
    )
    drawing.text(16, 50, f"{metrics.documents} documents, {_percent(metrics.accuracy)} right")
    if not types:
        drawing.text(16, top, _NOTHING)
    for column, name in enumerate(types):
        drawing.text(left + side * (column + 0.5), top - 10, name, anchor="middle", size=9)
    for row, labelled in enumerate(types):
        y = top + _ROW * row
        drawing.text(left - 12, y + 17, labelled, anchor="end", size=11)
        for column, read_as in enumerate(types):
            count = cells.get((labelled, read_as), 0)
            share = count / in_row[labelled] if in_row[labelled] else 0.0
            colour = _BLUE if labelled == read_as else _ORANGE
            x = left + side * column
            drawing.rectangle(x + 1, y + 1, side - 2, _ROW - 2, fill=_PALE)
            drawing.rectangle(x + 1, y + _ROW - 5, (side - 2) * share, 4, fill=colour)
            drawing.text(x + side / 2, y + 16, str(count), anchor="middle", size=12)
    drawing.text(left, top + _ROW * max(len(types), 1) + 24, "across: read as", size=11)
    return drawing.rendered()


def extraction(metrics: ExtractionMetrics) -> bytes:
    """Two bars per field: accuracy and coverage."""
    left, width, top = 150, 360, 84
    drawing = Drawing(
        left + width + 190,
        top + 34 * max(len(metrics.fields), 1) + 24,
        title=f"Fields, last {metrics.window}",
        description=f"{metrics.documents} labelled documents. "
        + "; ".join(
            f"{each.field}: {_percent(each.accuracy)} right, {_percent(each.coverage)} read"
            for each in metrics.fields
        ),
    )
    drawing.rectangle(16, 44, 12, 12, fill=_BLUE)
    drawing.text(34, 55, "right, of those read")
    drawing.rectangle(186, 44, 12, 12, fill=_GREY)
    drawing.text(204, 55, "read, of those present")
    if not metrics.fields:
        drawing.text(16, top + 10, _NOTHING)
    for number, field in enumerate(metrics.fields):
        y = top + 34 * number
        drawing.text(left - 12, y + 17, field.field, anchor="end")
        for bar, (share, colour) in enumerate(((field.accuracy, _BLUE), (field.coverage, _GREY))):
            drawing.rectangle(left, y + 12 * bar, width, 10, fill=_PALE)
            drawing.rectangle(left, y + 12 * bar, width * (share or 0.0), 10, fill=colour)
        drawing.text(
            left + width + 12,
            y + 17,
            f"{_percent(field.accuracy)} / {_percent(field.coverage)}, n = {field.labels}",
            size=12,
        )
    return drawing.rendered()


def field_calibration(metrics: FieldCalibrationMetrics) -> bytes:
    """The reliability curve. On the dashed line, confidence equals accuracy."""
    left, top, side = 70, 76, 320
    bottom = top + side
    drawing = Drawing(
        left + side + 40,
        bottom + 60,
        title=f"Confidence and accuracy, last {metrics.window}",
        description=f"{metrics.readings} judged readings, expected calibration error"
        f" {_percent(metrics.expected_calibration_error)}. "
        + "; ".join(
            f"confidence {_percent(each.mean_confidence)}: {_percent(each.accuracy)} right of"
            f" {each.readings}"
            for each in metrics.bins
            if each.readings
        ),
    )
    error = _percent(metrics.expected_calibration_error)
    drawing.text(16, 50, f"{metrics.readings} readings, expected calibration error {error}")
    drawing.rectangle(left, top, side, side, fill=_PALE)
    for tenth in range(0, 11, 2):
        at = tenth / 10
        drawing.text(left - 8, bottom - side * at + 4, f"{at:.1f}", anchor="end", size=11)
        drawing.text(left + side * at, bottom + 18, f"{at:.1f}", anchor="middle", size=11)
    drawing.text(left + side / 2, bottom + 40, "confidence", anchor="middle")
    drawing.text(16, top - 8, "share right", size=11)
    drawing.line(left, bottom, left + side, top, colour=_GREY, dashed=True)
    if not metrics.readings:
        drawing.text(left + 16, top + 30, _NOTHING)
    points = [
        (left + side * each.mean_confidence, bottom - side * each.accuracy, each.readings)
        for each in metrics.bins
        if each.mean_confidence is not None and each.accuracy is not None
    ]
    for (x1, y1, _), (x2, y2, _) in pairwise(points):
        drawing.line(x1, y1, x2, y2, colour=_BLUE)
    most = max((count for _, _, count in points), default=1)
    for x, y, count in points:
        drawing.dot(x, y, 3 + 5 * (count / most) ** 0.5, fill=_BLUE)
    return drawing.rendered()
