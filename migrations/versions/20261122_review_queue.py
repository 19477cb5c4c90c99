"""Verifications in review have a queue, and what happened each day is counted as it changes.

Revision: 0038, after 0037
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0038"
down_revision = "0037"
branch_labels = None
depends_on = None

# The codes of a decision: "FACE_MATCH: FACE_MISMATCH" has the code FACE_MISMATCH.
CODES = """
CREATE FUNCTION decision_codes(decision jsonb) RETURNS SETOF text LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(nullif(split_part(reason, ': ', 2), ''), reason)
    FROM jsonb_array_elements_text(CASE jsonb_typeof(decision->'reasons')
                                   WHEN 'array' THEN decision->'reasons' ELSE '[]' END)
        WITH ORDINALITY AS given (reason, place)
    GROUP BY 1 ORDER BY min(place)
$$
"""
# What is counted about a verification, by the day of its creation. The intervals of `seconds` are
# those of domain/overview: eight to each doubling.
MEASURES = """
CREATE FUNCTION verification_measures(status text, created_at timestamptz,
                                      completed_at timestamptz, decision jsonb)
RETURNS SETOF text LANGUAGE sql IMMUTABLE AS $$
    SELECT 'created'
    UNION ALL SELECT status WHERE status NOT IN ('PENDING', 'IN_PROGRESS')
    UNION ALL SELECT 'seconds:' || floor(8 * log(2,
        greatest(1, extract(epoch FROM completed_at - created_at)))) WHERE completed_at IS NOT NULL
    UNION ALL SELECT 'reason:' || code FROM decision_codes(decision) AS code
$$
"""
DAY = "(({row}.created_at AT TIME ZONE 'UTC')::date)"
MEASURES_OF = (
    "verification_measures({row}.status, {row}.created_at, {row}.completed_at, {row}.decision)"
)
ADD = "INSERT INTO verification_day_tally (organization_id, day, workflow_id, measure, change)"
SUBMITTED = "status NOT IN ('PENDING', 'EXPIRED')"
ROWS = f"""
CREATE FUNCTION verification_day_rows() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    {ADD} SELECT organization_id, day, workflow_id, measure,
            CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
        FROM (
            SELECT organization_id, {DAY.format(row="changed")} AS day, workflow_id, measure
            FROM changed, {MEASURES_OF.format(row="changed")} AS measure
            UNION ALL
            SELECT organization_id, {DAY.format(row="changed")}, workflow_id, 'submitted'
            FROM changed WHERE {SUBMITTED}
        ) AS counted GROUP BY organization_id, day, workflow_id, measure;
    IF TG_OP = 'INSERT' THEN
        INSERT INTO verification_review
                (verification_id, organization_id, workflow_id, waiting_since, reasons)
            SELECT id, organization_id, workflow_id, updated_at,
                ARRAY(SELECT decision_codes(decision))
            FROM changed WHERE status = 'MANUAL_REVIEW' AND purged_at IS NULL;
    END IF;
    RETURN NULL;
END $$
"""  # noqa: S608 (constants)
MOVE = f"""
CREATE FUNCTION verification_day_move() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    {ADD} SELECT organization_id, day, workflow_id, measure, sum(change) FROM (
        SELECT NEW.organization_id, {DAY.format(row="NEW")}, NEW.workflow_id, measure, 1
            FROM {MEASURES_OF.format(row="NEW")} AS measure
        UNION ALL
        SELECT OLD.organization_id, {DAY.format(row="OLD")}, OLD.workflow_id, measure, -1
            FROM {MEASURES_OF.format(row="OLD")} AS measure
        UNION ALL
        SELECT NEW.organization_id, {DAY.format(row="NEW")}, NEW.workflow_id, 'submitted', 1
            WHERE OLD.status = 'PENDING' AND NEW.{SUBMITTED}
    ) AS moved (organization_id, day, workflow_id, measure, change)
    GROUP BY organization_id, day, workflow_id, measure HAVING sum(change) <> 0;
    IF NEW.status = 'MANUAL_REVIEW' AND NEW.purged_at IS NULL THEN
        INSERT INTO verification_review
                (verification_id, organization_id, workflow_id, waiting_since, reasons)
            VALUES (NEW.id, NEW.organization_id, NEW.workflow_id, NEW.updated_at,
                    ARRAY(SELECT decision_codes(NEW.decision)))
            ON CONFLICT DO NOTHING;
    ELSIF OLD.status = 'MANUAL_REVIEW' THEN
        DELETE FROM verification_review WHERE verification_id = NEW.id;
    END IF;
    RETURN NULL;
