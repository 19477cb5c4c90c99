from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import orjson
from asyncpg import Record
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.caller import Caller
from acredita.domain.errors import NotFound
from acredita.domain.reasons import RegistryReason
from acredita.domain.steps import LIVENESS
from acredita.domain.verification import DocumentRole, StepStatus
from acredita.kit.statement_pool import Reads
from acredita.models import MediaKind, MetamapIdentity
from acredita.resources.metamap.id_aliases import (
    IdRange,
    is_id_of,
    parse,
    parse_identity,
    to_alias,
)
from acredita.resources.workflows.queries import Snapshot

# The row of an id or an alias. It is a subquery, because PostgreSQL expects many rows from a range
# in the query's own condition, and would plan each execution again.
ID_IN_RANGE = "(SELECT id FROM {table} WHERE id BETWEEN {first} AND {last} ORDER BY id LIMIT 1)"
VERIFICATION_ID = ID_IN_RANGE.format(table="verification", first="$2", last="$3")
WORKFLOW_ID = ID_IN_RANGE.format(table="workflow", first="$2", last="$3")
# The newest alias of the outer query's `workflow` at a given time.
FLOW_ALIAS = """
    (SELECT alias FROM metamap_alias
     WHERE metamap_alias.organization_id = workflow.organization_id
       AND metamap_alias.workflow_id = workflow.id AND metamap_alias.created_at <= {moment}
     ORDER BY metamap_alias.created_at DESC, alias LIMIT 1)
"""
FLOWS = f"""
    SELECT id, name, is_active, steps, {FLOW_ALIAS.format(moment="now()")} AS alias
    FROM workflow WHERE organization_id = $1
"""  # noqa: S608 (constants)
FLOW = f"""
    {FLOWS} AND id = coalesce(
        (SELECT workflow_id FROM metamap_alias WHERE alias = $4 AND organization_id = $1),
        {WORKFLOW_ID}
    )
"""  # noqa: S608 (constants)
# A chosen one that was deactivated is refused: another workflow would check something else.
DEFAULT_FLOW = f"""
    {FLOWS} AND (is_active OR is_metamap_default)
    ORDER BY is_metamap_default DESC, created_at, id LIMIT 1
"""
LIVENESS_ROLE, FRAME = DocumentRole.LIVENESS.value, MediaKind.FRAME.value
# A step is (id, type, status, result_sealed, evidence_sealed, code, config), a document (id, role,
# created_at, whether it has frames).
VERIFICATION = f"""
    SELECT verification.id, verification.status, metadata, ip_address, user_agent_sealed, purged_at,
           workflow_id, workflow.name AS flow_name,
           {FLOW_ALIAS.format(moment="{moment}")} AS flow_alias,
           (SELECT identity_id FROM metamap_identity
            WHERE verification_id = verification.id) AS identity_id,
           ARRAY(
               SELECT ROW(id, type, status, result_sealed, evidence_sealed, code, config)
               FROM verification_step WHERE verification_id = verification.id ORDER BY position
           ) AS steps,
           ARRAY(
               SELECT ROW(id, type, created_at, type = '{LIVENESS_ROLE}' AND EXISTS (
                   SELECT FROM media WHERE document_id = document.id AND kind = '{FRAME}'
               )) FROM document
               WHERE verification_id = verification.id ORDER BY created_at, position
           ) AS documents
    FROM verification JOIN workflow ON workflow.id = workflow_id
"""  # noqa: S608 (constants)
VERIFICATION_IN_RANGE = f"""
    {VERIFICATION.format(moment="now()")}
    WHERE verification.organization_id = $1 AND verification.id = {VERIFICATION_ID}
"""
AS_OF = f"{VERIFICATION.format(moment='$2::timestamptz')} WHERE verification.id = $1"
ID = f"SELECT id FROM verification WHERE organization_id = $1 AND id = {VERIFICATION_ID}"  # noqa: S608
# An identity's id, or the id of one of its verifications.
IDENTITY_ID = f"""
    coalesce(
        {VERIFICATION_ID},
        {ID_IN_RANGE.format(table="verification", first="$4", last="$5")}
    )
"""
IDENTITY = f"""
    SELECT coalesce(
        (SELECT identity_id FROM metamap_identity WHERE verification_id = verification.id),
        verification.id
    ) AS id
    FROM verification WHERE organization_id = $1 AND id = {IDENTITY_ID}
"""  # noqa: S608 (constants)
# Inputs for an identity go to its newest verification.
NEWEST_OF_IDENTITY = f"""
    SELECT newest.id, newest.status, first.id AS identity_id, first.created_at,
           newest.updated_at, newest.metadata, newest.purged_at,
           EXISTS (SELECT FROM verification_step
                   WHERE verification_id = newest.id AND status = '{StepStatus.RUNNING}'
                     AND code = '{RegistryReason.REGISTRY_UNAVAILABLE}') AS is_postponed,
           (SELECT status FROM verification_step
            WHERE verification_id = newest.id AND type = '{LIVENESS}'
            ORDER BY position LIMIT 1) AS liveness
    FROM verification AS first CROSS JOIN LATERAL (
        SELECT verification.* FROM verification
        WHERE verification.id = coalesce((
            SELECT again.id FROM metamap_identity
            JOIN verification AS again ON again.id = metamap_identity.verification_id
            WHERE metamap_identity.identity_id = first.id
            ORDER BY again.created_at DESC, again.id LIMIT 1
        ), first.id)
    ) AS newest
    WHERE first.organization_id = $1 AND first.id = {IDENTITY_ID}
"""  # noqa: S608 (constants)
SELFIE = f"""
    SELECT true FROM document
    WHERE organization_id = $1 AND verification_id = $2 AND type = '{DocumentRole.SELFIE}' LIMIT 1
"""  # noqa: S608 (constants)
ORGANIZATION = f"""
    SELECT coalesce(
        (SELECT organization_id FROM metamap_alias WHERE alias = $3 AND workflow_id IS NULL),
        {ID_IN_RANGE.format(table="organization", first="$1", last="$2")}
    ) AS id
"""  # noqa: S608 (constants)
# The certificate of conservation of a package.
CONSERVATION = """
    SELECT outcome->'conservation' FROM signature_package
    WHERE verification_id = $1 AND id = $2 AND outcome->'conservation'->>'token' IS NOT NULL
"""
IS_CLIENT_ALIAS = """
    SELECT true FROM metamap_alias
    WHERE alias = $1 AND organization_id = $2 AND workflow_id IS NULL
"""


