"""Events, deliveries and attempts are partitioned by month, and old months are dropped as a whole.

The existing rows become the first partition, without a copy. What takes long (an index, the check of
each table's range) runs before the lock; the rest changes only the catalogue.

Revision: 0025, after 0024
"""

from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

# The tables, with the UUIDv7 that chooses the partition. Attempts first: they are dropped first.
KEYS = {"delivery_attempt": "id", "delivery": "event_id", "event": "id"}
# The first UUIDv7 of a moment (RFC 9562).
FIRST_ID = """
CREATE FUNCTION first_uuid7(moment timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
    SELECT (lpad(to_hex((extract(epoch FROM moment) * 1000)::bigint), 12, '0')
            || repeat('0', 20))::uuid
$$
"""
# A new partition is attached, not created in place: that takes no exclusive lock on the parent. The
# lowest existing month ends the range of the partition "before". If there is anything to do, it takes
# all locks first, in the order in which the service takes them, and gives up before PostgreSQL looks
# for a deadlock (1 s): the job tries again. SECURITY DEFINER: the workers' role
# does not own the tables; so it can drop nothing that is younger than thirty days.
KEEP = """
CREATE FUNCTION keep_partitions(keep_from timestamptz, OUT added integer, OUT dropped integer)
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = {schema}, pg_temp
SET timezone = 'UTC' SET lock_timeout = '200ms' AS $$
DECLARE
    parent text;
    child text;
    month timestamptz;
    oldest timestamptz := least(keep_from, now() - interval '30 days');
BEGIN
    added := 0;
    dropped := 0;
    FOREACH parent IN ARRAY ARRAY['delivery_attempt', 'delivery', 'event'] LOOP
        FOR month IN SELECT generate_series(date_trunc('month', now()) + interval '1 month',
                date_trunc('month', now()) + interval '4 months', interval '1 month') LOOP
            child := parent || to_char(month, '_YYYY_MM');
            CONTINUE WHEN to_regclass(child) IS NOT NULL;
            IF added + dropped = 0 THEN
                LOCK TABLE verification IN SHARE ROW EXCLUSIVE MODE;
                LOCK TABLE event, delivery, delivery_attempt IN ACCESS EXCLUSIVE MODE;
            END IF;
            EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS)',
                           child, parent);
            EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
                           parent, child, first_uuid7(month),
                           first_uuid7(month + interval '1 month'));
            added := added + 1;
        END LOOP;
        -- Each month ends where the next one starts, and "before" ends where the first one starts.
        FOR child IN
            SELECT name FROM (
                SELECT relname AS name, lead(relname) OVER (ORDER BY relname <> parent || '_before',
                                                            relname) AS following
                FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
                WHERE inhparent = parent::regclass AND relname <> parent || '_rest'
            ) AS partition
            WHERE to_timestamp(right(following, 7), 'YYYY_MM') <= oldest
        LOOP
            IF added + dropped = 0 THEN
                LOCK TABLE verification IN SHARE ROW EXCLUSIVE MODE;
                LOCK TABLE event, delivery, delivery_attempt IN ACCESS EXCLUSIVE MODE;
            END IF;
            EXECUTE format('DROP TABLE %I', child);
            dropped := dropped + 1;
        END LOOP;
    END LOOP;
END $$
"""
# All tables that the migration changes or refers to.
LOCK = """
SELECT pg_temp.lock_tables(
    'verification', 'webhook_endpoint', 'event', 'delivery', 'delivery_attempt')
"""
PARENTS = {
    "event": """
        ALTER TABLE event ADD CONSTRAINT pk_event PRIMARY KEY (id);
        CREATE INDEX ix_event_verification ON event (verification_id, id);
        ALTER TABLE event ADD CONSTRAINT fk_event_organization_id
            FOREIGN KEY (organization_id) REFERENCES organization (id);
        ALTER TABLE event ADD CONSTRAINT fk_event_verification_id
            FOREIGN KEY (verification_id) REFERENCES verification (id) ON DELETE CASCADE
    """,
    "delivery": """
        ALTER TABLE delivery ADD CONSTRAINT pk_delivery PRIMARY KEY (id, event_id);
        CREATE UNIQUE INDEX uq_delivery_event_id_endpoint_id
            ON delivery (event_id, endpoint_id) NULLS NOT DISTINCT;
        CREATE INDEX ix_delivery_pending ON delivery (receiver_id, next_at, event_id)
            WHERE state = 'pending';
        CREATE INDEX ix_delivery_log ON delivery (endpoint_id, created_at, id);
        CREATE INDEX ix_delivery_finished ON delivery (organization_id, finished_at)
            INCLUDE (state) WHERE finished_at IS NOT NULL;
        ALTER TABLE delivery ADD CONSTRAINT fk_delivery_organization_id
            FOREIGN KEY (organization_id) REFERENCES organization (id);
        ALTER TABLE delivery ADD CONSTRAINT fk_delivery_endpoint_id
            FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoint (id)
    """,
    "delivery_attempt": """
        ALTER TABLE delivery_attempt ADD CONSTRAINT pk_delivery_attempt PRIMARY KEY (id);
        CREATE INDEX ix_delivery_attempt_delivery ON delivery_attempt (delivery_id, number)
    """,
}


