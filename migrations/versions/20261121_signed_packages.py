"""Signed packages of documents, and their files.

Revision: 0009, after 0008
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "signature_package",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("verification_id", sa.Uuid(), nullable=False),
        sa.Column("tier", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("code", sa.Text(), nullable=True),
        sa.Column("details_sealed", sa.LargeBinary(), nullable=True),
        sa.Column("outcome", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.Column("signed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("purged_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint(
            "tier IN ('name_only', 'id_and_name', 'face_id_and_name')",
            name=op.f("ck_signature_package_tier_known"),
        ),
        sa.CheckConstraint(
            "status IN ('PENDING', 'SIGNED', 'FAILED')",
            name=op.f("ck_signature_package_status_known"),
        ),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organization.id"],
            name=op.f("fk_signature_package_organization_id"),
        ),
        sa.ForeignKeyConstraint(
            ["verification_id"],
            ["verification.id"],
            name=op.f("fk_signature_package_verification_id"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_signature_package")),
    )
    op.create_index("ix_signature_package_verification", "signature_package", ["verification_id"])
    op.create_index(
        "ix_signature_package_to_purge",
        "signature_package",
        ["organization_id", sa.literal_column("coalesce(signed_at, created_at)")],
        postgresql_where=sa.text("purged_at IS NULL"),
    )
    op.create_table(
        "signature_file",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("package_id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("storage_key", sa.Text(), nullable=False),
        sa.Column("data_key_sealed", sa.LargeBinary(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint(
            "kind IN ('source', 'signed')", name=op.f("ck_signature_file_kind_known")
        ),
        sa.ForeignKeyConstraint(
            ["organization_id"], ["organization.id"], name=op.f("fk_signature_file_organization_id")
        ),
        sa.ForeignKeyConstraint(
            ["package_id"],
            ["signature_package.id"],
            name=op.f("fk_signature_file_package_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_signature_file")),
        sa.UniqueConstraint("package_id", "kind", name=op.f("uq_signature_file_package_id_kind")),
        sa.UniqueConstraint("storage_key", name=op.f("uq_signature_file_storage_key")),
    )


def downgrade() -> None:
    op.drop_table("signature_file")
    op.drop_table("signature_package")
