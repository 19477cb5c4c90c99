"""Licences and selfies whose content is known, and templates drawn up from them.

Revision: 0017, after 0016
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:

    op.create_table(
        "truth_file",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("mime_type", sa.Text(), nullable=False),
        sa.Column("file_size", sa.Integer(), nullable=False),
        sa.Column("sha256", sa.LargeBinary(), nullable=False),
        sa.Column("storage_key", sa.Text(), nullable=False),
        sa.Column("data_key_sealed", sa.LargeBinary(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(
            ["organization_id"], ["organization.id"], name=op.f("fk_truth_file_organization_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_truth_file")),
        sa.UniqueConstraint("storage_key", name=op.f("uq_truth_file_storage_key")),
    )
    op.create_table(
        "licence_truth",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column(
            "updated_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("file_id", sa.Uuid(), nullable=False),
        sa.Column("state", sa.Text(), nullable=True),
        sa.Column("truth_sealed", sa.LargeBinary(), nullable=False),
        sa.Column("reading_sealed", sa.LargeBinary(), nullable=True),
        sa.Column("previous_sealed", sa.LargeBinary(), nullable=True),
        sa.Column("status", sa.Text(), server_default="PENDING", nullable=False),
        sa.Column("read_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("read_by", postgresql.JSONB(), nullable=True),
        sa.Column("previously_read_by", postgresql.JSONB(), nullable=True),
        sa.Column("compared", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("correct", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint(
            "status IN ('PENDING', 'DONE', 'FAILED')", name=op.f("ck_licence_truth_status_known")
        ),
        sa.ForeignKeyConstraint(
            ["file_id"], ["truth_file.id"], name=op.f("fk_licence_truth_file_id")
        ),
        sa.ForeignKeyConstraint(
            ["organization_id"], ["organization.id"], name=op.f("fk_licence_truth_organization_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_licence_truth")),
        sa.UniqueConstraint("file_id", name=op.f("uq_licence_truth_file_id")),
    )
    op.create_index(
        "ix_licence_truth_of_state",
        "licence_truth",
        ["organization_id", "state", sa.literal_column("created_at DESC"), "id"],
        unique=False,
    )
    op.create_index(
        "ix_licence_truth_recent",
        "licence_truth",
        ["organization_id", sa.literal_column("created_at DESC"), "id"],
        unique=False,
    )
    op.create_table(
        "selfie_truth",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column(
            "updated_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("selfie_file_id", sa.Uuid(), nullable=False),
        sa.Column("document_file_id", sa.Uuid(), nullable=False),
        sa.Column("is_same_person", sa.Boolean(), nullable=False),
        sa.Column("notes_sealed", sa.LargeBinary(), nullable=True),
        sa.Column("status", sa.Text(), server_default="PENDING", nullable=False),
        sa.Column("result", postgresql.JSONB(), nullable=True),
        sa.Column("previous_result", postgresql.JSONB(), nullable=True),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint(
            "status IN ('PENDING', 'DONE', 'FAILED')", name=op.f("ck_selfie_truth_status_known")
        ),
        sa.ForeignKeyConstraint(
            ["document_file_id"], ["truth_file.id"], name=op.f("fk_selfie_truth_document_file_id")
        ),
        sa.ForeignKeyConstraint(
            ["organization_id"], ["organization.id"], name=op.f("fk_selfie_truth_organization_id")
        ),
        sa.ForeignKeyConstraint(
            ["selfie_file_id"], ["truth_file.id"], name=op.f("fk_selfie_truth_selfie_file_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_selfie_truth")),
        sa.UniqueConstraint("document_file_id", name=op.f("uq_selfie_truth_document_file_id")),
        sa.UniqueConstraint("selfie_file_id", name=op.f("uq_selfie_truth_selfie_file_id")),
    )
    op.create_index(
        "ix_selfie_truth_recent",
        "selfie_truth",
        ["organization_id", sa.literal_column("created_at DESC"), "id"],
        unique=False,
    )
    op.create_table(
        "licence_template",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("truth_id", sa.Uuid(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("template", postgresql.JSONB(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organization.id"],
            name=op.f("fk_licence_template_organization_id"),
        ),
        sa.ForeignKeyConstraint(
            ["truth_id"],
            ["licence_truth.id"],
            name=op.f("fk_licence_template_truth_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_licence_template")),
        sa.UniqueConstraint("truth_id", name=op.f("uq_licence_template_truth_id")),
    )
    op.create_index(
        op.f("ix_licence_template_organization_id"),
        "licence_template",
        ["organization_id"],
        unique=False,
    )


def downgrade() -> None:
    op.drop_table("licence_template")
    op.drop_table("selfie_truth")
    op.drop_table("licence_truth")
    op.drop_table("truth_file")
