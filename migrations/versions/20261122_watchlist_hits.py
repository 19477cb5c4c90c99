"""Hits of watchlists wait for a review, and a false one is remembered.

Revision: 0034, after 0033
"""

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None

STATES = "('open', 'needs_information', 'true_hit', 'false_hit')"


def _moment(name: str, *, nullable: bool = False, default: bool = False) -> "sa.Column[object]":
    return sa.Column(
        name,
        sa.DateTime(timezone=True),
        server_default=sa.text("now()") if default else None,
        nullable=nullable,
    )


def upgrade() -> None:
    with op.get_context().autocommit_block():
        # A run that failed later has left the column.
        op.execute("ALTER TABLE aml_monitor_match ADD COLUMN IF NOT EXISTS hit_id uuid")
        op.execute("SET statement_timeout = 0")
        # These wait for older transactions, and nothing waits for them.
        op.execute("SET lock_timeout = 0")
        op.execute("DROP INDEX CONCURRENTLY IF EXISTS ix_aml_monitor_match_hit_id")
        op.execute(
            "CREATE INDEX CONCURRENTLY ix_aml_monitor_match_hit_id ON aml_monitor_match (hit_id)"
        )
        op.execute("SET lock_timeout = '4s'")
        op.execute("SET statement_timeout = '60s'")
    op.execute(
        "SELECT pg_temp.lock_tables('organization', 'verification', 'aml_entity', 'aml_screening')"
    )
    op.create_table(
        "aml_hit",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        _moment("created_at", default=True),
        sa.Column("entity_id", sa.BigInteger(), nullable=False),
        sa.Column("customer_hash", sa.LargeBinary(), nullable=False),
        sa.Column("person_hash", sa.LargeBinary(), nullable=False),
        sa.Column("row_hash", sa.LargeBinary(), nullable=False),
        sa.Column("score", sa.Float(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        _moment("opened_at"),
        _moment("seen_at"),
        sa.Column("screening_id", sa.Uuid(), nullable=True),
        sa.Column("verification_id", sa.Uuid(), nullable=True),
        sa.Column("person_sealed", sa.LargeBinary(), nullable=False),
        _moment("decided_at", nullable=True),
        sa.Column("decided_by", sa.Uuid(), nullable=True),
        sa.Column("proposal_id", sa.Uuid(), nullable=True),
        sa.Column("claimed_by", sa.Uuid(), nullable=True),
        _moment("claimed_at", nullable=True),
        sa.CheckConstraint(f"state IN {STATES}", name=op.f("ck_aml_hit_state_known")),
        sa.ForeignKeyConstraint(
            ["entity_id"], ["aml_entity.id"], name=op.f("fk_aml_hit_entity_id")
        ),
        sa.ForeignKeyConstraint(
            ["organization_id"], ["organization.id"], name=op.f("fk_aml_hit_organization_id")
        ),
        sa.ForeignKeyConstraint(
            ["screening_id"],
            ["aml_screening.id"],
            name=op.f("fk_aml_hit_screening_id"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["verification_id"], ["verification.id"], name=op.f("fk_aml_hit_verification_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_aml_hit")),
    )
    for name, columns in (
        ("queue", ["organization_id", "state", "opened_at", "id"]),
        ("customer", ["organization_id", "customer_hash"]),
        ("screening_id", ["screening_id"]),
        ("verification_id", ["verification_id"]),
        ("seen_at", ["organization_id", "seen_at"]),
    ):
        op.create_index(f"ix_aml_hit_{name}", "aml_hit", columns)
    op.create_table(
        "aml_hit_review",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        _moment("created_at", default=True),
        sa.Column("hit_id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("decision", sa.Text(), nullable=False),
        sa.Column("actor_type", sa.Text(), nullable=False),
        sa.Column("actor_id", sa.Uuid(), nullable=False),
        sa.Column("proposal_id", sa.Uuid(), nullable=True),
        sa.Column("row_hash", sa.LargeBinary(), nullable=False),
        sa.Column("person_hash", sa.LargeBinary(), nullable=False),
        sa.Column("note_sealed", sa.LargeBinary(), nullable=True),
        sa.CheckConstraint(
            "kind IN ('decided', 'proposed', 'declined')",
            name=op.f("ck_aml_hit_review_kind_known"),
        ),
        sa.CheckConstraint(f"decision IN {STATES}", name=op.f("ck_aml_hit_review_decision_known")),
        sa.ForeignKeyConstraint(
            ["hit_id"], ["aml_hit.id"], name=op.f("fk_aml_hit_review_hit_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organization.id"],
            name=op.f("fk_aml_hit_review_organization_id"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_aml_hit_review")),
    )
    op.create_index("ix_aml_hit_review_hit_id", "aml_hit_review", ["hit_id", "id"])


def downgrade() -> None:
    op.drop_index("ix_aml_monitor_match_hit_id", "aml_monitor_match")
    op.drop_column("aml_monitor_match", "hit_id")
    op.drop_table("aml_hit_review")
    op.drop_table("aml_hit")
