"""The decision record of a verification, and its part of the audit log, as canonical JSON.

The record has ids, codes, versions and digests. Values that identify a person are in a member of
their own, and only if a rule of the policy reads them.
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, Final
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from acredita.domain import policies as policy_rules
from acredita.domain.audit import ResourceType, canonical
from acredita.domain.caller import Caller
from acredita.domain.errors import NothingToReplay
from acredita.domain.policies import Policy
from acredita.domain.steps import types as step_types
from acredita.domain.time_zone import mexican_date
from acredita.domain.verification import StepStatus
from acredita.engines import policies as conditions
from acredita.engines.evidence.container import AUDIT, PERSONAL, RECORD
from acredita.engines.evidence.decisions import RECORD_FORMAT
from acredita.kit.clock import timestamp
from acredita.kit.crypto import KeyRing, Signer
from acredita.models import (
    AuditEntry,
    AuditHead,
    Document,
    HistoryEntry,
    PolicyVersion,
    Verification,
    VerificationStep,
)
from acredita.models.tenancy import fetch, owned
from acredita.resources.audit.heads import Head
from acredita.resources.policies import service as policies
from acredita.resources.verifications import (
    consistency,
    decided_evidence,
    policy_decisions,
    queries,
    subjects,
)
from acredita.version import release

# `responseId` is the source's folio.
_OF_ANSWER: Final = ("outcome", "responseId", "checkedAt", "sandbox")


@dataclass(frozen=True, slots=True)
class Gathered:
    """The record and the audit segment, as objects and as members of the evidence file."""

    record: Mapping[str, Any]
    audit: Mapping[str, Any]
    members: dict[str, bytes]
    # The segment's head as canonical JSON, to be signed; None without one that the service wrote.
    head: bytes | None


async def gather(
    session: AsyncSession, keys: KeyRing, signer: Signer, caller: Caller, verification_id: UUID
) -> Gathered:
    """Raise NotFound; NothingToReplay for a verification that is not decided, or is purged."""
    query = owned(Verification, caller.organization_id).where(Verification.id == verification_id)
    verification = await fetch(session, query)
    steps = await queries.list_steps(session, verification.id)
    decided_at = verification.completed_at
    ended = all(StepStatus(step.status).is_final for step in steps)
    if not ended or verification.purged_at is not None or decided_at is None:
        raise NothingToReplay
    version = await _version(session, caller, verification)
    known = await _variables(session, keys, verification, steps, version, decided_at)
    shown, personal = _split(version, known)
    members = {} if personal is None else {PERSONAL: personal}
    record = {
        "format": RECORD_FORMAT,
        "service": release(),
        "verification": {
            "id": str(verification.id),
            "organizationId": str(verification.organization_id),
            "workflowId": str(verification.workflow_id),
            "createdAt": timestamp(verification.created_at),
            "completedAt": timestamp(decided_at),
            "status": verification.status,
        },
        "evaluatedOn": mexican_date(decided_at).isoformat(),
        "inputs": await _inputs(session, keys, verification),
        "steps": [_step(keys, step) for step in steps],
        "namesPolicy": "policy" in (verification.decision or {}),
        "policy": None if version is None else _policy(version),
        "variables": shown,
        "personal": None if personal is None else {"sha256": sha256(personal).hexdigest()},
        "codesAgainstOnePerson": _codes_against_one_person(keys, verification, steps),
        "decision": verification.decision,
        "history": await _history(session, verification),
    }
    head = await _newest_head(session, verification)
    audit = await _audit_segment(session, verification, head)
    members |= {RECORD: canonical(record).encode(), AUDIT: canonical(audit).encode()}
    # A head that an owner of the database wrote does not get the certificate's signature.
    is_genuine = head is not None and Head.from_stored(head).is_genuine(signer)
    return Gathered(
        record, audit, members, canonical(audit["head"]).encode() if is_genuine else None
    )


async def _version(
    session: AsyncSession, caller: Caller, verification: Verification
) -> PolicyVersion | None:
    """The version of the policy that decided; None if none did."""
    named = (verification.decision or {}).get("policy") or {}
    if "id" not in named:
        return None
    return await policies.version(session, caller, UUID(named["id"]), named["version"])


async def _variables(
    session: AsyncSession,
    keys: KeyRing,
    verification: Verification,
    steps: Sequence[VerificationStep],
    version: PolicyVersion | None,
    decided_at: datetime,
) -> dict[str, Any]:
    if version is None:
        return {}
    subject = subjects.load(keys, verification, steps)
    facts = await policy_decisions.facts_of(session, keys, verification, steps, subject, decided_at)
    return dict(policy_rules.values(facts))


def _split(
    version: PolicyVersion | None, known: Mapping[str, Any]
) -> tuple[dict[str, Any], bytes | None]:
    """Return the variables of the record, and the member of the personal ones that a rule reads.

    The member has random bytes, so that its digest does not reveal its values.
    """
    private = [v.name for v in policy_rules.variables(step_types()) if v.is_personal]
    shown = {name: value for name, value in known.items() if name not in private}
    if version is None:
        return shown, None
    read = conditions.names_read(Policy.from_document(version.document), private)
    if not read:
        return shown, None
    content = {"salt": secrets.token_hex(32), "variables": {name: known[name] for name in read}}
    return shown, canonical(content).encode()


def _codes_against_one_person(
    keys: KeyRing, verification: Verification, steps: Sequence[VerificationStep]
) -> list[str]:
    subject = subjects.load(keys, verification, steps)
    doubts = list(consistency.doubts_across_steps(keys, verification, steps, subject))
    return sorted(consistency.codes_against_one_person(doubts, steps, subject))


def _policy(version: PolicyVersion) -> dict[str, Any]:
    return {
        "id": str(version.policy_id),
        "version": version.version,
        "digest": version.digest.hex(),
        "document": version.document,
    }


async def _inputs(
    session: AsyncSession, keys: KeyRing, verification: Verification
) -> list[dict[str, Any]]:
    """Every uploaded file in the order of arrival, also those that a later one replaced."""
    query = (
        owned(Document, verification.organization_id)
        .where(Document.verification_id == verification.id)
        .order_by(Document.created_at, Document.position)
    )
    return [
        {
            "id": str(row.id),
            "role": row.type,
            "mimeType": row.mime_type,
            "fileSize": row.file_size,
            "sha256": row.sha256.hex(),
            "receivedAt": timestamp(row.created_at),
            "readingSha256": Document.reading.digest(keys, row.id, row.reading_sealed),
        }
        for row in await session.scalars(query)
    ]


def _step(keys: KeyRing, step: VerificationStep) -> dict[str, Any]:
    return {
        **decided_evidence.judged(keys, step),
        # The limits and the condition that the workflow gave it.
        "config": step.config,
        "answers": _answers(step.result.open(keys) or {}),
        "retakes": step.retakes,
        "finishedAt": None if step.finished_at is None else timestamp(step.finished_at),
    }


def _answers(result: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The registries' answers with the folios of their sources, without what they disclose."""
    registries = result.get("registries")
    if not isinstance(registries, Mapping):
        return []
    return [
        {"registry": name, **{key: answer.get(key) for key in _OF_ANSWER}}
        for name, answer in sorted(registries.items())
    ]


