"""Results, decisions and notes are kept in order; decisions can need two reviewers; retention can
be in years from the end of the relationship.

Revision: 0024, after 0023
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None

KINDS = (
    "verification.step_finished",
    "verification.step_required",
    "verification.decided",
    "verification.overridden",
    "verification.decision_proposed",
    "verification.decision_declined",
    "verification.note_added",
)
STARTS = ("CREATION", "RELATIONSHIP_END")
# Rotation seals a note again and the purge deletes it. Nothing else changes, and no note appears
# in an entry that had none.
KEEP = """
CREATE FUNCTION keep_history() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' OR OLD.note_sealed IS NULL
        OR to_jsonb(OLD) - 'note_sealed' <> to_jsonb(NEW) - 'note_sealed'
    THEN
        RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END $$
"""


def one_of(column: str, values: tuple[str, ...]) -> str:
    listed = ", ".join(f"'{value}'" for value in values)
    return f"{column} IN ({listed})"


# One statement: it holds no other lock while it waits.
SETTINGS = f"""
ALTER TABLE organization
    ADD COLUMN IF NOT EXISTS requires_second_reviewer boolean DEFAULT false NOT NULL,
    ADD COLUMN IF NOT EXISTS data_retention_years integer,
    ADD COLUMN IF NOT EXISTS retention_start text DEFAULT 'CREATION' NOT NULL,
    DROP CONSTRAINT IF EXISTS ck_organization_retention_start_known,
    ADD CONSTRAINT ck_organization_retention_start_known
        CHECK ({one_of("retention_start", STARTS)})
"""


def upgrade() -> None:
    with op.get_context().autocommit_block():
        op.execute(SETTINGS)
    op.execute("SELECT pg_temp.lock_tables('verification')")
    op.create_table(
        "verification_history",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("clock_timestamp()"),
            nullable=False,
        ),
        sa.Column("verification_id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("actor_type", sa.Text(), nullable=False),
        sa.Column("actor_id", sa.Uuid(), nullable=True),
        sa.Column("details", postgresql.JSONB(), nullable=False),
        sa.Column("note_sealed", sa.LargeBinary(), nullable=True),
        sa.CheckConstraint(one_of("kind", KINDS), name=op.f("ck_verification_history_kind_known")),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organization.id"],
            name=op.f("fk_verification_history_organization_id"),
        ),
        sa.ForeignKeyConstraint(
            ["verification_id"],
            ["verification.id"],
            name=op.f("fk_verification_history_verification_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_verification_history")),
    )
    op.create_index(
        "ix_verification_history_order",
        "verification_history",
        ["verification_id", "created_at", "id"],
    )
    op.create_index(
        "ix_verification_history_noted",
        "verification_history",
        ["organization_id", "verification_id"],
        postgresql_where=sa.text("note_sealed IS NOT NULL"),
    )
    op.execute(KEEP)
    op.execute(
        "CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON verification_history"
        " FOR EACH ROW EXECUTE FUNCTION keep_history()"
    )
    op.execute(
        "CREATE TRIGGER no_truncate BEFORE TRUNCATE ON verification_history"
        " FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
    )
    op.add_column(
        "verification",
        sa.Column("relationship_ended_at", sa.DateTime(timezone=True), nullable=True),
    )


def downgrade() -> None:
    op.drop_column("verification", "relationship_ended_at")
    op.drop_constraint(op.f("ck_organization_retention_start_known"), "organization")
    op.drop_column("organization", "retention_start")
    op.drop_column("organization", "data_retention_years")
    op.drop_column("organization", "requires_second_reviewer")
    op.drop_table("verification_history")
    op.execute("DROP FUNCTION keep_history")
