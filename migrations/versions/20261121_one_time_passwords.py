"""One-time passwords, and how many an organization sent in a day.

Revision: 0006, after 0005
"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "otp_daily_sends",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("sends", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organization.id"],
            name=op.f("fk_otp_daily_sends_organization_id"),
        ),
        sa.PrimaryKeyConstraint("organization_id", "day", name=op.f("pk_otp_daily_sends")),
    )
    op.create_table(
        "one_time_password",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("verification_id", sa.Uuid(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("code_digest", sa.LargeBinary(), nullable=False),
        sa.Column("destination_digest", sa.LargeBinary(), nullable=False),
        sa.Column("message_sealed", sa.LargeBinary(), nullable=True),
        sa.Column("guesses", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint(
            "channel IN ('sms', 'email')", name=op.f("ck_one_time_password_channel_known")
        ),
        sa.CheckConstraint(
            "guesses BETWEEN 0 AND 5", name=op.f("ck_one_time_password_guesses_bounded")
        ),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organization.id"],
            name=op.f("fk_one_time_password_organization_id"),
        ),
        sa.ForeignKeyConstraint(
            ["verification_id"],
            ["verification.id"],
            name=op.f("fk_one_time_password_verification_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_one_time_password")),
        sa.UniqueConstraint(
            "verification_id", "channel", name=op.f("uq_one_time_password_verification_id_channel")
        ),
    )
    op.create_index(
        op.f("ix_one_time_password_expires_at"), "one_time_password", ["expires_at"], unique=False
    )


def downgrade() -> None:
    op.drop_index(op.f("ix_one_time_password_expires_at"), table_name="one_time_password")
    op.drop_table("one_time_password")
    op.drop_table("otp_daily_sends")
