"""The numbers of jobs and deliveries in each state are kept as the tables change.

Revision: 0028, after 0027
"""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None

LAST = "ffffffff-ffff-ffff-ffff-ffffffffffff"
JOB = """
    organization_id, queue, kind, state,
    CASE state WHEN 'pending' THEN date_trunc('second', run_at) ELSE '-infinity' END
"""
# Deliveries that ended long ago are in no number, so none of their rows stays.
DELIVERY = """
    organization_id, 'deliveries', '', state,
    CASE state WHEN 'pending' THEN '-infinity'::timestamptz
               ELSE date_trunc('hour', finished_at) END
"""
COUNTED = {
    "job": (JOB, "state IN ('pending', 'dead')"),
    "delivery": (DELIVERY, "state = 'pending' OR finished_at > now() - interval '2 days'"),
}
ADD = "INSERT INTO work_tally (organization_id, queue, kind, state, at, change)"
GROUPS = "GROUP BY 1, 2, 3, 4, 5"


def _functions(table: str) -> tuple[str, str]:
    columns, counted = COUNTED[table]
    rows = f"""
CREATE FUNCTION {table}_work_rows() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    {ADD} SELECT {columns}, CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
        FROM changed WHERE {counted} {GROUPS};
    RETURN NULL;
END $$
"""  # noqa: S608 (constants)
    moves = f"""
CREATE FUNCTION {table}_work_moves() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    {ADD} SELECT organization_id, queue, kind, state, at, sum(change) FROM (
        SELECT {columns}, -count(*) FROM before WHERE {counted} {GROUPS}
        UNION ALL
        SELECT {columns}, count(*) FROM changed WHERE {counted} {GROUPS}
    ) AS moved (organization_id, queue, kind, state, at, change)
    {GROUPS} HAVING sum(change) <> 0;
    RETURN NULL;
END $$
"""  # noqa: S608 (constants)
    return rows, moves


TRIGGERS = {
    "work_inserts": """
        AFTER INSERT ON {table} REFERENCING NEW TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION {table}_work_rows()
    """,
    "work_deletes": """
        AFTER DELETE ON {table} REFERENCING OLD TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION {table}_work_rows()
    """,
    "work_moves": """
        AFTER UPDATE ON {table} REFERENCING OLD TABLE AS before NEW TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION {table}_work_moves()
    """,
}


PARTITIONS = sa.text(
    "SELECT relname FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid"
    " WHERE inhparent = 'delivery'::regclass"
)
NEW_DELIVERIES = "(next_at, receiver_id) WHERE state = 'pending'"


def upgrade() -> None:
    with op.get_context().autocommit_block():
        _drop_what_a_failed_run_left()
        _index()
    _make_table()
    with op.get_context().autocommit_block():
        for table in COUNTED:
            _make_triggers(table)
    op.execute("SET LOCAL statement_timeout = 0")
    for table in COUNTED:
        op.execute(_count(table))


def _drop_what_a_failed_run_left() -> None:
    for table in COUNTED:
        for name in TRIGGERS:
            op.execute(f"DROP TRIGGER IF EXISTS {name} ON {table}")
        op.execute(f"DROP FUNCTION IF EXISTS {table}_work_rows")
        op.execute(f"DROP FUNCTION IF EXISTS {table}_work_moves")
    op.execute("DROP TABLE IF EXISTS work_tally")
    op.execute("DROP INDEX IF EXISTS ix_delivery_new")


def _index() -> None:
    """Index jobs and deliveries while the service changes them."""
    op.execute("SET statement_timeout = 0")
    # These wait for older transactions, and nothing waits for them.
    op.execute("SET lock_timeout = 0")
    op.execute("DROP INDEX CONCURRENTLY IF EXISTS ix_job_oldest")
    op.execute(
        "CREATE INDEX CONCURRENTLY ix_job_oldest ON job"
        f" (coalesce(organization_id, '{LAST}'::uuid), kind, run_at) WHERE state = 'pending'"
    )
    partitions = list(op.get_bind().scalars(PARTITIONS))
    for partition in partitions:
        op.execute(f"DROP INDEX CONCURRENTLY IF EXISTS ix_{partition}_new")
        op.execute(f"CREATE INDEX CONCURRENTLY ix_{partition}_new ON {partition} {NEW_DELIVERIES}")
    op.execute("SET lock_timeout = '4s'")
    op.execute("SET statement_timeout = '60s'")
    # A partitioned table takes no concurrent index. This one builds none: it adopts those.
    op.execute(f"CREATE INDEX ix_delivery_new ON delivery {NEW_DELIVERIES}")


def _make_table() -> None:
    op.create_table(
        "work_tally",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("organization_id", sa.Uuid(), nullable=True),
        sa.Column("queue", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("change", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_work_tally")),
    )
    op.create_index("ix_work_tally_of", "work_tally", ["organization_id", "queue", "kind"])


def _make_triggers(table: str) -> None:
    """Make all triggers of a table at one moment. The lock waits for the changes under way, so from
    that moment on every change adds its rows."""
    for function in _functions(table):
        op.execute(function)
    triggers = "".join(
        f"CREATE TRIGGER {name} {definition.format(table=table)};"
        for name, definition in TRIGGERS.items()
    )
    op.execute(f"DO $$ BEGIN {triggers} END $$")


def _count(table: str) -> str:
    """Return the statement that adds the rows from before the triggers: all rows, less those that
    the triggers have counted. Both are of the statement's snapshot, so the sums are exact although
    the table changes, and no lock is needed."""
    columns, counted = COUNTED[table]
    of_table = f"queue {'=' if table == 'delivery' else '<>'} 'deliveries'"
    return f"""
        {ADD} SELECT organization_id, queue, kind, state, at, sum(change) FROM (
            SELECT {columns}, count(*) FROM {table} WHERE {counted} {GROUPS}
            UNION ALL
            SELECT organization_id, queue, kind, state, at, -sum(change) FROM work_tally
            WHERE {of_table} {GROUPS}
        ) AS counted (organization_id, queue, kind, state, at, change)
        {GROUPS} HAVING sum(change) <> 0
    """  # noqa: S608 (constants)


def downgrade() -> None:
    for table in COUNTED:
        for name in TRIGGERS:
            op.execute(f"DROP TRIGGER {name} ON {table}")
        op.execute(f"DROP FUNCTION {table}_work_rows")
        op.execute(f"DROP FUNCTION {table}_work_moves")
    op.drop_index("ix_delivery_new", table_name="delivery")
    op.drop_index("ix_job_oldest", table_name="job")
    op.drop_table("work_tally")