END $$
"""  # noqa: S608 (constants)
COUNTED = "organization_id, workflow_id, status, created_at, completed_at, decision, purged_at"
TRIGGERS = {
    "day_inserts": """
        AFTER INSERT ON verification REFERENCING NEW TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION verification_day_rows()
    """,
    "day_deletes": """
        AFTER DELETE ON verification REFERENCING OLD TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION verification_day_rows()
    """,
    "day_moves": f"""
        AFTER UPDATE ON verification FOR EACH ROW
        WHEN (({", ".join(f"OLD.{name}" for name in COUNTED.split(", "))}) IS DISTINCT FROM
              ({", ".join(f"NEW.{name}" for name in COUNTED.split(", "))}))
        EXECUTE FUNCTION verification_day_move()
    """,
}
FUNCTIONS = (
    "verification_day_rows()",
    "verification_day_move()",
    "verification_measures(text, timestamptz, timestamptz, jsonb)",
    "decision_codes(jsonb)",
)
# All rows, less those that the triggers have counted by now: of one snapshot, so no lock is needed.
# An expired verification was submitted if one of its steps began.
COUNT = f"""
    {ADD} SELECT organization_id, day, workflow_id, measure, sum(change) FROM (
        SELECT organization_id, {DAY.format(row="v")}, workflow_id, measure, count(*)
        FROM verification AS v, {MEASURES_OF.format(row="v")} AS measure GROUP BY 1, 2, 3, 4
        UNION ALL
        SELECT organization_id, {DAY.format(row="v")}, workflow_id, 'submitted', count(*)
        FROM verification AS v WHERE {SUBMITTED} OR status = 'EXPIRED' AND EXISTS (
            SELECT FROM verification_step WHERE verification_id = v.id AND started_at IS NOT NULL
        ) GROUP BY 1, 2, 3
        UNION ALL
        SELECT organization_id, day, workflow_id, measure, -sum(change)
        FROM verification_day_tally GROUP BY 1, 2, 3, 4
    ) AS counted (organization_id, day, workflow_id, measure, change)
    GROUP BY organization_id, day, workflow_id, measure HAVING sum(change) <> 0
"""  # noqa: S608 (constants)
# The lock makes a concurrent change wait for the batch, or the batch for the change, so the copy
# has no verification that has left the review. A proposal waits if nothing about a decision follows.
COPY = sa.text(
    """
    WITH batch AS (
        SELECT id, organization_id, workflow_id, updated_at, decision FROM verification
        WHERE id > CAST(:last AS uuid) AND status = 'MANUAL_REVIEW' AND purged_at IS NULL
        ORDER BY id LIMIT 2000 FOR SHARE
    ), added AS (
        INSERT INTO verification_review
                (verification_id, organization_id, workflow_id, waiting_since, reasons, proposed_by)
            SELECT id, organization_id, workflow_id, updated_at,
                ARRAY(SELECT decision_codes(decision)), (
                    SELECT CASE kind WHEN 'verification.decision_proposed' THEN actor_id END
                    FROM verification_history
                    WHERE verification_id = batch.id AND kind IN (
                        'verification.decided', 'verification.overridden',
                        'verification.decision_proposed', 'verification.decision_declined')
                    ORDER BY created_at DESC, id DESC LIMIT 1
                )
            FROM batch ON CONFLICT DO NOTHING
    )
    SELECT (array_agg(id::text ORDER BY id DESC))[1] FROM batch
    """
)


def upgrade() -> None:
    op.execute("SELECT pg_temp.lock_tables('verification', 'organization', 'user_account')")
    _drop("IF EXISTS")
    op.execute("ALTER TABLE organization ADD COLUMN review_sla_hours integer")
    _make_tables()
    for function in (CODES, MEASURES, ROWS, MOVE):
        op.execute(function)
    for name, definition in TRIGGERS.items():
        op.execute(f"CREATE TRIGGER {name} {definition}")
    with op.get_context().autocommit_block():
        op.execute("SET statement_timeout = 0")
        last: str | None = "00000000-0000-0000-0000-000000000000"
        while last is not None:
            last = op.get_bind().scalar(COPY, {"last": last})
        op.execute(COUNT)
        op.execute("SET statement_timeout = '60s'")


def _make_tables() -> None:
    op.create_table(
        "verification_review",
        sa.Column("verification_id", sa.Uuid(), nullable=False),
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("workflow_id", sa.Uuid(), nullable=False),
        sa.Column("waiting_since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("reasons", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("proposed_by", sa.Uuid(), nullable=True),
        sa.Column("lease_owner", sa.Uuid(), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["verification_id"],
            ["verification.id"],
            name=op.f("fk_verification_review_verification_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("verification_id", name=op.f("pk_verification_review")),
        postgresql_with={"fillfactor": 80},
    )
    op.create_index(
        "ix_verification_review_queue",
        "verification_review",
        ["organization_id", "waiting_since", "verification_id"],
    )
    op.create_table(
        "review_filter",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("filter", postgresql.JSONB(), nullable=False),
        sa.ForeignKeyConstraint(
            ["organization_id"], ["organization.id"], name=op.f("fk_review_filter_organization_id")
        ),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["user_account.id"],
            name=op.f("fk_review_filter_user_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_review_filter")),
        sa.UniqueConstraint("user_id", "name", name=op.f("uq_review_filter_user_id_name")),
    )
    op.create_table(
        "verification_day_tally",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("workflow_id", sa.Uuid(), nullable=False),
        sa.Column("measure", sa.Text(), nullable=False),
        sa.Column("change", sa.BigInteger(), nullable=False),
        sa.Column("is_sum", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_verification_day_tally")),
    )
    op.create_index(
        "ix_verification_day_tally_of",
        "verification_day_tally",
        ["organization_id", "day", "workflow_id", "measure"],
        postgresql_include=["change"],
    )
    op.create_index(
        "ix_verification_day_tally_new",
        "verification_day_tally",
        ["id"],
        postgresql_where=sa.text("NOT is_sum"),
    )


def _drop(if_exists: str = "") -> None:
    """Also what a run that failed later has left."""
    for name in TRIGGERS:
        op.execute(f"DROP TRIGGER {if_exists} {name} ON verification")
    for function in FUNCTIONS:
        op.execute(f"DROP FUNCTION {if_exists} {function}")
    for table in ("verification_day_tally", "review_filter", "verification_review"):
        op.execute(f"DROP TABLE {if_exists} {table}")
    op.execute(f"ALTER TABLE organization DROP COLUMN {if_exists} review_sla_hours")


def downgrade() -> None:
    op.execute("SELECT pg_temp.lock_tables('verification', 'organization', 'user_account')")
    _drop()
