"""The progress of labelling, by batch and by reviewer."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from acredita.domain.caller import Caller, CallerKind
from acredita.domain.documents import PageKind
from acredita.domain.errors import NotFound
from acredita.resources.training.schemas import (
    BatchDetail,
    BatchShape,
    ReviewerStats,
    TrainingStats,
    TypeProgress,
)

MOST_BATCHES = 500
COUNTS = """
    count(item.document_id) AS total,
    count(item.labelled_at) AS labelled,
    count(*) FILTER (WHERE item.lease_until > :now AND item.labelled_at IS NULL) AS in_hand
"""
BATCHES = text(f"""
    SELECT batch.id, batch.name, batch.created_at, {COUNTS}
    FROM training_batch AS batch LEFT JOIN training_item AS item ON item.batch_id = batch.id
    WHERE batch.organization_id = :mine AND (CAST(:id AS uuid) IS NULL OR batch.id = :id)
    GROUP BY batch.id, batch.organization_id
    ORDER BY batch.created_at DESC, batch.id DESC LIMIT :most
""")  # noqa: S608
BY_TYPE = text("""
    SELECT read_type, count(*) AS total, count(labelled_at) AS labelled
    FROM training_item WHERE organization_id = :mine AND batch_id = :id
    GROUP BY read_type ORDER BY read_type
""")
TOTALS = text(f"SELECT {COUNTS} FROM training_item AS item WHERE organization_id = :mine")  # noqa: S608
# Every version counts as work, even if another reviewer's label replaced it.
REVIEWERS = text("""
    SELECT reviewer_id, min(reviewer_kind) AS reviewer_kind,
        count(DISTINCT document_id) AS documents,
        count(DISTINCT document_id) FILTER (
            WHERE created_at > CAST(:now AS timestamptz) - interval '1 day'
        ) AS documents_last_day,
        percentile_cont(0.5) WITHIN GROUP (ORDER BY review_seconds) AS median_review_seconds,
        count(review_seconds) * 3600 / nullif(sum(review_seconds), 0) AS documents_per_hour,
        sum(agreed)::float8 / nullif(sum(compared), 0) AS agreement,
        (
            SELECT count(*) FROM training_skip AS skip
            WHERE skip.organization_id = :mine AND skip.reviewer_id = label.reviewer_id
        ) AS skipped
    FROM training_label AS label
    WHERE organization_id = :mine AND created_at > CAST(:now AS timestamptz) - interval '30 days'
    GROUP BY reviewer_id ORDER BY documents DESC, reviewer_id
""")


async def batches(
    connection: AsyncConnection, caller: Caller, now: datetime, batch_id: UUID | None = None
) -> list[BatchShape]:
    """Return the newest batches, or the one with `batch_id`."""
    rows = await connection.execute(
        BATCHES,
        {"mine": caller.organization_id, "id": batch_id, "now": now, "most": MOST_BATCHES},
    )
    return [BatchShape.model_validate(dict(row)) for row in rows.mappings()]


async def batch(
    connection: AsyncConnection, caller: Caller, batch_id: UUID, now: datetime
) -> BatchDetail:
    """Raise NotFound."""
    found = await batches(connection, caller, now, batch_id)
    if not found:
        raise NotFound
    rows = await connection.execute(BY_TYPE, {"mine": caller.organization_id, "id": batch_id})
    return BatchDetail(
        **dict(found[0]),
        by_doc_type=[
            TypeProgress(doc_type=PageKind(kind), total=total, labelled=labelled)
            for kind, total, labelled in rows
        ],
    )


async def stats(connection: AsyncConnection, caller: Caller, now: datetime) -> TrainingStats:
    mine = {"mine": caller.organization_id, "now": now}
    total, labelled, in_hand = (await connection.execute(TOTALS, mine)).one()
    rows = (await connection.execute(REVIEWERS, mine)).mappings()
    return TrainingStats(
        waiting=total - labelled,
        labelled=labelled,
        in_hand=in_hand,
        reviewers=[
            ReviewerStats.model_validate({**row, "reviewer_kind": CallerKind(row["reviewer_kind"])})
            for row in rows
        ],
    )
