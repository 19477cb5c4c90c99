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


def upgrade() -> None:
    op.execute("SELECT pg_temp.lock_tables('aml_list', 'aml_entity')")
    op.add_column(
        "aml_entity",
        sa.Column(
            "details",
            postgresql.JSONB(astext_type=sa.Text()),
            server_default=sa.text("'{}'"),
            nullable=False,
        ),
    )
    op.add_column(
        "aml_entity",
        sa.Column(
            "link_keys",
            postgresql.ARRAY(sa.BigInteger()),
            server_default=sa.text("'{}'"),
            nullable=False,
        ),
    )
    op.add_column("aml_entity", sa.Column("cluster_id", sa.BigInteger(), nullable=True))
    op.create_index(
        "ix_aml_entity_cluster_id",
        "aml_entity",
        ["cluster_id"],
        postgresql_where=sa.text("cluster_id IS NOT NULL"),
    )
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