@dataclass(frozen=True, slots=True)
class Flow:
    """A workflow with its alias and name."""

    alias: str
    name: str
    workflow: Snapshot


async def get_flow(reads: Reads, organization_id: UUID, text: str) -> Flow:
    """Return the workflow with this id or alias. Raise NotFound."""
    id_range = _parse_id(text)
    row = await reads.row(FLOW, organization_id, id_range.first, id_range.last, id_range.text)
    if row is None:
        raise NotFound
    return _flow(row)


async def get_default_flow(reads: Reads, organization_id: UUID) -> Flow | None:
    """Return the organization's chosen workflow, or its oldest active one; None without any."""
    row = await reads.row(DEFAULT_FLOW, organization_id)
    return None if row is None else _flow(row)


def _flow(row: Record) -> Flow:
    workflow = Snapshot(row["id"], row["is_active"], orjson.loads(row["steps"]))
    return Flow(row["alias"] or to_alias(row["id"]), row["name"], workflow)


async def get_verification(reads: Reads, caller: Caller, text: str) -> Record:
    """Return a row of VERIFICATION for an id or alias. Raise NotFound."""
    return await _one(reads, VERIFICATION_IN_RANGE, caller, text)


async def find_verification_id(reads: Reads, caller: Caller, text: str) -> UUID:
    """Return the id of the verification with this id or alias. Raise NotFound."""
    row = await _one(reads, ID, caller, text)
    found: UUID = row["id"]
    return found


async def find_identity_id(reads: Reads, caller: Caller, text: str) -> UUID:
    """Return the first verification of the identity with this id, or of the verification with it.

    Raise NotFound.
    """
    row = await _of_identity(reads, IDENTITY, caller, text)
    found: UUID = row["id"]
    return found


async def get_newest_verification(reads: Reads, caller: Caller, text: str) -> Record:
    """Return a row of NEWEST_OF_IDENTITY: an identity and its newest verification.

    Raise NotFound.
    """
    return await _of_identity(reads, NEWEST_OF_IDENTITY, caller, text)


async def get_verification_as_of(reads: Reads, verification_id: UUID, moment: Any) -> Record | None:
    """Like `get_verification`, with the aliases of the given time. Return None if not found."""
    return await reads.row(AS_OF, verification_id, moment)


async def has_selfie(reads: Reads, caller: Caller, verification_id: UUID) -> bool:
    return await reads.row(SELFIE, caller.organization_id, verification_id) is not None


async def find_organization_id(reads: Reads, text: str) -> UUID:
    """Return the organization with this client id. Raise NotFound."""
    id_range = _parse_id(text)
    row = await reads.row(ORGANIZATION, id_range.first, id_range.last, id_range.text)
    if row is None or row["id"] is None:
        raise NotFound
    found: UUID = row["id"]
    return found


async def is_client_id(reads: Reads, text: str, organization_id: UUID) -> bool:
    """Whether the text is a client id of this organization."""
    if is_id_of(text, organization_id):
        return True
    return await reads.row(IS_CLIENT_ALIAS, text, organization_id) is not None


def add_to_identity(
    session: AsyncSession, caller: Caller, verification_id: UUID, identity_id: UUID
) -> None:
    session.add(
        MetamapIdentity(
            organization_id=caller.organization_id,
            verification_id=verification_id,
            identity_id=identity_id,
        )
    )


async def _of_identity(reads: Reads, query: str, caller: Caller, text: str) -> Record:
    """`text`: the id of an identity, or of one of its verifications."""
    named, identity = _parse_id(text), parse_identity(text)
    if identity is None:
        raise NotFound
    row = await reads.row(
        query, caller.organization_id, identity.first, identity.last, named.first, named.last
    )
    if row is None:
        raise NotFound
    return row


async def _one(reads: Reads, query: str, caller: Caller, text: str) -> Record:
    id_range = _parse_id(text)
    rows: Sequence[Record] = await reads.rows(
        query, caller.organization_id, id_range.first, id_range.last
    )
    if not rows:
        raise NotFound
    return rows[0]


def _parse_id(text: str) -> IdRange:
    id_range = parse(text)
    if id_range is None:
        raise NotFound
    return id_range
