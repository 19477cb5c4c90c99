"""Traces go on from a row; what must always hold is checked from where the last check ended.

Revision: 0005, after 0004
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "checked_until",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("moment", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_checked_until")),
    )
    op.create_table(
        "audit_check",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("position", sa.BigInteger(), nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("checked_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["organization_id"], ["organization.id"], name=op.f("fk_audit_check_organization_id")
        ),
        sa.PrimaryKeyConstraint("organization_id", name=op.f("pk_audit_check")),
    )
    op.add_column("event", sa.Column("traceparent", sa.Text(), nullable=True))
    op.add_column("job", sa.Column("traceparent", sa.Text(), nullable=True))
    op.create_index(
        "ix_job_dead",
        "job",
        ["organization_id", "kind"],
        unique=False,
        postgresql_where=sa.text("state = 'dead'"),
    )
    op.create_index(
        "ix_verification_decided",
        "verification",
        ["updated_at"],
        unique=False,
        postgresql_where=sa.text("status IN ('APPROVED', 'REJECTED', 'MANUAL_REVIEW')"),
    )


def downgrade() -> None:
    op.drop_index(
        "ix_verification_decided",
        table_name="verification",
        postgresql_where=sa.text("status IN ('APPROVED', 'REJECTED', 'MANUAL_REVIEW')"),
    )
    op.drop_index("ix_job_dead", table_name="job", postgresql_where=sa.text("state = 'dead'"))
    op.drop_column("job", "traceparent")
    op.drop_column("event", "traceparent")
    op.drop_table("audit_check")
    op.drop_table("checked_until")
