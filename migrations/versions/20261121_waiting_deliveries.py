"""Deliveries wait at their receivers, each with the moment of its next attempt.

Revision: 0008, after 0007
"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

# What the jobs that this replaces would still have done.
ADD_DELIVERIES = """
INSERT INTO delivery (id, organization_id, event_id, endpoint_id)
SELECT gen_random_uuid(), event.organization_id, event.id, receiver.endpoint_id
FROM job
JOIN event ON event.id = (job.payload ->> 'event_id')::uuid
CROSS JOIN LATERAL (
    SELECT webhook_endpoint.id AS endpoint_id FROM webhook_endpoint
    WHERE webhook_endpoint.organization_id = event.organization_id AND NOT event.callback_only
      AND event.kind = ANY(webhook_endpoint.events)
      AND webhook_endpoint.is_active AND webhook_endpoint.deleted_at IS NULL
      AND webhook_endpoint.created_at <= event.created_at
    UNION ALL
    SELECT NULL FROM verification
    WHERE verification.id = event.verification_id AND event.kind = 'verification.completed'
      AND verification.callback_url IS NOT NULL
) AS receiver
WHERE job.kind = 'webhooks.fan_out' AND job.state IN ('pending', 'running')
ON CONFLICT DO NOTHING
"""
END_JOBS = """
UPDATE job SET state = 'done', lease_token = NULL, lease_expires_at = NULL, finished_at = now()
WHERE kind IN ('webhooks.fan_out', 'webhooks.deliver') AND state IN ('pending', 'running')
"""
FIND_RECEIVERS = """
UPDATE delivery SET receiver_id = coalesce(
    delivery.endpoint_id,
    md5(delivery.organization_id::text || coalesce(
        lower(substring(verification.callback_url FROM '^[^/]*//[^/?#]*')), ''
    ))::uuid
)
FROM event LEFT JOIN verification ON verification.id = event.verification_id
WHERE event.id = delivery.event_id
"""
NAME_FAULTS = """
UPDATE delivery_attempt SET error = CASE error
    WHEN 'bad_status' THEN 'http_status'
    WHEN 'forbidden_address' THEN 'blocked_address'
    WHEN 'unresolved' THEN 'dns'
    WHEN 'unreachable' THEN 'refused'
    WHEN 'bad_response' THEN 'invalid_response'
    ELSE error END
WHERE error IS NOT NULL
"""


def upgrade() -> None:
    op.create_table(
        "webhook_receiver",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("failures", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("rests", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("resting_until", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organization.id"],
            name=op.f("fk_webhook_receiver_organization_id"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhook_receiver")),
    )
    op.execute(ADD_DELIVERIES)
    op.execute(END_JOBS)
    op.add_column("delivery", sa.Column("receiver_id", sa.Uuid(), nullable=True))
    op.execute(FIND_RECEIVERS)
    op.alter_column("delivery", "receiver_id", nullable=False)
    op.add_column(
        "delivery",
        sa.Column(
            "next_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False
        ),
    )
    for name in ("earlier_attempts", "losses"):
        op.add_column(
            "delivery",
            sa.Column(name, sa.Integer(), server_default=sa.text("0"), nullable=False),
        )
    op.add_column(
        "delivery", sa.Column("redelivered_at", sa.DateTime(timezone=True), nullable=True)
    )
    op.drop_index(
        "ix_delivery_endpoint_pending",
        table_name="delivery",
        postgresql_where=sa.text("state = 'pending'"),
    )
    op.create_index(
        "ix_delivery_pending",
        "delivery",
        ["receiver_id", "next_at", "event_id"],
        unique=False,
        postgresql_where=sa.text("state = 'pending'"),
    )
    op.create_index(
        "ix_delivery_log", "delivery", ["endpoint_id", "created_at", "id"], unique=False
    )
    op.execute(NAME_FAULTS)


def downgrade() -> None:
    op.drop_index("ix_delivery_log", table_name="delivery")
    op.drop_index(
        "ix_delivery_pending",
        table_name="delivery",
        postgresql_where=sa.text("state = 'pending'"),
    )
    op.create_index(
        "ix_delivery_endpoint_pending",
        "delivery",
        ["endpoint_id"],
        unique=False,
        postgresql_where=sa.text("state = 'pending'"),
    )
    for name in ("redelivered_at", "losses", "earlier_attempts", "next_at", "receiver_id"):
        op.drop_column("delivery", name)
    op.drop_table("webhook_receiver")
