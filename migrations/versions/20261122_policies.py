"""Policies with versions, which workflows name; steps can screen watchlists.

Revision: 0026, after 0025
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None

CHECK = "ck_verification_step_type_known"
BEFORE = ("DOCUMENT_OCR", "FACE_MATCH", "GOVERNMENT_VERIFY", "LIVENESS")
# Only a draft changes. A published version can be retired, and changes in nothing else.
KEEP = """
CREATE FUNCTION keep_policy() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.status <> 'DRAFT' AND (
        TG_OP = 'DELETE' OR NEW.status <> 'RETIRED'
        OR to_jsonb(OLD) - 'status' <> to_jsonb(NEW) - 'status'
    ) THEN
        RAISE EXCEPTION 'a published policy does not change'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN coalesce(NEW, OLD);
END $$
"""


def admit(*types: str) -> None:
    """Replace the condition on the type. The scan of the table runs before, and locks nobody out."""
    listed = ", ".join(f"'{name}'" for name in types)
    new = f"{CHECK}_new"
    with op.get_context().autocommit_block():
        op.execute("SET statement_timeout = 0")
        # Left by a run that failed later.
        op.execute(f"ALTER TABLE verification_step DROP CONSTRAINT IF EXISTS {new}")
        op.execute(
            f"ALTER TABLE verification_step ADD CONSTRAINT {new}"
            f" CHECK (type IN ({listed})) NOT VALID"
        )
        op.execute(f"ALTER TABLE verification_step VALIDATE CONSTRAINT {new}")
        op.execute("SET statement_timeout = '60s'")
    op.execute("SELECT pg_temp.lock_tables('verification_step', 'workflow')")
    op.execute(f"ALTER TABLE verification_step DROP CONSTRAINT {CHECK}")
    op.execute(f"ALTER TABLE verification_step RENAME CONSTRAINT {new} TO {CHECK}")


def record(name: str, *columns: sa.Column | sa.Constraint) -> None:
    op.create_table(
        name,
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        *columns,
        sa.ForeignKeyConstraint(
            ["organization_id"], ["organization.id"], name=op.f(f"fk_{name}_organization_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{name}")),
    )


def upgrade() -> None:
    admit(*BEFORE, "AML_SCREEN")
    record("policy", sa.Column("name", sa.Text(), nullable=False))
    op.create_index(op.f("ix_policy_organization_id"), "policy", ["organization_id"])
    record(
        "policy_version",
        sa.Column("policy_id", sa.Uuid(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("document", postgresql.JSONB(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("author_type", sa.Text(), nullable=False),
        sa.Column("author_id", sa.Uuid(), nullable=False),
        sa.Column("published_by", sa.Uuid(), nullable=True),
        sa.Column("published_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "status IN ('DRAFT', 'PUBLISHED', 'RETIRED')",
            name=op.f("ck_policy_version_status_known"),
        ),
        sa.ForeignKeyConstraint(
            ["policy_id"], ["policy.id"], name=op.f("fk_policy_version_policy_id")
        ),
        sa.UniqueConstraint(
            "policy_id", "version", name=op.f("uq_policy_version_policy_id_version")
        ),
    )
    for status in ("DRAFT", "PUBLISHED"):
        op.create_index(
            f"uq_policy_version_{status.lower()}",
            "policy_version",
            ["policy_id"],
            unique=True,
            postgresql_where=sa.text(f"status = '{status}'"),
        )
    op.execute(KEEP)
    op.execute(
        "CREATE TRIGGER keep_policy BEFORE UPDATE OR DELETE ON policy_version"
        " FOR EACH ROW EXECUTE FUNCTION keep_policy()"
    )
    op.add_column("workflow", sa.Column("policy_id", sa.Uuid(), nullable=True))
    op.create_foreign_key(
        op.f("fk_workflow_policy_id"), "workflow", "policy", ["policy_id"], ["id"]
    )


def downgrade() -> None:
    op.drop_column("workflow", "policy_id")
    op.drop_table("policy_version")
    op.drop_table("policy")
    op.execute("DROP FUNCTION keep_policy")
    admit(*BEFORE)
