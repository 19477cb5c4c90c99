"""Until when a reviewer holds a watchlist's match: until now, a claim never ended.

Revision: 0045, after 0044. A claim of the former release has no end, and is free.
"""

import sqlalchemy as sa
from alembic import op

revision = "0045"
down_revision = "0044"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("aml_hit", sa.Column("claimed_until", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    op.drop_column("aml_hit", "claimed_until")
