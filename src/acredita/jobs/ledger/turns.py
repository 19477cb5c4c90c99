"""Claim due jobs of the organizations in turn.

The queues that need processors or money are claimed in this way. A process goes round the
organizations with due jobs by their ids, and each gets one job a turn, or as many as its weight.
Within an organization, jobs that its own systems caused come before those of its browsers; every
fourth claim looks at the browsers first, so that they do not starve.

A turn reads one index entry per organization with pending jobs and per kind of caller, however many
jobs are waiting there.
"""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from uuid import UUID

from acredita.jobs import registry
from acredita.jobs.ledger.claiming import LEASE
from acredita.jobs.ledger.rows import LeasedJob, leased
from acredita.jobs.registry import Lane, Queue
from acredita.kit.db import Database, to_json
from acredita.kit.statement_pool import Writes
from acredita.models.job import NO_ORGANIZATION, TENANT

TURNS = (Queue.ENGINES, Queue.REGISTRIES)
BROWSERS_FIRST_EVERY = 4

# The queue is a constant of each statement, because ix_job_turn has only the queues with turns.
PENDING = f"state = 'pending' AND queue = '{{queue}}' AND {TENANT}"
NEXT = f"""
    SELECT {TENANT} FROM job
    WHERE {PENDING} > {{after}} AND {TENANT} <= lap.up_to AND priority = level.priority
    ORDER BY {TENANT} LIMIT 1
"""  # noqa: S608 (constants)
# The first lap has the organizations after the last one served, the second one the others. Each
# lap ends when it has found enough, so it reads no more organizations than it must.
DUE_IN_TURN = f"""
    SELECT picked.id
    FROM unnest(ARRAY[1, 0, -1]) WITH ORDINALITY AS level (priority, place)
    CROSS JOIN (
        VALUES (1, $5::uuid, CAST('{NO_ORGANIZATION}' AS uuid)),
               (2, CAST('{UUID(int=0)}' AS uuid), $5::uuid)
    ) AS lap (place, after, up_to)
    CROSS JOIN LATERAL (
        WITH RECURSIVE tenant (id) AS (
            ({NEXT.replace("{after}", "lap.after")})
            UNION ALL
            SELECT ({NEXT.replace("{after}", "tenant.id")}) FROM tenant WHERE tenant.id IS NOT NULL
        )
        SELECT turn.id, row_number() OVER () AS place
        FROM tenant CROSS JOIN LATERAL (
            SELECT waiting.id
            FROM unnest($6::smallint[]) WITH ORDINALITY AS caller (lane, place)
            CROSS JOIN LATERAL (
                SELECT job.id FROM job
                WHERE {PENDING} = tenant.id AND job.priority = level.priority
                  AND job.lane = caller.lane AND run_at <= now() AND kind = ANY($4::text[])
                ORDER BY run_at LIMIT {{weight}} FOR UPDATE SKIP LOCKED
            ) AS waiting
            LIMIT {{weight}}
        ) AS turn
        WHERE tenant.id IS NOT NULL
          AND NOT EXISTS (SELECT FROM at_limit WHERE at_limit.tenant = tenant.id)
        LIMIT $2
    ) AS picked
    ORDER BY level.place, lap.place, picked.place LIMIT $2
""".replace("{weight}", "coalesce(($7::jsonb ->> tenant.id::text)::int, 1)")  # noqa: S608 (constants)
CLAIM_IN_TURN = {
    queue: f"""
        WITH at_limit AS MATERIALIZED (
            SELECT {TENANT} AS tenant FROM job
            WHERE state = 'running' AND queue = '{queue}' AND queue = $1
            GROUP BY 1 HAVING count(*) >= $8::bigint
        ), due AS MATERIALIZED ({DUE_IN_TURN.replace("{queue}", queue)}) {LEASE}
    """  # noqa: S608 (constants)
    for queue in TURNS
}


@dataclass(slots=True)
class Turns:
    """Whose turn it is in a queue, for one process. Processes begin at different places."""

    last: UUID = field(default_factory=lambda: UUID(int=random.getrandbits(128)))
    claims: int = 0

    def lanes(self) -> list[int]:
        """Return the kinds of callers in the order of this claim."""
        self.claims += 1
        lanes = [Lane.SERVER.value, Lane.BROWSER.value]
        return lanes[::-1] if self.claims % BROWSERS_FIRST_EVERY == 0 else lanes

    def served(self, jobs: list[LeasedJob]) -> None:
        tenants = [job.organization_id or NO_ORGANIZATION for job in jobs]
        if tenants:
            self.last = max(tenants, key=lambda tenant: (tenant <= self.last, tenant))


async def claim_in_turn(
    database: Database,
    queue: Queue,
    turns: Turns,
    *,
    limit: int,
    lease: float,
    most_of_organization: int = 0,
    weights: Mapping[UUID, int] | None = None,
) -> list[LeasedJob]:
    """Lease up to `limit` due jobs for `lease` seconds, one of each organization or its weight.

    An organization that has `most_of_organization` running jobs gets none (0: no limit). Workers
    that claim at the same moment may exceed it by a few.
    """
    rows = await Writes(database).rows(
        CLAIM_IN_TURN[queue],
        queue,
        limit,
        lease,
        registry.known_kinds(),
        turns.last,
        turns.lanes(),
        to_json({str(key): weight for key, weight in (weights or {}).items()}),
        most_of_organization or 2**31 - 1,
    )
    jobs = [leased(row) for row in rows]
    turns.served(jobs)
    return jobs
