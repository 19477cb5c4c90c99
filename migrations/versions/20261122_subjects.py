"""A verification keeps its subject: the one person whom all of its evidence must be of.

Revision: 0020, after 0019
"""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("verification", sa.Column("subject_sealed", sa.LargeBinary(), nullable=True))


def downgrade() -> None:
    op.drop_column("verification", "subject_sealed")
