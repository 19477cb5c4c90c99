"""A verification in review names the queue and the rule of the policy that sent it there.

Revision: 0053, after 0052
"""

from alembic import op

revision = "0053"
down_revision = "0052"
branch_labels = None
depends_on = None

# What a policy says of a decision. One that led elsewhere is no reason for the review.
OF_POLICY = """
    CASE WHEN verification.decision ->> 'status' = 'MANUAL_REVIEW'
    THEN verification.decision -> 'policy' ->> '{key}' END
"""
# Other triggers, also those of former releases, add the rows.
FUNCTION = f"""
CREATE OR REPLACE FUNCTION verification_review_policy() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    SELECT {OF_POLICY.format(key="queue")}, {OF_POLICY.format(key="rule")}
    INTO NEW.queue, NEW.rule FROM verification WHERE id = NEW.verification_id;
    RETURN NEW;
END $$
"""  # noqa: S608 (constants)
COPY = f"""
    UPDATE verification_review SET queue = {OF_POLICY.format(key="queue")},
        rule = {OF_POLICY.format(key="rule")}
    FROM verification
    WHERE verification.id = verification_review.verification_id
        AND verification.decision ->> 'status' = 'MANUAL_REVIEW'
        AND verification.decision ? 'policy'
"""  # noqa: S608 (constants)


def upgrade() -> None:
    # It runs again where it failed after the first part.
    op.execute("SELECT pg_temp.lock_tables('verification_review')")
    op.execute(
        "ALTER TABLE verification_review ADD COLUMN IF NOT EXISTS queue text,"
        " ADD COLUMN IF NOT EXISTS rule text"
    )
    op.execute(FUNCTION)
    op.execute(
        "CREATE OR REPLACE TRIGGER policy BEFORE INSERT ON verification_review"
        " FOR EACH ROW EXECUTE FUNCTION verification_review_policy()"
    )
    with op.get_context().autocommit_block():
        op.execute("SET statement_timeout = 0")
        op.execute(COPY)
        # These wait for older transactions, and nothing waits for them.
        op.execute("SET lock_timeout = 0")
        op.execute("DROP INDEX CONCURRENTLY IF EXISTS ix_policy_simulation_policy")
        op.execute(
            "CREATE INDEX CONCURRENTLY ix_policy_simulation_policy"
            " ON policy_simulation (policy_id, id)"
        )
        op.execute("SET lock_timeout = '4s'")
        op.execute("SET statement_timeout = '60s'")


def downgrade() -> None:
    op.execute("SELECT pg_temp.lock_tables('verification_review', 'policy_simulation')")
    op.drop_index("ix_policy_simulation_policy", "policy_simulation")
    op.execute("DROP TRIGGER policy ON verification_review")
    op.execute("DROP FUNCTION verification_review_policy()")
    op.drop_column("verification_review", "rule")
    op.drop_column("verification_review", "queue")
