"""Steps, attempts of deliveries, judged fields and repeated identities name their organization.

A cluster divides tables by it (docs/operators/scale.md). Triggers set it in the rows of processes of
the former release. Rows from before get it in batches, while the service changes them.

Revision: 0054, after 0053
"""

import sqlalchemy as sa
from alembic import op

revision = "0054"
down_revision = "0053"
branch_labels = None
depends_on = None

# Of each table: the first column of its key, and the table and its column that know the organization.
PARENTS = {
    "verification_step": ("id", "verification", "verification_id"),
    "delivery_attempt": ("id", "delivery", "delivery_id"),
    "training_field": ("label_id", "training_label", "label_id"),
    "metamap_identity": ("verification_id", "verification", "verification_id"),
}
BATCH = 10_000
PREPARE = (
    "ALTER TABLE {table} ADD COLUMN IF NOT EXISTS organization_id uuid",
    """
    CREATE OR REPLACE FUNCTION {table}_organization() RETURNS trigger LANGUAGE plpgsql
    SET search_path FROM CURRENT AS $$
    BEGIN
        NEW.organization_id := (
            SELECT organization_id FROM {parent} WHERE id = NEW.{reference} LIMIT 1);
        RETURN NEW;
    END $$
    """,
    "DROP TRIGGER IF EXISTS set_organization ON {table}",
    """
    CREATE TRIGGER set_organization BEFORE INSERT ON {table}
    FOR EACH ROW WHEN (NEW.organization_id IS NULL) EXECUTE FUNCTION {table}_organization()
    """,
)
# An attempt whose delivery was dropped with its month is out of reach.
FILL = """
DO $$
DECLARE
    last uuid := '00000000-0000-0000-0000-000000000000';
    following uuid;
BEGIN
    LOOP
        SELECT {key} INTO following FROM (
            SELECT {key} FROM {table} WHERE {key} >= last ORDER BY {key} LIMIT {batch}
        ) AS batch ORDER BY {key} DESC LIMIT 1;
        EXIT WHEN following IS NULL;
        UPDATE {table} SET organization_id = parent.organization_id FROM {parent} AS parent
        WHERE parent.id = {table}.{reference} AND {table}.organization_id IS NULL
          AND {table}.{key} BETWEEN last AND following;
        DELETE FROM {table} WHERE organization_id IS NULL AND {key} BETWEEN last AND following;
        COMMIT;
        EXIT WHEN following = last;
        last := following;
    END LOOP;
END $$
"""
REQUIRE = (
    "ALTER TABLE {table} DROP CONSTRAINT IF EXISTS ck_{table}_organization_given",
    (
        "ALTER TABLE {table} ADD CONSTRAINT ck_{table}_organization_given"
        " CHECK (organization_id IS NOT NULL) NOT VALID"
    ),
    "ALTER TABLE {table} VALIDATE CONSTRAINT ck_{table}_organization_given",
    # The constraint spares the look at each row.
    "ALTER TABLE {table} ALTER COLUMN organization_id SET NOT NULL",
    "ALTER TABLE {table} DROP CONSTRAINT ck_{table}_organization_given",
)


def upgrade() -> None:
    with op.get_context().autocommit_block():
        for table, (key, parent, reference) in PARENTS.items():
            names = {"table": table, "key": key, "parent": parent, "reference": reference}
            for statement in PREPARE:
                op.execute(statement.format(**names))
            op.execute("SET statement_timeout = 0")
            op.execute(FILL.format(**names, batch=BATCH))
            for statement in REQUIRE:
                op.execute(statement.format(table=table))
            op.execute("SET statement_timeout = '60s'")


def downgrade() -> None:
    for table in PARENTS:
        op.execute(sa.text(f"DROP TRIGGER set_organization ON {table}"))
        op.execute(sa.text(f"DROP FUNCTION {table}_organization"))
        op.drop_column(table, "organization_id")
