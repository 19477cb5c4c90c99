"""Passkeys.

Revision: 0039, after 0038
"""

import sqlalchemy as sa
from alembic import op

revision = "0039"
down_revision = "0038"
branch_labels = None
depends_on = None


def _moment(name: str, *, nullable: bool = False, default: bool = False) -> "sa.Column[object]":
    return sa.Column(
        name,
        sa.DateTime(timezone=True),
        server_default=sa.text("now()") if default else None,
        nullable=nullable,
    )


def _allow(method: str, second_factor: str) -> None:
    for column, values in (("method", method), ("second_factor", second_factor)):
        name = op.f(f"ck_user_session_{column}_known")
        op.drop_constraint(name, "user_session")
        op.create_check_constraint(name, "user_session", f"{column} IN ({values})")


def upgrade() -> None:
    op.execute("SELECT pg_temp.lock_tables('organization', 'user_account', 'user_session')")
    _allow("'PASSWORD', 'PASSKEY'", "'TOTP', 'RECOVERY_CODE', 'PASSKEY'")
    op.create_table(
        "passkey",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        _moment("created_at", default=True),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("credential_id", sa.LargeBinary(), nullable=False),
        sa.Column("public_key", sa.LargeBinary(), nullable=False),
        sa.Column("sign_count", sa.BigInteger(), nullable=False),
        sa.Column("name_sealed", sa.LargeBinary(), nullable=False),
        _moment("last_used_at", nullable=True),
        sa.ForeignKeyConstraint(
            ["organization_id"], ["organization.id"], name=op.f("fk_passkey_organization_id")
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_passkey_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_passkey")),
        sa.UniqueConstraint("credential_id", name=op.f("uq_passkey_credential_id")),
    )
    op.create_index("ix_passkey_user_id", "passkey", ["user_id"])
    op.create_table(
        "passkey_challenge",
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=True),
        _moment("expires_at"),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["user_account.id"],
            name=op.f("fk_passkey_challenge_user_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_passkey_challenge")),
    )
    op.create_index("ix_passkey_challenge_user_id", "passkey_challenge", ["user_id"])
    op.create_index("ix_passkey_challenge_expires_at", "passkey_challenge", ["expires_at"])


def downgrade() -> None:
    op.drop_table("passkey_challenge")
    op.drop_table("passkey")
    op.execute("DELETE FROM user_session WHERE 'PASSKEY' IN (method, second_factor)")
    _allow("'PASSWORD'", "'TOTP', 'RECOVERY_CODE'")
