"""Engine and registry jobs are claimed of the organizations in turn.

Revision: 0027, after 0026
"""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None

LAST = "ffffffff-ffff-ffff-ffff-ffffffffffff"


def upgrade() -> None:
    op.add_column(
        "job", sa.Column("lane", sa.SmallInteger(), server_default=sa.text("0"), nullable=False)
    )
    op.create_index(
        "ix_job_turn",
        "job",
        [
            "queue",
            "priority",
            sa.text(f"coalesce(organization_id, '{LAST}'::uuid)"),
            "lane",
            "run_at",
        ],
        postgresql_where=sa.text("state = 'pending' AND queue IN ('engines', 'registries')"),
    )


def downgrade() -> None:
    op.drop_index("ix_job_turn", table_name="job")
    op.drop_column("job", "lane")