def upgrade() -> None:
    end = _start_of_next_month()
    with op.get_context().autocommit_block():
        op.execute("SET statement_timeout = 0")
        # Left by a run that failed later.
        op.execute("DROP INDEX CONCURRENTLY IF EXISTS pk_delivery_new")
        # It waits for older transactions, and nothing waits for it.
        op.execute("SET lock_timeout = 0")
        op.execute("CREATE UNIQUE INDEX CONCURRENTLY pk_delivery_new ON delivery (id, event_id)")
        op.execute("SET lock_timeout = '4s'")
        for table, key in KEYS.items():
            op.execute(f"ALTER TABLE {table} DROP CONSTRAINT IF EXISTS first_partition")
            op.execute(
                f"ALTER TABLE {table} ADD CONSTRAINT first_partition"
                f" CHECK ({key} < '{_first_id(end)}') NOT VALID"
            )
            op.execute(f"ALTER TABLE {table} VALIDATE CONSTRAINT first_partition")
        op.execute("SET statement_timeout = '60s'")
    op.execute(LOCK)
    op.execute("ALTER TABLE delivery_attempt DROP CONSTRAINT fk_delivery_attempt_delivery_id")
    op.execute("ALTER TABLE delivery DROP CONSTRAINT fk_delivery_event_id")
    op.execute("ALTER TABLE delivery DROP CONSTRAINT pk_delivery")
    op.execute(
        "ALTER TABLE delivery ADD CONSTRAINT pk_delivery PRIMARY KEY USING INDEX pk_delivery_new"
    )
    for table, key in KEYS.items():
        _make_first_partition(table, key, end)
    op.execute(FIRST_ID)
    schema = op.get_bind().scalar(sa.text("SELECT quote_ident(current_schema())"))
    op.execute(KEEP.format(schema=schema))
    op.execute("SELECT keep_partitions('-infinity')")


def _make_first_partition(table: str, key: str, end: datetime) -> None:
    before = f"{table}_before"
    op.execute(f"ALTER TABLE {table} RENAME TO {before}")
    names = op.get_bind().scalars(
        sa.text("SELECT indexname FROM pg_indexes WHERE tablename = :table"), {"table": before}
    )
    for name in names.all():
        op.execute(f"ALTER INDEX {name} RENAME TO {name}_before")
    op.execute(
        f"CREATE TABLE {table} (LIKE {before} INCLUDING DEFAULTS INCLUDING CONSTRAINTS)"
        f" PARTITION BY RANGE ({key})"
    )
    op.execute(f"ALTER TABLE {table} DROP CONSTRAINT first_partition")
    for statement in PARENTS[table].split(";"):
        op.execute(statement)
    # A row outside all months: ids of a wrong clock, or a job that added no partition for months.
    op.execute(f"CREATE TABLE {table}_rest PARTITION OF {table} DEFAULT")
    op.execute(
        f"ALTER TABLE {table} ATTACH PARTITION {before}"
        f" FOR VALUES FROM (MINVALUE) TO ('{_first_id(end)}')"
    )
    op.execute(f"ALTER TABLE {before} DROP CONSTRAINT first_partition")


def _start_of_next_month() -> datetime:
    today = datetime.now(UTC)
    return datetime(today.year + today.month // 12, today.month % 12 + 1, 1, tzinfo=UTC)


def _first_id(moment: datetime) -> str:
    digits = f"{int(moment.timestamp() * 1000):012x}" + "0" * 20
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def downgrade() -> None:
    """Copies the rows: only for development."""
    op.execute("DROP FUNCTION keep_partitions")
    for table in KEYS:
        op.execute(f"CREATE TABLE {table}_plain (LIKE {table} INCLUDING ALL)")
        op.execute(f"INSERT INTO {table}_plain SELECT * FROM {table}")  # noqa: S608 (our own names)
        op.execute(f"DROP TABLE {table}")
        op.execute(f"ALTER TABLE {table}_plain RENAME TO {table}")
        _rename_indexes(table)
    op.execute("DROP FUNCTION first_uuid7")
    op.execute("ALTER TABLE delivery DROP CONSTRAINT pk_delivery")
    op.execute("ALTER TABLE delivery ADD CONSTRAINT pk_delivery PRIMARY KEY (id)")
    op.create_foreign_key(
        op.f("fk_delivery_attempt_delivery_id"),
        "delivery_attempt",
        "delivery",
        ["delivery_id"],
        ["id"],
        ondelete="CASCADE",
    )
    op.create_foreign_key(
        op.f("fk_delivery_event_id"), "delivery", "event", ["event_id"], ["id"], ondelete="CASCADE"
    )
    for statement in [
        *PARENTS["event"].split(";")[2:],
        *PARENTS["delivery"].split(";")[5:],
    ]:
        op.execute(statement)


def _rename_indexes(table: str) -> None:
    """Give a copy's indexes the names of the originals, which PostgreSQL made up from columns."""
    names = {
        "event": {"pkey": "pk_event", "verification_id_id_idx": "ix_event_verification"},
        "delivery": {
            "pkey": "pk_delivery",
            "event_id_endpoint_id_idx": "uq_delivery_event_id_endpoint_id",
            "receiver_id_next_at_event_id_idx": "ix_delivery_pending",
            "endpoint_id_created_at_id_idx": "ix_delivery_log",
            "organization_id_finished_at_state_idx": "ix_delivery_finished",
        },
        "delivery_attempt": {
            "pkey": "pk_delivery_attempt",
            "delivery_id_number_idx": "ix_delivery_attempt_delivery",
        },
    }
    for made_up, name in names[table].items():
        op.execute(f"ALTER INDEX {table}_plain_{made_up} RENAME TO {name}")
