"""Watchlists, indexes of them and monitors; events that name people are sealed.

Revision: 0004, after 0003
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "aml_index",
        sa.Column("version", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("lists", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("entries", sa.Integer(), nullable=False),
        sa.Column("names", sa.Integer(), nullable=False),
        sa.Column("form", sa.Integer(), nullable=False),
        sa.Column("sha256", sa.LargeBinary(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("storage_key", sa.Text(), nullable=False),
        sa.Column("data_key_sealed", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("version", name=op.f("pk_aml_index")),
        sa.UniqueConstraint("storage_key", name=op.f("uq_aml_index_storage_key")),
    )
    op.create_table(
        "aml_list",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("publisher", sa.Text(), nullable=False),
        sa.Column("format", sa.Text(), nullable=False),
        sa.Column("is_sandbox", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("version", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("entries", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("as_of", sa.DateTime(timezone=True), nullable=True),
        sa.Column("loaded_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("sha256", sa.LargeBinary(), nullable=True),
        sa.Column("confirmed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("failed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("failure", sa.Text(), nullable=True),
        sa.Column("failure_message", sa.Text(), nullable=True),
        sa.Column(
            "validators",
            postgresql.JSONB(astext_type=sa.Text()),
            server_default=sa.text("'{}'"),
            nullable=False,
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_aml_list")),
    )
    op.create_table(
        "aml_entity",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("list_id", sa.Text(), nullable=False),
        sa.Column("source_id", sa.Text(), nullable=False),
        sa.Column("entity_type", sa.Text(), nullable=False),
        sa.Column("standing", sa.Text(), nullable=False),
        sa.Column("names", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("countries", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("dates_of_birth", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("identifiers", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("programs", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("row_hash", sa.LargeBinary(), nullable=False),
        sa.Column("changed_version", sa.Integer(), nullable=False),
        sa.Column("removed_version", sa.Integer(), nullable=True),
        sa.CheckConstraint(
            "standing IN ('listed', 'cleared')", name=op.f("ck_aml_entity_standing_known")
        ),
        sa.ForeignKeyConstraint(["list_id"], ["aml_list.id"], name=op.f("fk_aml_entity_list_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_aml_entity")),
        sa.UniqueConstraint("list_id", "source_id", name=op.f("uq_aml_entity_list_id_source_id")),
    )
    op.create_index(
        "ix_aml_entity_changed", "aml_entity", ["list_id", "changed_version"], unique=False
    )
    op.create_table(
        "aml_list_version",
        sa.Column("list_id", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column(
            "loaded_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False
        ),
        sa.Column("as_of", sa.DateTime(timezone=True), nullable=True),
        sa.Column("sha256", sa.LargeBinary(), nullable=False),
        sa.Column("entries", sa.Integer(), nullable=False),
        sa.Column("added", sa.Integer(), nullable=False),
        sa.Column("changed", sa.Integer(), nullable=False),
        sa.Column("removed", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["list_id"], ["aml_list.id"], name=op.f("fk_aml_list_version_list_id")
        ),
        sa.PrimaryKeyConstraint("list_id", "version", name=op.f("pk_aml_list_version")),
    )
    op.create_table(
        "aml_monitor",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("verification_id", sa.Uuid(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("subject_sealed", sa.LargeBinary(), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("next_screening_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("screened_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("index_version", sa.BigInteger(), nullable=True),
        sa.Column("outcome", sa.Text(), nullable=True),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint(
            "outcome IN ('clean', 'hit')", name=op.f("ck_aml_monitor_outcome_known")
        ),
        sa.CheckConstraint(
            "state IN ('active', 'disabled', 'ended')", name=op.f("ck_aml_monitor_state_known")
        ),
        sa.ForeignKeyConstraint(
            ["organization_id"], ["organization.id"], name=op.f("fk_aml_monitor_organization_id")
        ),
        sa.ForeignKeyConstraint(
            ["verification_id"],
            ["verification.id"],
            name=op.f("fk_aml_monitor_verification_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_aml_monitor")),
        sa.UniqueConstraint("verification_id", name=op.f("uq_aml_monitor_verification_id")),
    )
    op.create_index(
        "ix_aml_monitor_active",
        "aml_monitor",
        ["id"],
        unique=False,
        postgresql_where=sa.text("state = 'active'"),
    )
    op.create_table(
        "aml_monitor_match",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("monitor_id", sa.Uuid(), nullable=False),
        sa.Column("entity_id", sa.BigInteger(), nullable=False),
        sa.Column("score", sa.Double(), nullable=False),
        sa.Column("announced_score", sa.Double(), nullable=False),
        sa.Column("announced_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("gone_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("row_hash", sa.LargeBinary(), nullable=False),
        sa.Column("dismissed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("dismissed_by", sa.Uuid(), nullable=True),
        sa.Column("notes_sealed", sa.LargeBinary(), nullable=True),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(
            ["entity_id"], ["aml_entity.id"], name=op.f("fk_aml_monitor_match_entity_id")
        ),
        sa.ForeignKeyConstraint(
            ["monitor_id"],
            ["aml_monitor.id"],
            name=op.f("fk_aml_monitor_match_monitor_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organization.id"],
            name=op.f("fk_aml_monitor_match_organization_id"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_aml_monitor_match")),
        sa.UniqueConstraint(
            "monitor_id", "entity_id", name=op.f("uq_aml_monitor_match_monitor_id_entity_id")
        ),
    )
    op.create_table(
        "aml_monitor_outcome",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("monitor_id", sa.Uuid(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.Column("cause", sa.Text(), nullable=False),
        sa.Column("index_version", sa.BigInteger(), nullable=True),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint(
            "outcome IN ('clean', 'hit')", name=op.f("ck_aml_monitor_outcome_outcome_known")
        ),
        sa.ForeignKeyConstraint(
            ["monitor_id"],
            ["aml_monitor.id"],
            name=op.f("fk_aml_monitor_outcome_monitor_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organization.id"],
            name=op.f("fk_aml_monitor_outcome_organization_id"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_aml_monitor_outcome")),
    )
    op.create_index(
        "ix_aml_monitor_outcome_monitor", "aml_monitor_outcome", ["monitor_id", "id"], unique=False
    )
    op.add_column("event", sa.Column("data_sealed", sa.LargeBinary(), nullable=True))
    op.alter_column("event", "data", existing_type=postgresql.BYTEA(), nullable=True)
    op.create_check_constraint(
        op.f("ck_event_data_once"), "event", "num_nonnulls(data, data_sealed) = 1"
    )


def downgrade() -> None:
    op.drop_constraint(op.f("ck_event_data_once"), "event", type_="check")
    # What the older release cannot deliver.
    op.execute("DELETE FROM event WHERE data IS NULL")
    op.alter_column("event", "data", existing_type=postgresql.BYTEA(), nullable=False)
    op.drop_column("event", "data_sealed")
    op.drop_index("ix_aml_monitor_outcome_monitor", table_name="aml_monitor_outcome")
    op.drop_table("aml_monitor_outcome")
    op.drop_table("aml_monitor_match")
    op.drop_index(
        "ix_aml_monitor_active",
        table_name="aml_monitor",
        postgresql_where=sa.text("state = 'active'"),
    )
    op.drop_table("aml_monitor")
    op.drop_table("aml_list_version")
    op.drop_index("ix_aml_entity_changed", table_name="aml_entity")
    op.drop_table("aml_entity")
    op.drop_table("aml_list")
    op.drop_table("aml_index")
