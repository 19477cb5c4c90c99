"""Films of liveness challenges are known again by what they show; a challenge has its light.

Revision: 0021, after 0020
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "liveness_challenge",
        sa.Column("light_colours", postgresql.ARRAY(sa.Text()), nullable=True),
    )
    op.create_table(
        "liveness_film",
        sa.Column("challenge_id", sa.Uuid(), nullable=False),
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("marks", postgresql.ARRAY(sa.BigInteger()), nullable=False),
        sa.Column("prints_sealed", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["challenge_id"],
            ["liveness_challenge.id"],
            name=op.f("fk_liveness_film_challenge_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organization.id"],
            name=op.f("fk_liveness_film_organization_id"),
        ),
        sa.PrimaryKeyConstraint("challenge_id", name=op.f("pk_liveness_film")),
    )
    op.create_index(
        "ix_liveness_film_marks",
        "liveness_film",
        ["marks"],
        unique=False,
        postgresql_using="gin",
        postgresql_with={"fastupdate": "off"},
    )


def downgrade() -> None:
    op.drop_index("ix_liveness_film_marks", table_name="liveness_film", postgresql_using="gin")
    op.drop_table("liveness_film")
    op.drop_column("liveness_challenge", "light_colours")
