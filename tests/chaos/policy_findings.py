"""What is left of decisions by policies: each made once, by the published rules, from evidence."""

import asyncio
from collections.abc import Mapping

import asyncpg
import httpx
import orjson

from tests.chaos.promises import Finding

AT_ONCE = 8
# The verifications that a policy decided, with what must be there once for each.
DECIDED = """
    SELECT verification.id, verification.decision, workflow.policy_id,
           published.version, encode(published.digest, 'hex') AS digest,
           (SELECT count(*) FROM verification_history AS entry
            WHERE entry.verification_id = verification.id
              AND entry.kind = 'verification.decided') AS decided,
           (SELECT count(*) FROM verification_history AS entry
            WHERE entry.verification_id = verification.id
              AND entry.kind = 'verification.step_required') AS required,
           (SELECT count(*) FROM verification_step AS step
            WHERE step.verification_id = verification.id) AS steps,
           (SELECT count(*) FROM verification_step AS step
            WHERE step.verification_id = verification.id AND step.type = 'LOCATION') AS located,
           EXISTS (SELECT FROM verification_step AS step
            WHERE step.verification_id = verification.id
              AND step.type = 'GOVERNMENT_VERIFY' AND step.status = 'PASSED') AS is_confirmed,
           jsonb_array_length(workflow.steps) AS planned,
           (SELECT count(*) FROM policy_comparison AS comparison
            WHERE comparison.verification_id = verification.id
              AND comparison.policy_id = workflow.shadow_policy_id) AS compared
    FROM verification
    JOIN workflow ON workflow.id = verification.workflow_id
    LEFT JOIN policy_version AS published
        ON published.policy_id = workflow.policy_id AND published.status = 'PUBLISHED'
    WHERE workflow.policy_id IS NOT NULL AND verification.completed_at IS NOT NULL
"""


async def policy_findings(
    database: asyncpg.Connection, api: str, keys: Mapping[str, str]
) -> list[Finding]:
    """Return the findings; empty if no workflow names a policy.

    `api` is the address of an API process, `keys` are the API keys by the verification's id.
    """
    rows = await database.fetch(DECIDED)
    if not rows:
        return []

    def finding(promise: str, found: int) -> Finding:
        return Finding(promise, found, of=len(rows))

    return [
        finding("decisions that are not by the published policy", sum(map(_is_by_another, rows))),
        finding(
            "decisions that the history has not once", sum(row["decided"] != 1 for row in rows)
        ),
        finding("required steps that are lost or doubled", sum(map(_is_branch_wrong, rows))),
        finding("shadows not compared exactly once", sum(map(_is_compared_otherwise, rows))),
        finding("decisions that do not follow from the evidence", await _replay(api, keys)),
    ]


def _is_by_another(row: asyncpg.Record) -> bool:
    named = (orjson.loads(row["decision"] or b"null") or {}).get("policy", {})
    published = str(row["policy_id"]), row["version"], row["digest"]
    return (named.get("id"), named.get("version"), named.get("digest")) != published


def _is_compared_otherwise(row: asyncpg.Record) -> bool:
    # Also where the policy requires a step: that is an outcome, too.
    return row["compared"] != 1 + row["required"]


def _is_branch_wrong(row: asyncpg.Record) -> bool:
    if row["steps"] != row["planned"] + row["required"]:
        return True
    return row["is_confirmed"] and row["located"] != 1


async def _replay(api: str, keys: Mapping[str, str]) -> int:
    """Return how many decisions today's rules do not make on the stored evidence."""
    places = asyncio.Semaphore(AT_ONCE)

    async def differs(client: httpx.AsyncClient, verification_id: str, key: str) -> bool:
        path = f"/v1/verifications/{verification_id}/replay"
        async with places:
            answer = await client.post(path, json={}, headers={"X-Api-Key": key})
        return answer.status_code != 200 or answer.json()["isSame"] is not True

    # The last fault may have killed this API: connecting is tried for half a minute.
    transport = httpx.AsyncHTTPTransport(retries=6)
    async with httpx.AsyncClient(base_url=api, transport=transport, timeout=30) as client:
        found = await asyncio.gather(*(differs(client, *each) for each in keys.items()))
    return sum(found)
