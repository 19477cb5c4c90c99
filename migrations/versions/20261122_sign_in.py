"""Sessions of users in browsers.

Revision: 0035, after 0034
"""

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None


def _moment(name: str, *, nullable: bool = False, default: bool = False) -> "sa.Column[object]":
    return sa.Column(
        name,
        sa.DateTime(timezone=True),
        server_default=sa.text("now()") if default else None,
        nullable=nullable,
    )


def _of_user(table: str, *columns: "sa.Column[object] | sa.Constraint") -> None:
    """Create a table whose rows belong to a user and go with the user."""
    op.create_table(
        table,
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        _moment("created_at", default=True),
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
    op.execute("SELECT pg_temp.lock_tables('organization', 'user_account')")
    _of_user(
        "user_session",
        sa.Column("token_digest", sa.LargeBinary(), nullable=False),
        sa.Column("token_version", sa.Integer(), nullable=False),
        sa.Column("method", sa.Text(), nullable=False),
        sa.Column("browser_sealed", sa.LargeBinary(), nullable=False),
        _moment("signed_in_at"),
        _moment("last_seen_at"),
        _moment("expires_at"),
        sa.CheckConstraint("method IN ('PASSWORD')", name=op.f("ck_user_session_method_known")),
        sa.UniqueConstraint("token_digest", name=op.f("uq_user_session_token_digest")),
    )
    op.create_index("ix_user_session_user_id", "user_session", ["user_id"])
    op.create_index("ix_user_session_expires_at", "user_session", ["expires_at"])


def downgrade() -> None:
    op.drop_table("user_session")
