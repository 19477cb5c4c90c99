"""Audit entries are appended without a lock, and a job chains them with a keyed hash.

The last plain hash of each chain gets a signed head in the same transaction, because plain hashes
count only up to a signed head from now on.

Revision: 0023, after 0022
"""

import hashlib
import hmac
from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import context, op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None

# An entry may change only once: when it gets its position and its hash.
CHAIN_ONCE = """
CREATE FUNCTION audit_log_chain_once() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    chained audit_log := OLD;
BEGIN
    chained.position := NEW.position;
    chained.hash := NEW.hash;
    IF OLD.hash IS NOT NULL OR NEW.hash IS NULL OR NEW.position IS NULL
            OR chained IS DISTINCT FROM NEW THEN
        RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END $$
"""
# As in 0002.
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
LAST = sa.text(
    """
    SELECT organization.id, last.position, last.hash
    FROM organization CROSS JOIN LATERAL (
        SELECT position, hash FROM audit_log WHERE organization_id = organization.id
        ORDER BY position DESC LIMIT 1
    ) AS last
    """
)
HEAD = sa.text("SELECT organization_id, position, hash, signature FROM audit_head LIMIT 1")
SIGN = sa.text(
    "INSERT INTO audit_head (organization_id, position, hash, signature, signed_at)"
    " VALUES (:organization_id, :position, :hash, :signature, :signed_at)"
    " ON CONFLICT DO NOTHING"
)


def signature(organization_id: object, position: int, hash_: bytes) -> bytes:
    """As kit/crypto and resources/audit/heads sign a head."""
    secret = context.config.attributes["secret_key"]().encode()
    key = hmac.digest(secret, b"acredita:audit-head\x01", hashlib.sha256)
    return hmac.digest(key, f"{organization_id}:{position}:{hash_.hex()}".encode(), hashlib.sha256)


def sign_plain_chains() -> None:
    connection = op.get_bind()
    head = connection.execute(HEAD).one_or_none()
    if head is not None and signature(*head[:3]) != head.signature:
        raise RuntimeError(
            "ACREDITA_SECRET_KEY is not the secret that signed this database's audit log."
            " Run the migration with the secret of the API and the workers."
        )
    now = datetime.now(UTC)
    heads = [
        {
            "organization_id": row.id,
            "position": row.position,
            "hash": row.hash,
            "signature": signature(row.id, row.position, row.hash),
            "signed_at": now,
        }
        for row in connection.execute(LAST)
    ]
    if heads:
        connection.execute(SIGN, heads)


def upgrade() -> None:
    # Before the lock: both hold for the rows as they are, and scan the table.
    with op.get_context().autocommit_block():
        op.execute("SET statement_timeout = 0")
        op.execute("SET lock_timeout = 0")
        op.execute("DROP INDEX CONCURRENTLY IF EXISTS ix_audit_log_unchained")
        op.execute(
            "CREATE INDEX CONCURRENTLY ix_audit_log_unchained ON audit_log (organization_id, id)"
            " WHERE hash IS NULL"
        )
        op.execute("SET lock_timeout = '4s'")
        op.execute("ALTER TABLE audit_log DROP CONSTRAINT IF EXISTS ck_audit_log_chained_at_once")
        op.execute(
            "ALTER TABLE audit_log ADD CONSTRAINT ck_audit_log_chained_at_once"
            " CHECK ((position IS NULL) = (hash IS NULL)) NOT VALID"
        )
        op.execute("ALTER TABLE audit_log VALIDATE CONSTRAINT ck_audit_log_chained_at_once")
        op.execute("SET statement_timeout = '60s'")
    # After this, no plain entry follows the heads.
    op.execute("SELECT pg_temp.lock_tables('audit_log')")
    op.execute("DROP TRIGGER chain ON audit_log")
    op.execute("DROP FUNCTION audit_log_chain")
    op.execute("DROP TRIGGER append_only ON audit_log")
    op.execute(CHAIN_ONCE)
    op.execute(
        "CREATE TRIGGER append_only BEFORE DELETE OR TRUNCATE ON audit_log"
        " FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
    )
    op.execute(
        "CREATE TRIGGER chain_once BEFORE UPDATE ON audit_log"
        " FOR EACH ROW EXECUTE FUNCTION audit_log_chain_once()"
    )
    op.alter_column("audit_log", "position", nullable=True)
    op.alter_column("audit_log", "hash", nullable=True)
    op.alter_column("audit_log", "created_at", server_default=sa.text("clock_timestamp()"))
    sign_plain_chains()


def downgrade() -> None:
    op.drop_index("ix_audit_log_unchained", table_name="audit_log")
    op.drop_constraint("ck_audit_log_chained_at_once", "audit_log")
    op.alter_column("audit_log", "created_at", server_default=None)
    op.alter_column("audit_log", "hash", nullable=False)
    op.alter_column("audit_log", "position", nullable=False)
    op.execute("DROP TRIGGER chain_once ON audit_log")
    op.execute("DROP TRIGGER append_only ON audit_log")
    op.execute("DROP FUNCTION audit_log_chain_once")
    op.execute(
        "CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log"
        " FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
    )
    op.execute(CHAIN)
    op.execute(
        "CREATE TRIGGER chain BEFORE INSERT ON audit_log"
        " FOR EACH ROW EXECUTE FUNCTION audit_log_chain()"
    )
