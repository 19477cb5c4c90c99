"""A reviewer finds the cases that they hold without a walk of the whole queue.

Revision: 0058, after 0057
"""

from alembic import op

revision = "0058"
down_revision = "0057"
branch_labels = None
depends_on = None

HELD = "ix_verification_review_held"


def upgrade() -> None:
    # While the service runs. Nothing waits for it; it waits for older transactions.
    with op.get_context().autocommit_block():
        op.execute("SET statement_timeout = 0")
        op.execute("SET lock_timeout = 0")
        # Left by a run that failed.
        op.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {HELD}")
        op.execute(
            f"CREATE INDEX CONCURRENTLY {HELD} ON verification_review"
            " (organization_id, lease_owner) WHERE lease_owner IS NOT NULL"
        )
        op.execute("SET lock_timeout = '4s'")
        op.execute("SET statement_timeout = '60s'")


def downgrade() -> None:
    op.drop_index(HELD, table_name="verification_review")
