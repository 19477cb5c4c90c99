"""Links for the person of a verification, and where an uploaded picture comes from.

Revision: 0036, after 0035
"""

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None


def _moment(name: str) -> "sa.Column[object]":
    return sa.Column(name, sa.DateTime(timezone=True), nullable=True)


def upgrade() -> None:
    op.execute("SELECT pg_temp.lock_tables('organization', 'verification', 'workflow', 'document')")
    # Defaults that need no rewrite: the former release does not name these columns.
    op.add_column(
        "verification",
        sa.Column("has_link", sa.Boolean(), server_default=sa.text("false"), nullable=False),
    )
    op.add_column(
        "workflow",
        sa.Column("allow_files", sa.Boolean(), server_default=sa.text("true"), nullable=False),
    )
    op.add_column("document", sa.Column("source", sa.Text(), nullable=True))
    op.create_table(
        "capture_link",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("verification_id", sa.Uuid(), nullable=False),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("token_digest", sa.LargeBinary(), nullable=False),
        sa.Column("return_url_sealed", sa.LargeBinary(), nullable=True),
        sa.Column("message_sealed", sa.LargeBinary(), nullable=True),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        _moment("revoked_at"),
        _moment("first_opened_at"),
        _moment("last_opened_at"),
        sa.Column("openings", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.CheckConstraint(
            "purpose IN ('capture', 'hand_over')", name=op.f("ck_capture_link_purpose_known")
        ),
        sa.ForeignKeyConstraint(
            ["organization_id"], ["organization.id"], name=op.f("fk_capture_link_organization_id")
        ),
        sa.ForeignKeyConstraint(
            ["verification_id"],
            ["verification.id"],
            name=op.f("fk_capture_link_verification_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_capture_link")),
        sa.UniqueConstraint("token_digest", name=op.f("uq_capture_link_token_digest")),
    )
    op.create_index("ix_capture_link_verification", "capture_link", ["verification_id", "id"])


def downgrade() -> None:
    op.drop_table("capture_link")
    op.drop_column("document", "source")
    op.drop_column("workflow", "allow_files")
    op.drop_column("verification", "has_link")
