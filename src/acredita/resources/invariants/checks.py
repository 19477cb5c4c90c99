"""The invariants, each a read-only query for its violations.

Each change of the service is one transaction, so no query sees half of it, and work in progress is
no violation. Each query uses an index and reads only open or new rows.
"""

from dataclasses import dataclass

from acredita.jobs.ledger import TURNS
from acredita.models.job import NO_ORGANIZATION, TENANT
from acredita.models.work_tally import DELIVERIES
from acredita.resources.webhooks.receivers import CALLBACK_KIND, EVENT_COLUMNS, WANTED

# The maximum of rows that a query returns: these can be repaired within a minute.
MOST = 1000
# Seconds after which an earlier transaction has certainly ended.
SETTLED_AFTER = 60
FEW = 1000
TENANT_OF_JOB = TENANT.replace("organization_id", "job.organization_id")
IN_TURN = tuple(str(queue) for queue in TURNS)


@dataclass(frozen=True, slots=True)
class Invariant:
    """`query` selects (id, organization_id) of each violation.

    A `windowed` query takes :since and :until. Each point in time is checked once.
    """

    name: str
    # The kind of the ids, and the problem.
    subject: str
    meaning: str
    query: str
    windowed: bool = False


VERIFICATION_STUCK = Invariant(
    name="verification_stuck",
    subject="verification",
    meaning="is to go on by itself, and no job works on it",
    query="""
        SELECT verification.id, verification.organization_id
        FROM verification_in_status AS open
        JOIN verification ON verification.id = open.verification_id
        LEFT JOIN LATERAL (
            SELECT step.id, step.type, step.status, step.code, step.config
            FROM verification_step AS step
            WHERE step.verification_id = verification.id
              AND step.status NOT IN ('PASSED', 'FAILED', 'REVIEW', 'SKIPPED')
            ORDER BY step.position LIMIT 1
        ) AS next ON true
        WHERE open.status = 'IN_PROGRESS'
          AND (next.status = 'PENDING' OR (
              -- All steps have ended, and pages that came late are not being read.
              next.id IS NULL
              AND NOT EXISTS (SELECT FROM job WHERE job.state = 'pending'
                              AND job.coalesce_key = 'pages:' || verification.id)
              AND NOT EXISTS (SELECT FROM job WHERE job.state = 'running'
                              AND job.coalesce_key = 'pages:' || verification.id)
          ) OR (
              -- A front that waits for its back goes on without it, by its job.
              (next.status = 'RUNNING' OR next.status = 'WAITING_INPUT' AND next.code IS NULL
                  AND next.type = 'DOCUMENT_OCR' AND NOT next.config @> '{"requireBack": true}'
                  AND EXISTS (SELECT FROM document WHERE verification_id = verification.id
                              AND document.type IN ('front', 'passport')))
              AND NOT EXISTS (SELECT FROM job WHERE job.state = 'pending'
                              AND job.coalesce_key = 'step:' || next.id)
              AND NOT EXISTS (SELECT FROM job WHERE job.state = 'running'
                              AND job.coalesce_key = 'step:' || next.id)
          ))
        UNION ALL
        SELECT verification.id, verification.organization_id
        FROM job JOIN verification ON verification.id = (job.payload ->> 'verification_id')::uuid
        WHERE job.state = 'dead' AND job.kind = 'verification.begin'
          AND verification.status = 'PENDING'
    """,
)

DELIVERY_IDLE = Invariant(
    name="delivery_idle",
    subject="receiver",
    meaning="has deliveries due for a minute, and no job makes them",
    query="""
        SELECT DISTINCT delivery.receiver_id AS id, delivery.organization_id
        FROM delivery
        WHERE delivery.state = 'pending' AND delivery.next_at < now() - interval '60 s'
          AND NOT EXISTS (
              SELECT FROM webhook_receiver AS resting
              WHERE resting.id = delivery.receiver_id
                AND resting.resting_until > now() - interval '60 s'
          )
          AND NOT EXISTS (
              SELECT FROM job
              WHERE job.once_key = 'webhooks.drain:' || delivery.receiver_id
                -- The job waits a moment if workers have only other parts of the receiver.
                AND (job.state = 'running' OR job.state = 'pending'
                     AND (job.run_at <= now() + interval '1 s' OR job.attempts > 0))
          )
    """,
)

# Without endpoints that were registered during the event: its transaction may not see them.
MISSING_DELIVERIES = f"""
    WITH event_added AS NOT MATERIALIZED (
        SELECT {EVENT_COLUMNS} FROM event WHERE {{events}}
    )
    SELECT * FROM ({WANTED}) AS wanted
    WHERE (registered_at IS NULL OR registered_at < created_at - interval '{SETTLED_AFTER} s')
      AND NOT EXISTS (SELECT FROM delivery WHERE delivery.event_id = wanted.event_id
                      AND delivery.endpoint_id IS NOT DISTINCT FROM wanted.endpoint_id)
"""  # noqa: S608 (constants)
# The first six bytes of an event's id are its time in milliseconds (RFC 9562, version 7).
FIRST_ID = (
    "(lpad(to_hex((extract(epoch FROM {moment}) * 1000)::bigint), 12, '0') || repeat('0', 20))"
)
OF_WINDOW = (
    f"id >= {FIRST_ID.format(moment='CAST(:since AS timestamptz)')}::uuid"
    f" AND id < {FIRST_ID.format(moment='CAST(:until AS timestamptz)')}::uuid"
)

