"""Engine and registry jobs are claimed of the organizations in turn.

Revision: 0027, after 0026
"""

from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None

LAST = "ffffffff-ffff-ffff-ffff-ffffffffffff"


def upgrade() -> None:
    with op.get_context().autocommit_block():
        # No rewrite: the default is in the catalogue. A run that failed later has left the column.
        op.execute("ALTER TABLE job ADD COLUMN IF NOT EXISTS lane smallint DEFAULT 0 NOT NULL")
        op.execute("SET statement_timeout = 0")
        # These wait for older transactions, and nothing waits for them.
        op.execute("SET lock_timeout = 0")
        op.execute("DROP INDEX CONCURRENTLY IF EXISTS ix_job_turn")
        op.execute(
            "CREATE INDEX CONCURRENTLY ix_job_turn ON job"
            f" (queue, priority, coalesce(organization_id, '{LAST}'::uuid), lane, run_at)"
            " WHERE state = 'pending' AND queue IN ('engines', 'registries')"
        )
        op.execute("SET lock_timeout = '4s'")
        op.execute("SET statement_timeout = '60s'")


def downgrade() -> None:
    op.drop_index("ix_job_turn", table_name="job")
    op.drop_column("job", "lane")
