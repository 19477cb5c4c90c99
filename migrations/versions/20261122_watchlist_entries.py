"""What lists say of their entries, the former forms of an entry, and entries about one person.

Revision: 0033, after 0032
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None

# The next refresh reads the files again, also the unchanged ones: they have more than was kept.
READ_AGAIN = "UPDATE aml_list SET validators = '{}'"


# One statement, with defaults that need no rewrite. A run that failed later has left the columns.
COLUMNS = """
ALTER TABLE aml_entity
    ADD COLUMN IF NOT EXISTS details jsonb DEFAULT '{}' NOT NULL,
    ADD COLUMN IF NOT EXISTS link_keys bigint[] DEFAULT '{}' NOT NULL,
    ADD COLUMN IF NOT EXISTS cluster_id bigint
"""


def upgrade() -> None:
    with op.get_context().autocommit_block():
        op.execute(COLUMNS)
        op.execute("SET statement_timeout = 0")
        # These wait for older transactions, and nothing waits for them.
        op.execute("SET lock_timeout = 0")
        op.execute("DROP INDEX CONCURRENTLY IF EXISTS ix_aml_entity_cluster_id")
        op.execute(
            "CREATE INDEX CONCURRENTLY ix_aml_entity_cluster_id ON aml_entity (cluster_id)"
            " WHERE cluster_id IS NOT NULL"
        )
        op.execute("SET lock_timeout = '4s'")
        op.execute("SET statement_timeout = '60s'")
    op.execute("SELECT pg_temp.lock_tables('aml_list', 'aml_entity')")
    op.create_table(
        "aml_entity_form",
        sa.Column("entity_id", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("ended_version", sa.Integer(), nullable=False),
        sa.Column("content", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.ForeignKeyConstraint(
            ["entity_id"], ["aml_entity.id"], name=op.f("fk_aml_entity_form_entity_id")
        ),
        sa.PrimaryKeyConstraint("entity_id", "version", name=op.f("pk_aml_entity_form")),
    )
    op.execute(READ_AGAIN)


def downgrade() -> None:
    op.drop_table("aml_entity_form")
    op.drop_index("ix_aml_entity_cluster_id", "aml_entity")
    for column in ("cluster_id", "link_keys", "details"):
        op.drop_column("aml_entity", column)
