"""What became of an organization's deliveries lately is counted in an index.

Revision: 0013, after 0012
"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(
        "ix_delivery_finished",
        "delivery",
        ["organization_id", "finished_at"],
        unique=False,
        postgresql_include=["state"],
        postgresql_where=sa.text("finished_at IS NOT NULL"),
    )


def downgrade() -> None:
    op.drop_index(
        "ix_delivery_finished",
        table_name="delivery",
        postgresql_include=["state"],
        postgresql_where=sa.text("finished_at IS NOT NULL"),
    )
