"""Sessions of the browser flow: retakes, consents, whose pages may call it.

Revision: 0014, after 0013
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "consent",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("verification_id", sa.Uuid(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("locale", sa.Text(), nullable=False),
        sa.Column("accepted_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("origin_sealed", sa.LargeBinary(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(
            ["organization_id"], ["organization.id"], name=op.f("fk_consent_organization_id")
        ),
        sa.ForeignKeyConstraint(
            ["verification_id"],
            ["verification.id"],
            name=op.f("fk_consent_verification_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_consent")),
        sa.UniqueConstraint(
            "verification_id",
            "version",
            "locale",
            name=op.f("uq_consent_verification_id_version_locale"),
        ),
    )
    op.create_index(
        "ix_organization_allowed_origins",
        "organization",
        ["allowed_origins"],
        unique=False,
        postgresql_using="gin",
    )
    op.add_column(
        "verification",
        sa.Column("has_session", sa.Boolean(), server_default=sa.text("false"), nullable=False),
    )
    op.add_column(
        "verification_step",
        sa.Column("retakes", sa.Integer(), server_default=sa.text("0"), nullable=False),
    )
    op.add_column(
        "verification_step",
        sa.Column("asked_again", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
    )


def downgrade() -> None:
    op.drop_column("verification_step", "asked_again")
    op.drop_column("verification_step", "retakes")
    op.drop_column("verification", "has_session")
    op.drop_index(
        "ix_organization_allowed_origins", table_name="organization", postgresql_using="gin"
    )
    op.drop_table("consent")