async def _history(session: AsyncSession, verification: Verification) -> list[dict[str, Any]]:
    """The history without its notes, which are personal data."""
    query = (
        owned(HistoryEntry, verification.organization_id)
        .where(HistoryEntry.verification_id == verification.id)
        .order_by(HistoryEntry.created_at, HistoryEntry.id)
    )
    return [
        {
            "id": str(entry.id),
            "kind": entry.kind,
            "actorType": entry.actor_type,
            "actorId": None if entry.actor_id is None else str(entry.actor_id),
            "details": entry.details,
            "createdAt": timestamp(entry.created_at),
        }
        for entry in await session.scalars(query)
    ]


async def _newest_head(session: AsyncSession, verification: Verification) -> AuditHead | None:
    query = (
        owned(AuditHead, verification.organization_id).order_by(AuditHead.position.desc()).limit(1)
    )
    return (await session.scalars(query)).one_or_none()


async def _audit_segment(
    session: AsyncSession, verification: Verification, head: AuditHead | None
) -> dict[str, Any]:
    """The verification's entries, each with the hash before it, and the newest signed head."""
    before = aliased(AuditEntry)
    query = (
        owned(AuditEntry, verification.organization_id)
        .add_columns(before.hash)
        .outerjoin(
            before,
            (before.organization_id == AuditEntry.organization_id)
            & (before.position == AuditEntry.position - 1),
        )
        .where(
            AuditEntry.resource_type == ResourceType.VERIFICATION.value,
            AuditEntry.resource_id == verification.id,
        )
        .order_by(AuditEntry.position.nulls_last(), AuditEntry.id)
    )
    return {
        "entries": [_entry(entry, previous) for entry, previous in await session.execute(query)],
        "head": None
        if head is None
        else {
            "organizationId": str(head.organization_id),
            "position": head.position,
            "hash": head.hash.hex(),
            "signature": head.signature.hex(),
            "signedAt": timestamp(head.signed_at),
        },
    }


def _entry(entry: AuditEntry, previous: bytes | None) -> dict[str, Any]:
    """An entry with all that its hash covers (`domain.audit.chained_content`)."""
    return {
        "position": entry.position,
        "previousHash": None if previous is None else previous.hex(),
        "hash": None if entry.hash is None else entry.hash.hex(),
        "id": str(entry.id),
        "organizationId": str(entry.organization_id),
        "actorType": entry.actor_type,
        "actorId": None if entry.actor_id is None else str(entry.actor_id),
        "action": entry.action,
        "resourceType": entry.resource_type,
        "resourceId": str(entry.resource_id),
        "details": entry.details,
        "createdAt": entry.created_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
    }
