"""Organizations list their legal holds.

Revision: 0048, after 0047
"""

from alembic import op

revision = "0048"
down_revision = "0047"
branch_labels = None
depends_on = None

INDEX = "ix_verification_held"


def upgrade() -> None:
    with op.get_context().autocommit_block():
        op.execute("SET statement_timeout = 0")
        # It waits for older transactions, and nothing waits for it.
        op.execute("SET lock_timeout = 0")
        # Left by a run that failed.
        op.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {INDEX}")
        op.execute(
            f"CREATE INDEX CONCURRENTLY {INDEX} ON verification (organization_id, held_at, id)"
            " WHERE held_at IS NOT NULL"
        )
        op.execute("SET lock_timeout = '4s'")
        op.execute("SET statement_timeout = '60s'")


def downgrade() -> None:
    op.drop_index(INDEX, "verification")
