"""Documents that wait for a label, and what reviewers say of them.

Revision: 0016, after 0015
"""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "training_batch",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(
            ["organization_id"], ["organization.id"], name=op.f("fk_training_batch_organization_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_training_batch")),
    )
    op.create_index(
        op.f("ix_training_batch_organization_id"),
        "training_batch",
        ["organization_id"],
        unique=False,
    )
    op.create_table(
        "training_item",
        sa.Column("document_id", sa.Uuid(), nullable=False),
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("verification_id", sa.Uuid(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("read_type", sa.Text(), nullable=False),
        sa.Column("engine_version", sa.Text(), nullable=False),
        sa.Column("rules_version", sa.Text(), nullable=False),
        sa.Column("lowest_confidence", sa.Double(), nullable=False),
        sa.Column("disagreements", sa.Integer(), nullable=False),
        sa.Column("hit_rate", sa.Double(), nullable=False),
        sa.Column("metamap_status", sa.Text(), nullable=False),
        sa.Column("random_order", sa.Double(), server_default=sa.text("random()"), nullable=False),
        sa.Column("batch_id", sa.Uuid(), nullable=True),
        sa.Column("labelled_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("lease_owner", sa.Uuid(), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["batch_id"],
            ["training_batch.id"],
            name=op.f("fk_training_item_batch_id"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["document_id"],
            ["document.id"],
            name=op.f("fk_training_item_document_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["organization_id"], ["organization.id"], name=op.f("fk_training_item_organization_id")
        ),
        sa.ForeignKeyConstraint(
            ["verification_id"],
            ["verification.id"],
            name=op.f("fk_training_item_verification_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("document_id", name=op.f("pk_training_item")),
    )
    op.create_index(
        "ix_training_item_batch",
        "training_item",
        ["batch_id"],
        unique=False,
        postgresql_where=sa.text("batch_id IS NOT NULL"),
    )
    op.create_index(
        "ix_training_item_by_created_at",
        "training_item",
        [
            "organization_id",
            "created_at",
            "document_id",
            "read_type",
            "metamap_status",
            "hit_rate",
            "batch_id",
        ],
        unique=False,
        postgresql_where=sa.text("labelled_at IS NULL"),
    )
    op.create_index(
        "ix_training_item_by_disagreements",
        "training_item",
        [
            "organization_id",
            "disagreements",
            "document_id",
            "read_type",
            "metamap_status",
            "hit_rate",
            "batch_id",
        ],
        unique=False,
        postgresql_where=sa.text("labelled_at IS NULL"),
    )
    op.create_index(
        "ix_training_item_by_lowest_confidence",
        "training_item",
        [
            "organization_id",
            "lowest_confidence",
            "document_id",
            "read_type",
            "metamap_status",
            "hit_rate",
            "batch_id",
        ],
        unique=False,
        postgresql_where=sa.text("labelled_at IS NULL"),
    )
    op.create_index(
        "ix_training_item_by_random_order",
        "training_item",
        [
            "organization_id",
            "random_order",
            "document_id",
            "read_type",
            "metamap_status",
            "hit_rate",
            "batch_id",
        ],
        unique=False,
        postgresql_where=sa.text("labelled_at IS NULL"),
    )
    op.create_index(
        "ix_training_item_leased",
        "training_item",
        ["organization_id", "lease_owner"],
        unique=False,
        postgresql_where=sa.text("lease_owner IS NOT NULL"),
    )
    op.create_index(
        op.f("ix_training_item_verification_id"), "training_item", ["verification_id"], unique=False
    )
    op.create_table(
        "training_label",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("document_id", sa.Uuid(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("is_last", sa.Boolean(), nullable=False),
        sa.Column("reviewer_kind", sa.Text(), nullable=False),
        sa.Column("reviewer_id", sa.Uuid(), nullable=False),
        sa.Column("read_type", sa.Text(), nullable=False),
        sa.Column("document_type", sa.Text(), nullable=False),
        sa.Column("review_seconds", sa.Double(), nullable=True),
        sa.Column("compared", sa.Integer(), nullable=True),
        sa.Column("agreed", sa.Integer(), nullable=True),
        sa.Column("label_sealed", sa.LargeBinary(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(
            ["document_id"],
            ["training_item.document_id"],
            name=op.f("fk_training_label_document_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["organization_id"], ["organization.id"], name=op.f("fk_training_label_organization_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_training_label")),
        sa.UniqueConstraint(
            "document_id", "version", name=op.f("uq_training_label_document_id_version")
        ),
    )
    op.create_index(
        "ix_training_label_recent",
        "training_label",
        ["organization_id", "created_at"],
        unique=False,
    )
    op.create_table(
        "training_skip",
        sa.Column("document_id", sa.Uuid(), nullable=False),
        sa.Column("reviewer_id", sa.Uuid(), nullable=False),
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(
            ["document_id"],
            ["training_item.document_id"],
            name=op.f("fk_training_skip_document_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["organization_id"], ["organization.id"], name=op.f("fk_training_skip_organization_id")
        ),
        sa.PrimaryKeyConstraint("document_id", "reviewer_id", name=op.f("pk_training_skip")),
    )
    op.create_index(
        "ix_training_skip_reviewer",
        "training_skip",
        ["organization_id", "reviewer_id"],
        unique=False,
    )
    op.create_table(
        "training_field",
        sa.Column("label_id", sa.Uuid(), nullable=False),
        sa.Column("field", sa.Text(), nullable=False),
        sa.Column("was_read", sa.Boolean(), nullable=False),
        sa.Column("confidence", sa.Double(), nullable=True),
        sa.Column("decision", sa.Text(), nullable=True),
        sa.Column("source", sa.Text(), nullable=True),
        sa.Column("confirmation", sa.Text(), nullable=True),
        sa.Column("is_decided_by_confidence", sa.Boolean(), nullable=False),
        sa.Column("is_present", sa.Boolean(), nullable=True),
        sa.Column("is_correct", sa.Boolean(), nullable=True),
        sa.Column("is_metamap_correct", sa.Boolean(), nullable=True),
        sa.ForeignKeyConstraint(
            ["label_id"],
            ["training_label.id"],
            name=op.f("fk_training_field_label_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("label_id", "field", name=op.f("pk_training_field")),
    )


def downgrade() -> None:
    op.drop_table("training_field")
    op.drop_index("ix_training_skip_reviewer", table_name="training_skip")
    op.drop_table("training_skip")
    op.drop_index("ix_training_label_recent", table_name="training_label")
    op.drop_table("training_label")
    op.drop_index(op.f("ix_training_item_verification_id"), table_name="training_item")
    op.drop_index(
        "ix_training_item_leased",
        table_name="training_item",
        postgresql_where=sa.text("lease_owner IS NOT NULL"),
    )
    op.drop_index(
        "ix_training_item_by_random_order",
        table_name="training_item",
        postgresql_where=sa.text("labelled_at IS NULL"),
    )
    op.drop_index(
        "ix_training_item_by_lowest_confidence",
        table_name="training_item",
        postgresql_where=sa.text("labelled_at IS NULL"),
    )
    op.drop_index(
        "ix_training_item_by_disagreements",
        table_name="training_item",
        postgresql_where=sa.text("labelled_at IS NULL"),
    )
    op.drop_index(
        "ix_training_item_by_created_at",
        table_name="training_item",
        postgresql_where=sa.text("labelled_at IS NULL"),
    )
    op.drop_index(
        "ix_training_item_batch",
        table_name="training_item",
        postgresql_where=sa.text("batch_id IS NOT NULL"),
    )
    op.drop_table("training_item")
    op.drop_index(op.f("ix_training_batch_organization_id"), table_name="training_batch")
    op.drop_table("training_batch")
