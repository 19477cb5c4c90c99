"""An organization chooses the workflow of compatible calls that name none.

Revision: 0047, after 0046
"""

import sqlalchemy as sa
from alembic import op

revision = "0047"
down_revision = "0046"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SELECT pg_temp.lock_tables('workflow')")
    op.add_column(
        "workflow",
        sa.Column(
            "is_metamap_default", sa.Boolean(), server_default=sa.text("false"), nullable=False
        ),
    )
    # Workflows are few: the index is made at once.
    op.create_index(
        "uq_workflow_metamap_default",
        "workflow",
        ["organization_id"],
        unique=True,
        postgresql_where=sa.text("is_metamap_default"),
    )


def downgrade() -> None:
    op.drop_index("uq_workflow_metamap_default", table_name="workflow")
    op.drop_column("workflow", "is_metamap_default")
