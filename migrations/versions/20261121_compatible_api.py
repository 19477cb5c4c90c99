"""Chosen ids, identities, and the format of webhooks, of the compatible API.

Revision: 0015, after 0014
"""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "metamap_alias",
        sa.Column("alias", sa.Text(), nullable=False),
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("workflow_id", sa.Uuid(), nullable=True),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organization.id"],
            name=op.f("fk_metamap_alias_organization_id"),
        ),
        sa.ForeignKeyConstraint(
            ["workflow_id"], ["workflow.id"], name=op.f("fk_metamap_alias_workflow_id")
        ),
        sa.PrimaryKeyConstraint("alias", name=op.f("pk_metamap_alias")),
    )
    op.create_index(
        "ix_metamap_alias_target", "metamap_alias", ["organization_id", "workflow_id"], unique=False
    )
    op.create_table(
        "metamap_identity",
        sa.Column("verification_id", sa.Uuid(), nullable=False),
        sa.Column("identity_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["identity_id"],
            ["verification.id"],
            name=op.f("fk_metamap_identity_identity_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["verification_id"],
            ["verification.id"],
            name=op.f("fk_metamap_identity_verification_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("verification_id", name=op.f("pk_metamap_identity")),
    )
    op.create_index(
        op.f("ix_metamap_identity_identity_id"), "metamap_identity", ["identity_id"], unique=False
    )
    op.add_column("event", sa.Column("turn", sa.Text(), nullable=True))
    op.add_column(
        "webhook_endpoint",
        sa.Column("format", sa.Text(), server_default="standard", nullable=False),
    )
    op.create_check_constraint(
        op.f("ck_webhook_endpoint_format_known"),
        "webhook_endpoint",
        "format IN ('standard', 'metamap')",
    )


def downgrade() -> None:
    op.drop_constraint("ck_webhook_endpoint_format_known", "webhook_endpoint")
    op.drop_column("webhook_endpoint", "format")
    op.drop_column("event", "turn")
    op.drop_index(op.f("ix_metamap_identity_identity_id"), table_name="metamap_identity")
    op.drop_table("metamap_identity")
    op.drop_index("ix_metamap_alias_target", table_name="metamap_alias")
    op.drop_table("metamap_alias")
