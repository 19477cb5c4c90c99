"""Each screening against the watchlists is kept as a record.

Revision: 0029, after 0028
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SELECT pg_temp.lock_tables('verification')")
    op.create_table(
        "aml_screening",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("caller_type", sa.Text(), nullable=False),
        sa.Column("caller_id", sa.Uuid(), nullable=False),
        sa.Column("verification_id", sa.Uuid(), nullable=True),
        sa.Column("index_version", sa.BigInteger(), nullable=True),
        sa.Column("lists", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("threshold", sa.Float(), nullable=False),
        sa.Column("engine_version", sa.Text(), nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.Column("is_complete", sa.Boolean(), nullable=False),
        sa.Column("is_sandbox", sa.Boolean(), nullable=False),
        sa.Column("question_sealed", sa.LargeBinary(), nullable=False),
        sa.Column("answer_sealed", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organization.id"],
            name=op.f("fk_aml_screening_organization_id"),
        ),
        sa.ForeignKeyConstraint(
            ["verification_id"],
            ["verification.id"],
            name=op.f("fk_aml_screening_verification_id"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_aml_screening")),
    )
    op.create_index(
        "ix_aml_screening_time", "aml_screening", ["organization_id", "created_at", "id"]
    )
    op.create_index(
        "ix_aml_screening_matched",
        "aml_screening",
        ["organization_id", "created_at", "id"],
        postgresql_where=sa.text("matches > 0"),
    )
    op.create_index(
        "ix_aml_screening_verification_id",
        "aml_screening",
        ["verification_id"],
        postgresql_where=sa.text("verification_id IS NOT NULL"),
    )


def downgrade() -> None:
    op.drop_table("aml_screening")
