"""Forms of customers' own, and what was answered.

Revision: 0011, after 0010
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "custom_form",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=True),
        sa.Column("fields", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(
            ["organization_id"], ["organization.id"], name=op.f("fk_custom_form_organization_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_custom_form")),
    )
    op.create_index(
        op.f("ix_custom_form_organization_id"), "custom_form", ["organization_id"], unique=False
    )
    op.create_table(
        "custom_submission",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("form_id", sa.Uuid(), nullable=False),
        sa.Column("verification_id", sa.Uuid(), nullable=False),
        sa.Column("values_sealed", sa.LargeBinary(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(
            ["form_id"], ["custom_form.id"], name=op.f("fk_custom_submission_form_id")
        ),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organization.id"],
            name=op.f("fk_custom_submission_organization_id"),
        ),
        sa.ForeignKeyConstraint(
            ["verification_id"],
            ["verification.id"],
            name=op.f("fk_custom_submission_verification_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_custom_submission")),
    )
    op.create_index(
        "ix_custom_submission_verification",
        "custom_submission",
        ["verification_id", "form_id", "created_at"],
        unique=False,
    )


def downgrade() -> None:
    op.drop_index("ix_custom_submission_verification", table_name="custom_submission")
    op.drop_table("custom_submission")
    op.drop_index(op.f("ix_custom_form_organization_id"), table_name="custom_form")
    op.drop_table("custom_form")
