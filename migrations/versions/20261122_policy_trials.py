"""Policies are simulated on past verifications.

Revision: 0031, after 0030
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SELECT pg_temp.lock_tables('organization', 'policy', 'workflow')")
    op.create_table(
        "policy_simulation",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("policy_id", sa.Uuid(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("author_type", sa.Text(), nullable=False),
        sa.Column("author_id", sa.Uuid(), nullable=False),
        sa.Column("workflow_id", sa.Uuid(), nullable=True),
        sa.Column("since", sa.DateTime(timezone=True), nullable=True),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.Column("most", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=True),
        sa.Column("processed", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("last_created_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_id", sa.Uuid(), nullable=True),
        sa.Column("counts", postgresql.JSONB(), server_default=sa.text("'{}'"), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "status IN ('RUNNING', 'DONE', 'CANCELLED', 'FAILED')",
            name=op.f("ck_policy_simulation_status_known"),
        ),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organization.id"],
            name=op.f("fk_policy_simulation_organization_id"),
        ),
        sa.ForeignKeyConstraint(
            ["policy_id"], ["policy.id"], name=op.f("fk_policy_simulation_policy_id")
        ),
        sa.ForeignKeyConstraint(
            ["workflow_id"], ["workflow.id"], name=op.f("fk_policy_simulation_workflow_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_policy_simulation")),
    )
    op.create_index(
        "uq_policy_simulation_running",
        "policy_simulation",
        ["policy_id"],
        unique=True,
        postgresql_where=sa.text("status = 'RUNNING'"),
    )


def downgrade() -> None:
    op.drop_table("policy_simulation")
