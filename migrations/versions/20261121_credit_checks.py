"""Checks with a credit bureau.

Revision: 0007, after 0006
"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "credit_check",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("code", sa.Text(), nullable=True),
        sa.Column("provider", sa.Text(), nullable=False),
        sa.Column("is_sandbox", sa.Boolean(), nullable=False),
        sa.Column("question_sealed", sa.LargeBinary(), nullable=False),
        sa.Column("result_sealed", sa.LargeBinary(), nullable=True),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("held_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("hold_reason_sealed", sa.LargeBinary(), nullable=True),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint(
            "status IN ('PENDING', 'COMPLETED', 'FAILED', 'UNKNOWN')",
            name=op.f("ck_credit_check_status_known"),
        ),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organization.id"],
            name=op.f("fk_credit_check_organization_id"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_credit_check")),
    )
    op.create_index("ix_credit_check_to_purge", "credit_check", ["organization_id", "created_at"])
    op.create_index(
        "ix_credit_check_unfinished",
        "credit_check",
        ["created_at"],
        postgresql_where=sa.text("status = 'PENDING'"),
    )


def downgrade() -> None:
    op.drop_table("credit_check")
