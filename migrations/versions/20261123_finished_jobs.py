"""Done jobs move to a table that is partitioned by month, and old months are dropped as a whole.

It touches no existing row. Jobs that were done before, or that processes of the former release end,
stay in `job` until the purge deletes them after 30 days: moving one costs more than deleting it.

Revision: 0055, after 0054
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0055"
down_revision = "0054"
branch_labels = None
depends_on = None

# A new partition is attached, not created in place: that takes no exclusive lock on the parent. It
# gives up before PostgreSQL looks for a deadlock (1 s): the job tries again. SECURITY DEFINER: the
# workers' role does not own the tables; so it can drop nothing that is younger than thirty days.
KEEP = """
CREATE FUNCTION keep_job_partitions(keep_from timestamptz, OUT added integer, OUT dropped integer)
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = {schema}, pg_temp
SET timezone = 'UTC' SET lock_timeout = '200ms' AS $$
DECLARE
    child text;
    month timestamptz;
    oldest timestamptz := least(keep_from, now() - interval '30 days');
BEGIN
    added := 0;
    dropped := 0;
    FOR month IN SELECT generate_series(date_trunc('month', now()) + interval '1 month',
            date_trunc('month', now()) + interval '4 months', interval '1 month') LOOP
        child := 'job_finished' || to_char(month, '_YYYY_MM');
        CONTINUE WHEN to_regclass(child) IS NOT NULL;
        EXECUTE format('CREATE TABLE %I (LIKE job_finished INCLUDING ALL)', child);
        EXECUTE format('ALTER TABLE job_finished ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
                       child, month, month + interval '1 month');
        added := added + 1;
    END LOOP;
    FOR child IN
        SELECT relname FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
        WHERE inhparent = 'job_finished'::regclass AND relname <> 'job_finished_rest'
          AND to_timestamp(right(relname, 7), 'YYYY_MM') + interval '1 month' <= oldest
    LOOP
        EXECUTE format('DROP TABLE %I', child);
        dropped := dropped + 1;
    END LOOP;
    DELETE FROM job_finished_rest WHERE finished_at < oldest;
END $$
"""
FIRST_MONTH = """
DO $$
DECLARE month timestamptz;
BEGIN
    SET LOCAL timezone = 'UTC';
    month := date_trunc('month', now());
    EXECUTE format('CREATE TABLE %I PARTITION OF job_finished FOR VALUES FROM (%L) TO (%L)',
                   'job_finished' || to_char(month, '_YYYY_MM'), month, month + interval '1 month');
END $$
"""


def upgrade() -> None:
    op.create_table(
        "job_finished",
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("payload", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("queue", sa.Text(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("last_error", sa.Text(), nullable=True),
        sa.Column("organization_id", sa.Uuid(), nullable=True),
        sa.Column("request_id", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("run_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("finished_at", "id", name=op.f("pk_job_finished")),
        postgresql_partition_by="RANGE (finished_at)",
    )
    op.execute(FIRST_MONTH)
    # A row outside all months: the installation was stopped for months, or its clock was wrong.
    op.execute("CREATE TABLE job_finished_rest PARTITION OF job_finished DEFAULT")
    schema = op.get_bind().scalar(sa.text("SELECT quote_ident(current_schema())"))
    op.execute(KEEP.format(schema=schema))
    op.execute("SELECT keep_job_partitions('-infinity')")


def downgrade() -> None:
    """The former release has no use for these rows."""
    op.execute("DROP FUNCTION keep_job_partitions")
    op.drop_table("job_finished")
