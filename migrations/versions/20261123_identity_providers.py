"""Identity providers of organizations (OpenID Connect).

Revision: 0040, after 0039
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0040"
down_revision = "0039"
branch_labels = None
depends_on = None

SUBJECT = op.f("uq_user_account_organization_id_provider_subject")


def _allow(method: str, second_factor: str) -> None:
    for column, values in (("method", method), ("second_factor", second_factor)):
        name = op.f(f"ck_user_session_{column}_known")
        op.drop_constraint(name, "user_session")
        op.create_check_constraint(name, "user_session", f"{column} IN ({values})")


def upgrade() -> None:
    op.execute("SELECT pg_temp.lock_tables('organization', 'user_account', 'user_session')")
    _allow("'PASSWORD', 'PASSKEY', 'PROVIDER'", "'TOTP', 'RECOVERY_CODE', 'PASSKEY', 'PROVIDER'")
    op.add_column("user_account", sa.Column("provider_subject", sa.LargeBinary(), nullable=True))
    op.create_unique_constraint(SUBJECT, "user_account", ["organization_id", "provider_subject"])
    op.create_table(
        "identity_provider",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("issuer", sa.Text(), nullable=False),
        sa.Column("client_id", sa.Text(), nullable=False),
        sa.Column("client_secret_sealed", sa.LargeBinary(), nullable=False),
        sa.Column("scopes", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("allowed_domains", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("groups_claim", sa.Text(), nullable=False),
        sa.Column("roles", postgresql.JSONB(), nullable=False),
        sa.Column("default_role", sa.Text(), nullable=True),
        sa.Column("is_only", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column(
            "is_second_factor", sa.Boolean(), server_default=sa.text("false"), nullable=False
        ),
        sa.CheckConstraint(
            "default_role IN ('OWNER', 'ADMIN', 'REVIEWER', 'MEMBER')",
            name=op.f("ck_identity_provider_default_role_known"),
        ),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organization.id"],
            name=op.f("fk_identity_provider_organization_id"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_identity_provider")),
        sa.UniqueConstraint("organization_id", name=op.f("uq_identity_provider_organization_id")),
    )
    op.create_table(
        "provider_sign_in",
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("provider_id", sa.Uuid(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["provider_id"],
            ["identity_provider.id"],
            name=op.f("fk_provider_sign_in_provider_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_provider_sign_in")),
    )
    op.create_index("ix_provider_sign_in_provider_id", "provider_sign_in", ["provider_id"])
    op.create_index("ix_provider_sign_in_expires_at", "provider_sign_in", ["expires_at"])


def downgrade() -> None:
    op.drop_table("provider_sign_in")
    op.drop_table("identity_provider")
    op.drop_constraint(SUBJECT, "user_account")
    op.drop_column("user_account", "provider_subject")
    op.execute("DELETE FROM user_session WHERE 'PROVIDER' IN (method, second_factor)")
    _allow("'PASSWORD', 'PASSKEY'", "'TOTP', 'RECOVERY_CODE', 'PASSKEY'")
