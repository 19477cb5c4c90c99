"""Changes of a verification's status are HOT updates: the indexes by status move to a narrow table.

Revision: 0022, after 0021
"""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None

# The functions of 0003, which also keep the new table now.
KEEP_ROWS = """
CREATE OR REPLACE FUNCTION verification_tally_rows() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    INSERT INTO verification_tally (organization_id, status, change)
        SELECT organization_id, status, CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
        FROM changed GROUP BY organization_id, status;
    IF TG_OP = 'INSERT' THEN
        INSERT INTO verification_in_status
                (organization_id, status, created_at, verification_id, expires_at)
            SELECT organization_id, status, created_at, id, expires_at FROM changed;
    ELSE
        DELETE FROM verification_in_status AS kept USING changed
            WHERE kept.organization_id = changed.organization_id AND kept.status = changed.status
              AND kept.created_at = changed.created_at AND kept.verification_id = changed.id;
    END IF;
    RETURN NULL;
END $$
"""
KEEP_MOVE = """
CREATE OR REPLACE FUNCTION verification_tally_move() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    IF (OLD.organization_id, OLD.status) IS DISTINCT FROM (NEW.organization_id, NEW.status) THEN
        INSERT INTO verification_tally (organization_id, status, change) VALUES
            (OLD.organization_id, OLD.status, -1), (NEW.organization_id, NEW.status, 1);
    END IF;
    UPDATE verification_in_status
        SET organization_id = NEW.organization_id, status = NEW.status,
            created_at = NEW.created_at, expires_at = NEW.expires_at
        WHERE organization_id = OLD.organization_id AND status = OLD.status
          AND created_at = OLD.created_at AND verification_id = OLD.id;
    RETURN NULL;
END $$
"""
MOVES = """
CREATE TRIGGER tally_moves AFTER UPDATE ON verification FOR EACH ROW
WHEN ((OLD.organization_id, OLD.status{more_old}) IS DISTINCT FROM
      (NEW.organization_id, NEW.status{more_new}))
EXECUTE FUNCTION verification_tally_move()
"""
TALLY_ROWS = """
CREATE OR REPLACE FUNCTION verification_tally_rows() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    INSERT INTO verification_tally (organization_id, status, change)
        SELECT organization_id, status, CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
        FROM changed GROUP BY organization_id, status;
    RETURN NULL;
END $$
"""
TALLY_MOVE = """
CREATE OR REPLACE FUNCTION verification_tally_move() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    INSERT INTO verification_tally (organization_id, status, change) VALUES
        (OLD.organization_id, OLD.status, -1), (NEW.organization_id, NEW.status, 1);
    RETURN NULL;
END $$
"""
# The triggers are there by now, and keep the new table. The lock makes a concurrent change wait for
# the batch, or the batch for the change; so the copy never has a status that has passed.
COPY = sa.text(
    """
    WITH batch AS (
        SELECT organization_id, status, created_at, id, expires_at FROM verification
        WHERE id > CAST(:last AS uuid) ORDER BY id LIMIT 5000 FOR SHARE
    ), added AS (
        INSERT INTO verification_in_status
                (organization_id, status, created_at, verification_id, expires_at)
            SELECT * FROM batch ON CONFLICT DO NOTHING
    )
    SELECT (array_agg(id::text ORDER BY id DESC))[1] FROM batch
    """
)
UNFINISHED = "status IN ('PENDING', 'IN_PROGRESS')"


def upgrade() -> None:
    op.execute("SELECT pg_temp.lock_tables('verification')")
    # Left by a run that failed later.
    op.execute("DROP TABLE IF EXISTS verification_in_status")
    op.create_table(
        "verification_in_status",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("verification_id", sa.Uuid(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint(
            "organization_id",
            "status",
            "created_at",
            "verification_id",
            name=op.f("pk_verification_in_status"),
        ),
        postgresql_with={"fillfactor": 80},
    )
    op.execute("DROP TRIGGER tally_moves ON verification")
    op.execute(KEEP_ROWS)
    op.execute(KEEP_MOVE)
    op.execute(
        MOVES.format(
            more_old=", OLD.created_at, OLD.expires_at", more_new=", NEW.created_at, NEW.expires_at"
        )
    )
    op.create_index(
        "ix_verification_in_status_open",
        "verification_in_status",
        ["expires_at"],
        postgresql_where=sa.text(UNFINISHED),
    )
    _copy()
    _exchange_indexes()
    op.execute("ALTER TABLE verification SET (fillfactor = 75)")


def _copy() -> None:
    """Copy the existing rows batch by batch, while the service runs."""
    with op.get_context().autocommit_block():
        last: str | None = "00000000-0000-0000-0000-000000000000"
        while last is not None:
            last = op.get_bind().scalar(COPY, {"last": last})


def _exchange_indexes() -> None:
    """While the service runs. Nothing waits for these statements; they wait for older transactions."""
    with op.get_context().autocommit_block():
        op.execute("SET statement_timeout = 0")
        op.execute("SET lock_timeout = 0")
        # Left by a run that failed.
        op.execute("DROP INDEX CONCURRENTLY IF EXISTS ix_verification_changed")
        op.execute(
            "CREATE INDEX CONCURRENTLY ix_verification_changed ON verification USING brin"
            " (updated_at) WITH (pages_per_range = 16, autosummarize = on)"
        )
        for name in ("recent_in_status", "unfinished", "decided"):
            op.execute(f"DROP INDEX CONCURRENTLY IF EXISTS ix_verification_{name}")
        op.execute("SET lock_timeout = '4s'")
        op.execute("SET statement_timeout = '60s'")


def downgrade() -> None:
    op.execute("ALTER TABLE verification RESET (fillfactor)")
    op.create_index(
        "ix_verification_decided",
        "verification",
        ["updated_at"],
        postgresql_where=sa.text("status IN ('APPROVED', 'REJECTED', 'MANUAL_REVIEW')"),
    )
    op.create_index(
        "ix_verification_unfinished",
        "verification",
        ["expires_at"],
        postgresql_where=sa.text(UNFINISHED),
    )
    op.create_index(
        "ix_verification_recent_in_status",
        "verification",
        ["organization_id", "status", sa.text("created_at DESC"), "id"],
    )
    op.drop_index("ix_verification_changed", table_name="verification")
    op.execute("DROP TRIGGER tally_moves ON verification")
    op.execute(TALLY_ROWS)
    op.execute(TALLY_MOVE)
    op.execute(MOVES.format(more_old="", more_new=""))
    op.drop_table("verification_in_status")