EVENT_NOT_SENT = Invariant(
    name="event_not_sent",
    subject="event",
    meaning="has a receiver, and no delivery to it",
    query=f"""
        SELECT DISTINCT event_id AS id, organization_id
        FROM ({MISSING_DELIVERIES.format(events=OF_WINDOW)}) AS missing
    """,  # noqa: S608 (constants)
    windowed=True,
)

LEASE_ABANDONED = Invariant(
    name="lease_abandoned",
    subject="job",
    meaning="is leased by nobody for a minute, and was not taken back",
    query="""
        SELECT id, organization_id FROM job
        WHERE state = 'running' AND lease_expires_at < now() - interval '60 s'
    """,
)

# A backlog is no violation: busy workers take older jobs first. A violation is a due job while
# later jobs of another kind run, or while the queue neither runs nor recently ended any job. Only
# the oldest job of each organization and kind is looked at. In queues that organizations use in
# turn, only later jobs of the same organization and of callers that do not go first count.
JOB_UNCLAIMED = Invariant(
    name="job_unclaimed",
    subject="job",
    meaning="is due for two minutes, and the workers that there are pass it over",
    query=f"""
        WITH kind AS (
            SELECT organization_id, kind FROM work_tally
            WHERE queue <> '{DELIVERIES}' AND state = 'pending'
            GROUP BY organization_id, kind HAVING sum(change) > 0
        ), oldest AS (
            SELECT job.* FROM kind CROSS JOIN LATERAL (
                SELECT * FROM job
                WHERE state = 'pending' AND job.kind = kind.kind
                  AND {TENANT_OF_JOB} = coalesce(kind.organization_id, '{NO_ORGANIZATION}')
                ORDER BY run_at LIMIT 1
            ) AS job
            WHERE job.run_at < now() - interval '120 s'
        ), idle AS (
            SELECT queue FROM (SELECT DISTINCT queue FROM oldest) AS used
            WHERE NOT EXISTS (SELECT FROM job WHERE state = 'running' AND job.queue = used.queue)
              AND NOT EXISTS (SELECT FROM job WHERE state = 'done' AND job.queue = used.queue
                              AND job.finished_at > now() - interval '60 s')
              AND NOT EXISTS (SELECT FROM job_finished AS done WHERE done.queue = used.queue
                              AND done.finished_at > now() - interval '60 s')
        )
        SELECT oldest.id, oldest.organization_id FROM oldest
        WHERE oldest.queue IN (SELECT queue FROM idle)
           OR EXISTS (SELECT FROM job AS other
                      WHERE other.state = 'running' AND other.queue = oldest.queue
                        AND other.kind <> oldest.kind AND other.priority <= oldest.priority
                        AND other.run_at > oldest.run_at + interval '60 s'
                        AND (oldest.queue NOT IN {IN_TURN}
                             OR other.organization_id = oldest.organization_id
                             AND other.lane >= oldest.lane))
    """,  # noqa: S608 (constants)
)

# Counting is cheap where few are kept; a wrong number of many shows when they become few.
WORK_MISCOUNTED = Invariant(
    name="work_miscounted",
    subject="organization",
    meaning="has another number of waiting or dead jobs than is kept",
    query=f"""
        SELECT DISTINCT kept.organization_id AS id, kept.organization_id
        FROM (
            SELECT organization_id, kind, state, sum(change) AS number FROM work_tally
            WHERE state IN ('pending', 'dead') AND queue <> '{DELIVERIES}'
              AND organization_id IS NOT NULL
            GROUP BY organization_id, kind, state HAVING sum(change) < {FEW}
            ORDER BY sum(change) LIMIT {MOST}
        ) AS kept
        WHERE number <> (
            SELECT count(*) FROM job
            WHERE job.state = kept.state AND job.kind = kept.kind
              AND {TENANT_OF_JOB} = kept.organization_id
              AND job.organization_id = kept.organization_id
        )
    """,  # noqa: S608 (constants)
)

DECISION_NOT_TOLD = Invariant(
    name="decision_not_told",
    subject="verification",
    meaning="is decided, and has not exactly one verification.completed",
    query=f"""
        SELECT verification.id, verification.organization_id
        FROM verification
        WHERE verification.status IN ('APPROVED', 'REJECTED', 'MANUAL_REVIEW')
          AND verification.updated_at >= :since AND verification.updated_at < :until
          AND verification.purged_at IS NULL
          AND 1 <> (
              SELECT count(*) FROM event
              WHERE event.verification_id = verification.id
                AND event.kind = '{CALLBACK_KIND}' AND NOT event.callback_only
          )
    """,  # noqa: S608 (constants)
    windowed=True,
)

# Chaining takes seconds. Without a worker, or after a chain was changed, entries wait.
AUDIT_UNCHAINED = Invariant(
    name="audit_unchained",
    subject="audit entry",
    meaning="is not chained for two minutes, so nothing shows its removal",
    query="""
        SELECT id, organization_id FROM audit_log
        WHERE hash IS NULL AND created_at < now() - interval '120 s'
    """,
)

INVARIANTS = (
    VERIFICATION_STUCK,
    DELIVERY_IDLE,
    EVENT_NOT_SENT,
    LEASE_ABANDONED,
    JOB_UNCLAIMED,
    WORK_MISCOUNTED,
    DECISION_NOT_TOLD,
    AUDIT_UNCHAINED,
)
# Checked by resources/audit/growth.py.
AUDIT_CHAIN = "audit_chain"
