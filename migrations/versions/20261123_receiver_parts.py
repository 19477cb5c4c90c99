"""Several workers may serve the parts of one busy receiver.

Revision: 0042, after 0041
"""

import sqlalchemy as sa
from alembic import op

revision = "0042"
down_revision = "0041"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "webhook_receiver",
        sa.Column("parts", sa.SmallInteger(), server_default=sa.text("1"), nullable=False),
    )
    op.create_index(
        "ix_webhook_receiver_divided",
        "webhook_receiver",
        ["id"],
        postgresql_where=sa.text("parts > 1"),
    )


def downgrade() -> None:
    op.drop_index("ix_webhook_receiver_divided", table_name="webhook_receiver")
    op.drop_column("webhook_receiver", "parts")
