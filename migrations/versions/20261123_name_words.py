"""Words of names in a table whose index counts them: a search for a common surname reads no rows.

Search entries of a former release are not covered by it: the new index on them finds their names,
until `acredita verification index` adds their words.

Revision: 0056, after 0055
"""

import sqlalchemy as sa
from alembic import op

revision = "0056"
down_revision = "0055"
branch_labels = None
depends_on = None

NOT_COVERED = "ix_verification_search_not_covered"


def upgrade() -> None:
    op.execute("SELECT pg_temp.lock_tables('verification', 'verification_search')")
    # Left by a run that failed later.
    op.execute("DROP TABLE IF EXISTS name_word")
    op.execute("ALTER TABLE verification_search DROP COLUMN IF EXISTS hashes_covered")
    op.create_table(
        "name_word",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("token", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("verification_id", sa.Uuid(), nullable=False),
        sa.Column("shared", sa.SmallInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["verification_id"],
            ["verification.id"],
            name=op.f("fk_name_word_verification_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            "organization_id",
            "token",
            "created_at",
            "verification_id",
            "shared",
            name=op.f("pk_name_word"),
        ),
        postgresql_with={"autovacuum_vacuum_insert_scale_factor": 0.02},
    )
    op.create_index(op.f("ix_name_word_verification_id"), "name_word", ["verification_id"])
    op.add_column(
        "verification_search",
        sa.Column("hashes_covered", sa.Integer(), server_default=sa.text("-1"), nullable=False),
    )
    # While the service runs. Nothing waits for it; it waits for older transactions.
    with op.get_context().autocommit_block():
        op.execute("SET statement_timeout = 0")
        op.execute("SET lock_timeout = 0")
        op.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {NOT_COVERED}")
        op.execute(
            f"CREATE INDEX CONCURRENTLY {NOT_COVERED} ON verification_search USING gin (name_words)"
            " WITH (gin_pending_list_limit = 512)"
            " WHERE cardinality(name_words) <> hashes_covered"
        )
        op.execute("SET lock_timeout = '4s'")
        op.execute("SET statement_timeout = '60s'")


def downgrade() -> None:
    op.execute("SELECT pg_temp.lock_tables('verification_search')")
    op.drop_index(NOT_COVERED, table_name="verification_search")
    op.drop_column("verification_search", "hashes_covered")
    op.drop_table("name_word")
