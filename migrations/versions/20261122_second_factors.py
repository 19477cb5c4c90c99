"""Second factors: authenticator apps and recovery codes.

Revision: 0037, after 0036
"""

import sqlalchemy as sa
from alembic import op

revision = "0037"
down_revision = "0036"
branch_labels = None
depends_on = None

FACTORS = "('TOTP', 'RECOVERY_CODE')"


def _of_user(table: str, *columns: "sa.Column[object] | sa.Constraint") -> None:
    """Create a table whose rows belong to a user and go with the user."""
    op.create_table(
        table,
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        *columns,
        sa.ForeignKeyConstraint(
            ["organization_id"], ["organization.id"], name=op.f(f"fk_{table}_organization_id")
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f(f"fk_{table}_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{table}")),
    )


def upgrade() -> None:
    op.execute("SELECT pg_temp.lock_tables('organization', 'user_account', 'user_session')")
    op.execute(
        "ALTER TABLE organization ADD COLUMN second_factor_required boolean DEFAULT false NOT NULL"
    )
    op.execute("ALTER TABLE user_session ADD COLUMN second_factor text")
    op.create_check_constraint(
        op.f("ck_user_session_second_factor_known"),
        "user_session",
        f"second_factor IN {FACTORS}",
    )
    _of_user(
        "totp_secret",
        sa.Column("secret_sealed", sa.LargeBinary(), nullable=True),
        sa.Column("pending_sealed", sa.LargeBinary(), nullable=True),
        sa.Column("last_step", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("confirmed_at", sa.DateTime(timezone=True), nullable=True),
        sa.UniqueConstraint("user_id", name=op.f("uq_totp_secret_user_id")),
    )
    _of_user("recovery_code", sa.Column("digest", sa.LargeBinary(), nullable=False))
    op.create_index("ix_recovery_code_user_id", "recovery_code", ["user_id"])


def downgrade() -> None:
    op.drop_table("recovery_code")
    op.drop_table("totp_secret")
    op.drop_column("user_session", "second_factor")
    op.drop_column("organization", "second_factor_required")
