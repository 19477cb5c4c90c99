from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import orjson
from asyncpg import Record
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.caller import Caller
from acredita.domain.errors import NotFound
from acredita.kit.reads import Reads
from acredita.models import MetamapIdentity
from acredita.resources.metamap.naming import Name, alias_of, names, parse
from acredita.resources.workflows.queries import Snapshot

# The one row of an id or an alias. Not a condition of the query itself: planned for any two ids, a
# range promises many rows, so PostgreSQL would plan anew each time that it is asked.
FOUND = "(SELECT id FROM {table} WHERE id BETWEEN {first} AND {last} ORDER BY id LIMIT 1)"
VERIFICATION_ID = FOUND.format(table="verification", first="$2", last="$3")
WORKFLOW_ID = FOUND.format(table="workflow", first="$2", last="$3")
# The newest alias that was chosen for the `workflow` of the query around it by a moment.
CHOSEN = """
    (SELECT alias FROM metamap_alias
     WHERE metamap_alias.organization_id = workflow.organization_id
       AND metamap_alias.workflow_id = workflow.id AND metamap_alias.created_at <= {moment}
     ORDER BY metamap_alias.created_at DESC, alias LIMIT 1)
"""
FLOWS = f"""
    SELECT id, name, is_active, steps, {CHOSEN.format(moment="now()")} AS alias
    FROM workflow WHERE organization_id = $1
"""  # noqa: S608 (constants)
FLOW = f"""
    {FLOWS} AND id = coalesce(
        (SELECT workflow_id FROM metamap_alias WHERE alias = $4 AND organization_id = $1),
        {WORKFLOW_ID}
    )
"""  # noqa: S608 (constants)
ONLY_FLOW = f"{FLOWS} AND is_active LIMIT 2"
# A step is (id, type, status, result_sealed, evidence_sealed, code, config), a document (id, role,
# created_at).
VERIFICATION = f"""
    SELECT verification.id, verification.status, metadata, ip_address, purged_at,
           workflow_id, workflow.name AS flow_name,
           {CHOSEN.format(moment="{moment}")} AS flow_alias,
           (SELECT identity_id FROM metamap_identity
            WHERE verification_id = verification.id) AS identity_id,
           ARRAY(
               SELECT ROW(id, type, status, result_sealed, evidence_sealed, code, config)
               FROM verification_step WHERE verification_id = verification.id ORDER BY position
           ) AS steps,
           ARRAY(
               SELECT ROW(id, type, created_at) FROM document
               WHERE verification_id = verification.id ORDER BY created_at, position
           ) AS documents
    FROM verification JOIN workflow ON workflow.id = workflow_id
"""  # noqa: S608 (constants)
NAMED = f"""
    {VERIFICATION.format(moment="now()")}
    WHERE verification.organization_id = $1 AND verification.id = {VERIFICATION_ID}
"""
AS_OF = f"{VERIFICATION.format(moment='$2::timestamptz')} WHERE verification.id = $1"
ID = f"SELECT id FROM verification WHERE organization_id = $1 AND id = {VERIFICATION_ID}"  # noqa: S608
IDENTITY = f"""
    SELECT coalesce(
        (SELECT identity_id FROM metamap_identity WHERE verification_id = verification.id),
        verification.id
    ) AS id
    FROM verification WHERE organization_id = $1 AND id = {VERIFICATION_ID}
"""  # noqa: S608 (constants)
# What is sent for an identity is for the verification that was started for it last.
NEWEST = f"""
    SELECT newest.id, newest.status,
           ARRAY(
               SELECT type FROM verification_step WHERE verification_id = newest.id
           ) AS step_types
    FROM verification AS first CROSS JOIN LATERAL (
        SELECT verification.id, verification.status FROM verification
        WHERE verification.id = coalesce((
            SELECT again.id FROM metamap_identity
            JOIN verification AS again ON again.id = metamap_identity.verification_id
            WHERE metamap_identity.identity_id = first.id
            ORDER BY again.created_at DESC, again.id LIMIT 1
        ), first.id)
    ) AS newest
    WHERE first.organization_id = $1 AND first.id = {VERIFICATION_ID}
"""  # noqa: S608 (constants)
ORGANIZATION = f"""
    SELECT coalesce(
        (SELECT organization_id FROM metamap_alias WHERE alias = $3 AND workflow_id IS NULL),
        {FOUND.format(table="organization", first="$1", last="$2")}
    ) AS id
"""  # noqa: S608 (constants)
OWN_ALIAS = """
    SELECT true FROM metamap_alias
    WHERE alias = $1 AND organization_id = $2 AND workflow_id IS NULL
"""


@dataclass(frozen=True, slots=True)
class Flow:
    """A workflow, and what it is called here."""

    alias: str
    name: str
    workflow: Snapshot


async def flow(reads: Reads, organization_id: UUID, text: str) -> Flow:
    """Raise NotFound."""
    name = _named(text)
    row = await reads.row(FLOW, organization_id, name.first, name.last, name.text)
    if row is None:
        raise NotFound
    return _flow(row)


async def only_flow(reads: Reads, caller: Caller) -> Flow | None:
    """The organization's active workflow, where it has one alone."""
    rows = await reads.rows(ONLY_FLOW, caller.organization_id)
    return _flow(rows[0]) if len(rows) == 1 else None


def _flow(row: Record) -> Flow:
    workflow = Snapshot(row["id"], row["is_active"], orjson.loads(row["steps"]))
    return Flow(row["alias"] or alias_of(row["id"]), row["name"], workflow)


async def whole(reads: Reads, caller: Caller, text: str) -> Record:
    """All that is shown of a verification. Raise NotFound."""
    return await _one(reads, NAMED, caller, text)


async def verification_id(reads: Reads, caller: Caller, text: str) -> UUID:
    """Raise NotFound."""
    row = await _one(reads, ID, caller, text)
    found: UUID = row["id"]
    return found


async def identity_id(reads: Reads, caller: Caller, text: str) -> UUID:
    """The identity of that id, or of the verification of that id. Raise NotFound."""
    row = await _one(reads, IDENTITY, caller, text)
    found: UUID = row["id"]
    return found


async def newest_of_identity(reads: Reads, caller: Caller, text: str) -> Record:
    """The id, status and step types of an identity's newest verification. Raise NotFound."""
    return await _one(reads, NEWEST, caller, text)


async def as_of(reads: Reads, verification_id: UUID, moment: Any) -> Record | None:
    """`whole`, under the names that it had at a moment."""
    return await reads.row(AS_OF, verification_id, moment)


async def organization_id(reads: Reads, text: str) -> UUID:
    """Whose client id this is. Raise NotFound."""
    name = _named(text)
    row = await reads.row(ORGANIZATION, name.first, name.last, name.text)
    if row is None or row["id"] is None:
        raise NotFound
    found: UUID = row["id"]
    return found


async def is_client_id(reads: Reads, text: str, organization_id: UUID) -> bool:
    """Whether the text is a client id of this organization."""
    if names(text, organization_id):
        return True
    return await reads.row(OWN_ALIAS, text, organization_id) is not None


def add_to_identity(session: AsyncSession, verification_id: UUID, identity_id: UUID) -> None:
    session.add(MetamapIdentity(verification_id=verification_id, identity_id=identity_id))


async def _one(reads: Reads, query: str, caller: Caller, text: str) -> Record:
    name = _named(text)
    rows: Sequence[Record] = await reads.rows(query, caller.organization_id, name.first, name.last)
    if not rows:
        raise NotFound
    return rows[0]


def _named(text: str) -> Name:
    name = parse(text)
    if name is None:
        raise NotFound
    return name
