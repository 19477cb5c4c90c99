"""The user agent of the client that started a verification, for MetaMap's API.

Revision: 0052, after 0051
"""

import sqlalchemy as sa
from alembic import op

revision = "0052"
down_revision = "0051"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("verification", sa.Column("user_agent_sealed", sa.LargeBinary(), nullable=True))


def downgrade() -> None:
    op.drop_column("verification", "user_agent_sealed")
