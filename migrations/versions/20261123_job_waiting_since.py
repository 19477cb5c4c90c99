"""Since when a job waits for a dependency: until now, its whole age counted.

Revision: 0043, after 0042
"""

import sqlalchemy as sa
from alembic import op

revision = "0043"
down_revision = "0042"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("job", sa.Column("waiting_since", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    op.drop_column("job", "waiting_since")
