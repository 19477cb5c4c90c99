"""Claim due jobs under a lease, and renew leases."""

from collections.abc import Collection
from uuid import UUID

from acredita.jobs import registry
from acredita.jobs.ledger.rows import DUE, LeasedJob, leased
from acredita.kit.db import Database
from acredita.kit.statement_pool import Writes

LEASE = f"""
    UPDATE job
    SET state = 'running', attempts = attempts + 1, lease_token = gen_random_uuid(),
        lease_expires_at = clock_timestamp() + make_interval(secs => $3)
    FROM due WHERE job.id = due.id
    RETURNING {", ".join("job." + name for name in LeasedJob.__slots__)}
"""  # noqa: S608 (column names)

CLAIMABLE = (
    "kind = ANY($4::text[]) AND (organization_id IS NULL OR organization_id <> ALL($5::uuid[]))"
)
CLAIM_DUE = f"WITH due AS MATERIALIZED ({DUE.format(condition=CLAIMABLE)}) {LEASE}"


async def claim_due(
    database: Database,
    queue: str,
    *,
    limit: int,
    lease: float,
    exclude: Collection[UUID] = (),
) -> list[LeasedJob]:
    """Lease up to `limit` due jobs of a queue for `lease` seconds.

    `exclude`: organizations that already have their share of this process.
    """
    rows = await Writes(database).rows(
        CLAIM_DUE, queue, limit, lease, registry.known_kinds(), list(exclude)
    )
    return [leased(row) for row in rows]


# Skips rows that their finishing transactions have locked. Waiting for one slow transaction could
# cost the process's other jobs their leases.
RENEW_LEASES = """
    WITH mine AS MATERIALIZED (
        SELECT * FROM unnest($1::uuid[], $2::uuid[]) AS mine (id, token)
    ), free AS MATERIALIZED (
        SELECT job.id FROM job JOIN mine ON job.id = mine.id AND job.lease_token = mine.token
        FOR UPDATE OF job SKIP LOCKED
    ), renewed AS (
        UPDATE job SET lease_expires_at = clock_timestamp() + make_interval(secs => $3)
        FROM free WHERE job.id = free.id
    )
    SELECT mine.token FROM job JOIN mine ON job.id = mine.id AND job.lease_token = mine.token
"""


async def renew_leases(database: Database, jobs: list[LeasedJob], *, lease: float) -> set[UUID]:
    """Renew the leases of a process's jobs. Return the tokens of the leases that it still holds.

    One round trip: on a busy event loop, each takes long.
    """
    ids, tokens = [job.id for job in jobs], [job.lease_token for job in jobs]
    return {row[0] for row in await Writes(database).rows(RENEW_LEASES, ids, tokens, lease)}


def held(job_id: str, lease_token: str) -> str:
    """SQL of a CTE `lease` that has a row only while this run holds the job's lease.

    Arguments are SQL expressions. A long run uses it in statements that take effect before the run
    finishes. Such a statement also proves progress, so it resets the attempts of earlier crashes.
    """
    return f"""
        lease AS (
            SELECT id FROM job WHERE id = {job_id} AND lease_token = {lease_token}
        ), progress AS (
            UPDATE job SET attempts = 1 FROM lease WHERE job.id = lease.id AND job.attempts > 1
        )
    """  # noqa: S608 (constants)
