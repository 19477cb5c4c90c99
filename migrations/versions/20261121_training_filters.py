"""Several filters of the labelling queue at once are found in an index.

Revision: 0018, after 0017
"""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(
        "ix_training_item_filtered",
        "training_item",
        ["organization_id", "read_type", "metamap_status", "hit_rate", "batch_id"],
        unique=False,
        postgresql_where=sa.text("labelled_at IS NULL"),
    )


def downgrade() -> None:
    op.drop_index(
        "ix_training_item_filtered",
        table_name="training_item",
        postgresql_where=sa.text("labelled_at IS NULL"),
    )
