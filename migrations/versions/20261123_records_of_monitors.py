"""Steps and monitors leave records of their screenings; a monitor confirms its last one.

Revision: 0057, after 0056
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0057"
down_revision = "0056"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SELECT pg_temp.lock_tables('aml_monitor', 'aml_screening')")
    op.add_column("aml_monitor", sa.Column("screening_id", sa.Uuid(), nullable=True))
    op.add_column("aml_monitor", sa.Column("answer_hash", sa.LargeBinary(), nullable=True))
    op.add_column(
        "aml_screening", sa.Column("confirmed_at", sa.DateTime(timezone=True), nullable=True)
    )
    op.add_column(
        "aml_screening", sa.Column("confirmed_index_version", sa.BigInteger(), nullable=True)
    )
    op.add_column(
        "aml_screening",
        sa.Column("confirmed_lists", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
    )


def downgrade() -> None:
    for column in ("confirmed_lists", "confirmed_index_version", "confirmed_at"):
        op.drop_column("aml_screening", column)
    for column in ("answer_hash", "screening_id"):
        op.drop_column("aml_monitor", column)
