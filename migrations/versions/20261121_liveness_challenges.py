"""Challenges of liveness, and their frames among the pictures derived from documents.

Revision: 0012, after 0011
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_constraint("ck_media_kind_known", "media")
    op.create_check_constraint(
        op.f("ck_media_kind_known"), "media", "kind IN ('page', 'portrait', 'frame')"
    )
    op.create_table(
        "liveness_challenge",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("verification_id", sa.Uuid(), nullable=False),
        sa.Column("nonce_digest", sa.LargeBinary(), nullable=False),
        sa.Column("prompts", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("submitted_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("document_id", sa.Uuid(), nullable=True),
        sa.Column("frame_prompts", postgresql.ARRAY(sa.Text()), nullable=True),
        sa.Column("frame_digests", postgresql.ARRAY(sa.LargeBinary()), nullable=True),
        sa.Column("repeats_frames", sa.Boolean(), nullable=True),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(
            ["document_id"],
            ["document.id"],
            name=op.f("fk_liveness_challenge_document_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organization.id"],
            name=op.f("fk_liveness_challenge_organization_id"),
        ),
        sa.ForeignKeyConstraint(
            ["verification_id"],
            ["verification.id"],
            name=op.f("fk_liveness_challenge_verification_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_liveness_challenge")),
        sa.UniqueConstraint("document_id", name=op.f("uq_liveness_challenge_document_id")),
    )
    op.create_index(
        "ix_liveness_challenge_frames",
        "liveness_challenge",
        ["frame_digests"],
        unique=False,
        postgresql_using="gin",
    )
    op.create_index(
        "ix_liveness_challenge_verification",
        "liveness_challenge",
        ["verification_id", "created_at"],
        unique=False,
    )


def downgrade() -> None:
    op.execute("DELETE FROM media WHERE kind = 'frame'")
    op.drop_constraint("ck_media_kind_known", "media")
    op.create_check_constraint(op.f("ck_media_kind_known"), "media", "kind IN ('page', 'portrait')")
    op.drop_index("ix_liveness_challenge_verification", table_name="liveness_challenge")
    op.drop_index(
        "ix_liveness_challenge_frames", table_name="liveness_challenge", postgresql_using="gin"
    )
    op.drop_table("liveness_challenge")
