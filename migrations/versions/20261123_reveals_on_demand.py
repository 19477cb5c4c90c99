"""Whether users see personal data of verifications only after revealing them.

Revision: 0050, after 0049
"""

import sqlalchemy as sa
from alembic import op

revision = "0050"
down_revision = "0049"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SELECT pg_temp.lock_tables('organization')")
    op.add_column(
        "organization",
        sa.Column("reveals_on_demand", sa.Boolean(), nullable=False, server_default=sa.false()),
    )


def downgrade() -> None:
    op.execute("SELECT pg_temp.lock_tables('organization')")
    op.drop_column("organization", "reveals_on_demand")
