"""Identifiers of people by which policies know other verifications of the same person.

Revision: 0046, after 0045
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0046"
down_revision = "0045"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SELECT pg_temp.lock_tables('verification')")
    op.add_column(
        "verification", sa.Column("circumstances", postgresql.JSONB(astext_type=sa.Text()))
    )
    op.create_table(
        "person_identifier",
        sa.Column("verification_id", sa.Uuid(), nullable=False),
        sa.Column("hash", sa.BigInteger(), nullable=False),
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "kind IN ('CURP', 'CONTACT')", name=op.f("ck_person_identifier_kind_known")
        ),
        sa.ForeignKeyConstraint(
            ["verification_id"],
            ["verification.id"],
            name=op.f("fk_person_identifier_verification_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("verification_id", "hash", name=op.f("pk_person_identifier")),
    )
    op.create_index(
        "ix_person_identifier_newest",
        "person_identifier",
        ["organization_id", "hash", "created_at"],
    )


def downgrade() -> None:
    op.drop_table("person_identifier")
    op.drop_column("verification", "circumstances")
