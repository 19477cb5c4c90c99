"""The number of verifications in each status is kept as the table changes.

Revision: 0003, after 0002
"""

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

# A statement that adds or removes a million rows tells of them in one row a status. Updates go one
# by one: only those of the status concern us, which a trigger of the statement cannot ask for.
TALLY_ROWS = """
CREATE FUNCTION verification_tally_rows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO verification_tally (organization_id, status, change)
        SELECT organization_id, status, CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
        FROM changed GROUP BY organization_id, status;
    RETURN NULL;
END $$
"""
TALLY_MOVE = """
CREATE FUNCTION verification_tally_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO verification_tally (organization_id, status, change) VALUES
        (OLD.organization_id, OLD.status, -1), (NEW.organization_id, NEW.status, 1);
    RETURN NULL;
END $$
"""
TRIGGERS = {
    "tally_inserts": """
        AFTER INSERT ON verification REFERENCING NEW TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION verification_tally_rows()
    """,
    "tally_deletes": """
        AFTER DELETE ON verification REFERENCING OLD TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION verification_tally_rows()
    """,
    "tally_moves": """
        AFTER UPDATE ON verification FOR EACH ROW
        WHEN ((OLD.organization_id, OLD.status) IS DISTINCT FROM (NEW.organization_id, NEW.status))
        EXECUTE FUNCTION verification_tally_move()
    """,
}
# Exact: making a trigger locks the table against changes until the migration commits.
COUNT = """
INSERT INTO verification_tally (organization_id, status, change)
    SELECT organization_id, status, count(*) FROM verification GROUP BY organization_id, status
"""


def upgrade() -> None:
    op.execute(TALLY_ROWS)
    op.execute(TALLY_MOVE)
    for name, definition in TRIGGERS.items():
        op.execute(f"CREATE TRIGGER {name} {definition}")
    op.execute(COUNT)


def downgrade() -> None:
    for name in TRIGGERS:
        op.execute(f"DROP TRIGGER {name} ON verification")
    op.execute("DROP FUNCTION verification_tally_move")
    op.execute("DROP FUNCTION verification_tally_rows")
    op.execute("DELETE FROM verification_tally")
