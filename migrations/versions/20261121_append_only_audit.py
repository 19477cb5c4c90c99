"""The audit log chains its rows and refuses to change them.

Revision: 0002, after 0001
"""

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

# The text that is hashed is the entry's JSON with its keys in order and no blanks, as
# acredita/domain/audit.py writes it. The lock is the transaction's: the next one of the
# organization reads the chain's end after this one's commit.
CHAIN = """
CREATE FUNCTION audit_log_chain() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    last record;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('audit:' || NEW.organization_id, 0));
    SELECT position, created_at, hash INTO last FROM audit_log
        WHERE organization_id = NEW.organization_id ORDER BY position DESC LIMIT 1;
    NEW.position := coalesce(last.position, 0) + 1;
    NEW.created_at := greatest(clock_timestamp(), last.created_at);
    NEW.hash := sha256(coalesce(last.hash, '') || convert_to(
        '{"action":' || to_json(NEW.action)
        || ',"actorId":' || coalesce(to_json(NEW.actor_id)::text, 'null')
        || ',"actorType":' || to_json(NEW.actor_type)
        || ',"createdAt":"'
        || to_char(NEW.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
        || '","details":' || NEW.details
        || ',"id":' || to_json(NEW.id)
        || ',"organizationId":' || to_json(NEW.organization_id)
        || ',"resourceId":' || to_json(NEW.resource_id)
        || ',"resourceType":' || to_json(NEW.resource_type) || '}', 'UTF8'));
    RETURN NEW;
END $$
"""
REFUSE = """
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$
"""
TABLES = ("audit_log", "audit_head")


def upgrade() -> None:
    op.execute(CHAIN)
    op.execute(REFUSE)
    op.execute(
        "CREATE TRIGGER chain BEFORE INSERT ON audit_log"
        " FOR EACH ROW EXECUTE FUNCTION audit_log_chain()"
    )
    for table in TABLES:
        op.execute(
            f"CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table}"
            " FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
        )


def downgrade() -> None:
    for table in TABLES:
        op.execute(f"DROP TRIGGER append_only ON {table}")
    op.execute("DROP TRIGGER chain ON audit_log")
    op.execute("DROP FUNCTION refuse_change")
    op.execute("DROP FUNCTION audit_log_chain")
