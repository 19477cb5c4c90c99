"""A search compares the newest verifications in the order of an index.

Revision: 0059, after 0058
"""

from alembic import op

revision = "0059"
down_revision = "0058"
branch_labels = None
depends_on = None

BY_AGE = "ix_verification_search_by_age"
BY_ORGANIZATION = "ix_verification_search_organization_id"


def upgrade() -> None:
    _replace(BY_ORGANIZATION, BY_AGE, "organization_id, created_at, verification_id")


def downgrade() -> None:
    _replace(BY_AGE, BY_ORGANIZATION, "organization_id")


def _replace(former: str, index: str, columns: str) -> None:
    # While the service runs. Nothing waits for it; it waits for older transactions.
    with op.get_context().autocommit_block():
        op.execute("SET statement_timeout = 0")
        op.execute("SET lock_timeout = 0")
        # Left by a run that failed.
        op.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {index}")
        op.execute(f"CREATE INDEX CONCURRENTLY {index} ON verification_search ({columns})")
        op.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {former}")
        op.execute("SET lock_timeout = '4s'")
        op.execute("SET statement_timeout = '60s'")
