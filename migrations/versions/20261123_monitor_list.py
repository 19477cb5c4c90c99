"""Organizations list their monitors.

Revision: 0049, after 0048
"""

from alembic import op

revision = "0049"
down_revision = "0048"
branch_labels = None
depends_on = None

INDEX = "ix_aml_monitor_newest"


def upgrade() -> None:
    with op.get_context().autocommit_block():
        op.execute("SET statement_timeout = 0")
        # It waits for older transactions, and nothing waits for it.
        op.execute("SET lock_timeout = 0")
        # Left by a run that failed.
        op.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {INDEX}")
        op.execute(
            f"CREATE INDEX CONCURRENTLY {INDEX} ON aml_monitor (organization_id, created_at, id)"
        )
        op.execute("SET lock_timeout = '4s'")
        op.execute("SET statement_timeout = '60s'")


def downgrade() -> None:
    op.drop_index(INDEX, "aml_monitor")
