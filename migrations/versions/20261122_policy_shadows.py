"""Drafts of policies are compared with live decisions, and get thresholds from measures.

Revision: 0032, after 0031
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute(
        "SELECT pg_temp.lock_tables('organization', 'workflow', 'verification', 'policy',"
        " 'policy_version', 'policy_simulation')"
    )
    op.create_table(
        "policy_comparison",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("workflow_id", sa.Uuid(), nullable=False),
        sa.Column("verification_id", sa.Uuid(), nullable=False),
        sa.Column("policy_id", sa.Uuid(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("decided", sa.Text(), nullable=False),
        sa.Column("proposed", sa.Text(), nullable=False),
        sa.Column("has_result", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organization.id"],
            name=op.f("fk_policy_comparison_organization_id"),
        ),
        sa.ForeignKeyConstraint(
            ["workflow_id"], ["workflow.id"], name=op.f("fk_policy_comparison_workflow_id")
        ),
        sa.ForeignKeyConstraint(
            ["verification_id"],
            ["verification.id"],
            name=op.f("fk_policy_comparison_verification_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["policy_id"], ["policy.id"], name=op.f("fk_policy_comparison_policy_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_policy_comparison")),
    )
    op.create_index(
        "ix_policy_comparison_pair",
        "policy_comparison",
        ["workflow_id", "digest", "decided", "proposed", "created_at"],
    )
    op.create_index("ix_policy_comparison_verification", "policy_comparison", ["verification_id"])
    op.add_column("workflow", sa.Column("shadow_policy_id", sa.Uuid(), nullable=True))
    op.create_foreign_key(
        op.f("fk_workflow_shadow_policy_id"), "workflow", "policy", ["shadow_policy_id"], ["id"]
    )
    op.add_column("policy_version", sa.Column("basis", postgresql.JSONB(), nullable=True))
    op.add_column("policy_simulation", sa.Column("measure", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("policy_simulation", "measure")
    op.drop_column("policy_version", "basis")
    op.drop_column("workflow", "shadow_policy_id")
    op.drop_table("policy_comparison")
