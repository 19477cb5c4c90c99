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


def upgrade() -> None:
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
    op.create_index(
        "ix_job_oldest",
        "job",
        [sa.text(f"coalesce(organization_id, '{LAST}'::uuid)"), "kind", "run_at"],
        postgresql_where=sa.text("state = 'pending'"),
    )
    op.create_index(
        "ix_delivery_new",
        "delivery",
        ["next_at", "receiver_id"],
        postgresql_where=sa.text("state = 'pending'"),
    )
    for table, (columns, counted) in COUNTED.items():
        for function in _functions(table):
            op.execute(function)
        for name, definition in TRIGGERS.items():
            op.execute(f"CREATE TRIGGER {name} {definition.format(table=table)}")
        # Exact: making a trigger locks the table against changes until the migration commits.
        count = f"{ADD} SELECT {columns}, count(*) FROM {table} WHERE {counted} {GROUPS}"  # noqa: S608
        op.execute(count)


def downgrade() -> None:
    for table in COUNTED:
        for name in TRIGGERS:
            op.execute(f"DROP TRIGGER {name} ON {table}")
        op.execute(f"DROP FUNCTION {table}_work_rows")
        op.execute(f"DROP FUNCTION {table}_work_moves")
    op.drop_index("ix_delivery_new", table_name="delivery")
    op.drop_index("ix_job_oldest", table_name="job")
    op.drop_table("work_tally")
