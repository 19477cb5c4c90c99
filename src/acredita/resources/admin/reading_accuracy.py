"""Accuracy of document reading, from reviewers' labels. Labels have no personal values.

Only the last label of each document counts, if it was made within the window.
"""

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final
from uuid import UUID

from sqlalchemy import RowMapping, text
from sqlalchemy.ext.asyncio import AsyncConnection

from acredita.domain.documents import calibration
from acredita.domain.documents.calibration import Sample, Threshold
from acredita.domain.documents.findings import Confirmation
from acredita.resources.admin.reading_accuracy_schemas import (
    BinShape,
    ClassifierMetrics,
    ConfusionCell,
    ExtractionMetrics,
    FieldCalibration,
    FieldCalibrationMetrics,
    FieldExtraction,
    ThresholdShape,
    TypeAccuracy,
)

TARGET_PRECISION: Final = 0.99
BINS: Final = 10
HELD_OUT: Final = 5


class Window(StrEnum):
    DAY = "24h"
    WEEK = "7d"
    MONTH = "30d"

    @property
    def length(self) -> timedelta:
        return {"24h": timedelta(hours=24), "7d": timedelta(days=7), "30d": timedelta(days=30)}[
            self
        ]


COUNTED = "label.organization_id = :mine AND label.is_last AND label.created_at > :since"
FIELDS = f"""
    FROM training_label AS label JOIN training_field AS said ON said.label_id = label.id
    WHERE {COUNTED}
"""
DOCUMENTS = text(f"SELECT count(*) FROM training_label AS label WHERE {COUNTED}")  # noqa: S608
CONFUSION = text(f"""
    SELECT read_type, document_type, count(*) AS documents
    FROM training_label AS label WHERE {COUNTED}
    GROUP BY read_type, document_type ORDER BY read_type, document_type
""")  # noqa: S608
TYPES = text(f"""
    WITH counted AS (
        SELECT read_type, document_type FROM training_label AS label WHERE {COUNTED}
    ), types AS (SELECT read_type AS type FROM counted UNION SELECT document_type FROM counted)
    SELECT type AS doc_type,
        count(*) FILTER (WHERE document_type = type) AS documents,
        count(*) FILTER (WHERE read_type = type) AS read_as_this,
        count(*) FILTER (WHERE document_type = type AND read_type = type) AS correct,
        count(*) FILTER (WHERE document_type = type AND read_type = type)::float8
            / nullif(count(*) FILTER (WHERE document_type = type), 0) AS accuracy,
        count(*) FILTER (WHERE document_type = type AND read_type = type)::float8
            / nullif(count(*) FILTER (WHERE read_type = type), 0) AS precision
    FROM types JOIN counted ON types.type IN (read_type, document_type)
    GROUP BY type ORDER BY type
""")  # noqa: S608
EXTRACTION = text(f"""
    SELECT field, count(*) AS labels,
        count(*) FILTER (WHERE is_present) AS present,
        count(*) FILTER (WHERE was_read) AS read,
        count(*) FILTER (WHERE is_present AND was_read)::float8
            / nullif(count(*) FILTER (WHERE is_present), 0) AS coverage,
        count(*) FILTER (WHERE was_read AND is_correct)::float8
            / nullif(count(is_correct) FILTER (WHERE was_read), 0) AS accuracy,
        round(avg(confidence)::numeric, 6)::float8 AS mean_confidence,
        count(*) FILTER (WHERE decision = 'ACCEPTED') AS accepted,
        count(*) FILTER (WHERE decision = 'ACCEPTED' AND NOT is_correct) AS wrongly_accepted,
        count(*) FILTER (WHERE decision = 'REVIEW' AND is_correct) AS needlessly_reviewed,
        count(*) FILTER (WHERE was_read AND NOT is_present) AS read_where_absent,
        count(*) FILTER (WHERE is_metamap_correct)::float8
            / nullif(count(is_metamap_correct), 0) AS metamap_accuracy
    {FIELDS} GROUP BY field ORDER BY field
""")
# Rows without a field are about all fields together.
RELIABILITY = text(f"""
    WITH judged AS (
        SELECT field, confidence, is_correct::int AS correct,
            least(floor(confidence * {BINS})::int, {BINS - 1}) AS bin
        {FIELDS} AND was_read AND is_correct IS NOT NULL
    )
    SELECT field, bin, count(*) AS readings,
        round(avg(confidence)::numeric, 6)::float8 AS mean_confidence,
        avg(correct)::float8 AS accuracy
    FROM judged GROUP BY GROUPING SETS ((bin), (field, bin)) ORDER BY field NULLS FIRST, bin
""")  # noqa: S608
SAMPLES = text("""
    SELECT field, confirmation, confidence,
        mod(hashtext(label.document_id::text), :parts) = 0 AS is_held_out,
        count(*) FILTER (WHERE is_correct) AS correct, count(*) AS readings
    FROM training_label AS label JOIN training_field AS said ON said.label_id = label.id
    WHERE label.is_last AND label.created_at > :since AND is_decided_by_confidence
        AND is_correct IS NOT NULL AND confirmation IS NOT NULL
        AND (CAST(:mine AS uuid) IS NULL OR label.organization_id = :mine)
    GROUP BY field, confirmation, confidence, is_held_out
    ORDER BY field, confirmation, confidence, is_held_out
""")


async def classifier(
    connection: AsyncConnection, organization_id: UUID, window: Window, now: datetime
) -> ClassifierMetrics:
    """Compare recognized document types with labels."""
    asked = {"mine": organization_id, "since": now - window.length}
    cells = (await connection.execute(CONFUSION, asked)).all()
    types = (await connection.execute(TYPES, asked)).mappings()
    documents = sum(cell.documents for cell in cells)
    correct = sum(cell.documents for cell in cells if cell.read_type == cell.document_type)
    return ClassifierMetrics(
        window=window.value,
        documents=documents,
        accuracy=correct / documents if documents else None,
        confusion_matrix=[
            ConfusionCell(read_as=read_as, labelled=labelled, documents=count)
            for read_as, labelled, count in cells
        ],
        by_document_type=[TypeAccuracy.model_validate(dict(row)) for row in types],
    )


async def extraction(
    connection: AsyncConnection, organization_id: UUID, window: Window, now: datetime
) -> ExtractionMetrics:
    asked = {"mine": organization_id, "since": now - window.length}
    rows = (await connection.execute(EXTRACTION, asked)).mappings()
    fields = [FieldExtraction.model_validate(dict(row)) for row in rows]
    documents = await connection.scalar(DOCUMENTS, asked)
    return ExtractionMetrics(window=window.value, documents=documents or 0, fields=fields)


async def field_calibration(
    connection: AsyncConnection, organization_id: UUID, window: Window, now: datetime
) -> FieldCalibrationMetrics:
    since = now - window.length
    asked = {"mine": organization_id, "since": since}
    by_field: dict[str | None, list[RowMapping]] = defaultdict(list)
    for row in (await connection.execute(RELIABILITY, asked)).mappings():
        by_field[row["field"]].append(row)
    seen, held_out = await samples_since(connection, since, organization_id)
    fitted = await asyncio.to_thread(calibration.fit, [*seen, *held_out], TARGET_PRECISION)
    every = by_field.pop(None, [])
    return FieldCalibrationMetrics(
        window=window.value,
        readings=_count(every),
        expected_calibration_error=_error(every),
        bins=_bins(every),
        target_precision=TARGET_PRECISION,
        labels_needed=calibration.labels_needed(TARGET_PRECISION),
        fields=[
            FieldCalibration(
                field=name,
                readings=_count(rows),
                expected_calibration_error=_error(rows),
                bins=_bins(rows),
                suggested_thresholds=[_shape(t) for t in fitted if t.field == name],
            )
            for name, rows in by_field.items()
            if name is not None
        ],
    )


async def samples_since(
    connection: AsyncConnection, since: datetime, organization_id: UUID | None
) -> tuple[list[Sample], list[Sample]]:
    """(training samples, held-out samples) for fitting thresholds; of one organization or all.

    One document in HELD_OUT is held out, always the same ones. They measure thresholds that were
    fitted to the training samples.
    """
    asked = {"mine": organization_id, "since": since, "parts": HELD_OUT}
    lists: tuple[list[Sample], list[Sample]] = ([], [])
    for row in await connection.execute(SAMPLES, asked):
        confirmation = Confirmation[row.confirmation]
        lists[row.is_held_out].append(
            Sample(row.field, confirmation, row.confidence, row.correct, row.readings)
        )
    return lists


def _count(bins: Sequence[RowMapping]) -> int:
    return sum(row["readings"] for row in bins)


def _error(bins: Sequence[RowMapping]) -> float | None:
    """Expected calibration error (ECE): mean |accuracy - confidence|, weighted by readings."""
    apart = sum(row["readings"] * abs(row["accuracy"] - row["mean_confidence"]) for row in bins)
    return round(apart / count, 6) if (count := _count(bins)) else None


def _bins(rows: Sequence[RowMapping]) -> list[BinShape]:
    """All bins, including empty ones."""
    by_number: dict[int, Any] = {row["bin"]: row for row in rows}
    shapes = []
    for number in range(BINS):
        row = by_number.get(number, {})
        shapes.append(
            BinShape(
                from_confidence=number / BINS,
                to_confidence=(number + 1) / BINS,
                readings=row.get("readings", 0),
                mean_confidence=row.get("mean_confidence"),
                accuracy=row.get("accuracy"),
            )
        )
    return shapes


def _shape(threshold: Threshold) -> ThresholdShape:
    return ThresholdShape(
        confirmation=threshold.confirmation.name,
        least_confidence=threshold.least_confidence,
        rules_least_confidence=threshold.confirmation.least_confidence,
        labels=threshold.samples,
        precision=threshold.precision,
    )
