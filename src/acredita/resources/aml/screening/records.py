"""Records of screenings: what was asked, of which lists, and what was answered.

One statement adds the records of a request and their audit entries. Each entry has the digest of
its record, so the audit chain shows that a record is the one that was made then. A monitor, which
screens each day, adds a record when its answer changes, and else confirms the last one.
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, RowMapping, delete, func, select, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

from acredita.domain.audit import Action, ActorType
from acredita.domain.caller import Caller
from acredita.domain.errors import NotFound
from acredita.domain.retention import kept_since
from acredita.kit import ids
from acredita.kit.clock import timestamp
from acredita.kit.crypto import KeyRing
from acredita.kit.cursors import Window
from acredita.kit.db import Statements, to_json
from acredita.models import AskerType, AuditEntry, HitState, ScreeningRecord, Verification
from acredita.models.tenancy import belongs_to, owned
from acredita.resources.aml.hits import recording, retention
from acredita.resources.aml.hits.recording import Found
from acredita.resources.aml.screening.digests import content_of, digest_of, digests_of
from acredita.resources.audit import service as audit
from acredita.resources.organizations.retention import BATCH
from acredita.version import VERSION

SALT_BYTES = 16
# In the audit log, steps and monitors act as the service.
_ITSELF = f"$3::text IN ('{AskerType.STEP}', '{AskerType.MONITOR}')"
# A verification that is purged at the same time is locked: this waits, and then finds it purged.
# $24: the hits' verifications, among them those that known facts come from.
ADD = f"""
    WITH named AS (
        SELECT id FROM verification
        WHERE organization_id = $1 AND id = ANY($10::uuid[] || $24::uuid[]) AND purged_at IS NULL
        FOR KEY SHARE
    ), added AS (
        INSERT INTO aml_screening (
            organization_id, created_at, caller_type, caller_id, index_version, lists, threshold,
            engine_version, is_sandbox, id, verification_id, matches, is_complete, question_sealed,
            answer_sealed
        )
        SELECT $1, $2, $3::text, $4::uuid, $5, $6::jsonb, $7, '{VERSION}', $8, one.*
        FROM unnest(
            $9::uuid[], $10::uuid[], $11::integer[], $12::boolean[], $13::bytea[], $14::bytea[]
        ) AS one
        WHERE NOT EXISTS (
            SELECT FROM unnest($10::uuid[]) AS wanted (id)
            WHERE wanted.id IS NOT NULL AND wanted.id NOT IN (SELECT id FROM named)
        )
        RETURNING id
    ), {
    audit.adding(
        "audited",
        "$15::uuid[]",
        "$9::uuid[]",
        "$16::text[]",
        organization_id="$1",
        actor_type=f"CASE WHEN {_ITSELF} THEN '{ActorType.SERVICE}' ELSE $3::text END",
        actor_id=f"CASE WHEN {_ITSELF} THEN NULL ELSE $4::uuid END",
        action=Action.AML_SCREENING_MADE,
        among="added",
    )
}, noted AS ({
    recording.adding(
        17,
        organization_id="$1::uuid",
        at="$2::timestamptz",
        condition="EXISTS (SELECT FROM added)"
        " AND (one.verification_id IS NULL OR one.verification_id IN (SELECT id FROM named))",
    )
})
    SELECT count(*) FROM added
"""  # noqa: S608 (constants)
CONFIRM = """
    UPDATE aml_screening
    SET confirmed_at = $3, confirmed_index_version = $4, confirmed_lists = $5::jsonb
    WHERE organization_id = $1 AND id = $2
    RETURNING id
"""
LISTED = (
    ScreeningRecord.id,
    ScreeningRecord.created_at,
    ScreeningRecord.caller_type,
    ScreeningRecord.caller_id,
    ScreeningRecord.verification_id,
    ScreeningRecord.index_version,
    ScreeningRecord.lists,
    ScreeningRecord.threshold,
    ScreeningRecord.engine_version,
    ScreeningRecord.matches,
    ScreeningRecord.is_complete,
    ScreeningRecord.is_sandbox,
    ScreeningRecord.confirmed_at,
    ScreeningRecord.confirmed_index_version,
    ScreeningRecord.confirmed_lists,
)


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks. `id`: of the API key, the user, the step or the monitor."""

    organization_id: UUID
    type: AskerType
    id: UUID


def asker_of(caller: Caller) -> Asker:
    return Asker(caller.organization_id, AskerType(caller.kind.value), caller.id)


@dataclass(frozen=True, slots=True)
class Screened:
    """What the questions of one request have in common. `lists`: as in ScreeningRecord."""

    index_version: int | None
    lists: list[dict[str, Any]]
    threshold: float
    is_sandbox: bool


@dataclass(frozen=True, slots=True)
class Asked:
    """One question. `question` and `answer` are JSON objects as on the wire."""

    verification_id: UUID | None
    question: dict[str, Any]
    answer: Mapping[str, Any]
    hits: Sequence[Found] = ()


async def add(
    statements: Statements,
    keys: KeyRing,
    asker: Asker,
    screened: Screened,
    asked: Sequence[Asked],
    now: datetime,
) -> list[dict[str, Any]]:
    """Record the answers; return them with `screeningId`, `screenedAt` and `lists`.

    Raise NotFound if a question names a verification that is unknown or purged.
    """
    rows = _rows(asker, screened, asked, now)
    questions = [(row["id"], row["question"]) for row in rows]
    answers = [(row["id"], row["answer"]) for row in rows]
    found = await statements.row(
        ADD,
        asker.organization_id,
        now,
        asker.type.value,
        asker.id,
        screened.index_version,
        to_json(screened.lists),
        screened.threshold,
        screened.is_sandbox,
        [row["id"] for row in rows],
        [row["verification_id"] for row in rows],
        [row["matches"] for row in rows],
        [row["is_complete"] for row in rows],
        ScreeningRecord.question.seal_many(keys, questions),
        ScreeningRecord.answer.seal_many(keys, answers),
        ids.sortable_many(len(rows)),
        [audit.details_of(digest=digest) for digest in digests_of(rows)],
        *recording.columns_of(keys, _hits(asked, rows)),
    )
    if found is None or not found[0]:
        raise NotFound
    common = {"screenedAt": timestamp(now), "lists": screened.lists}
    return [
        {**each.answer, "screeningId": str(row["id"]), **common}
        for each, row in zip(asked, rows, strict=True)
    ]


async def confirm(
    statements: Statements,
    organization_id: UUID,
    screening_id: UUID,
    screened: Screened,
    now: datetime,
) -> bool:
    """Note on the record that the same question had the same answer now. False: it is deleted."""
    confirmed = await statements.row(
        CONFIRM,
        organization_id,
        screening_id,
        now,
        screened.index_version,
        to_json(screened.lists),
    )
    return confirmed is not None


def _hits(
    asked: Sequence[Asked], rows: Sequence[Mapping[str, Any]]
) -> dict[UUID, tuple[Found, UUID]]:
    """Return each hit once, by its id, with the id of the record that it is in."""
    pairs = [(hit, row["id"]) for each, row in zip(asked, rows, strict=True) for hit in each.hits]
    # A customer who is asked for twice, with facts that open the hit again: those are written.
    pairs.sort(key=lambda pair: pair[0].state is HitState.OPEN)
    return {hit.id: (hit, record_id) for hit, record_id in pairs}


def _rows(
    asker: Asker, screened: Screened, asked: Sequence[Asked], now: datetime
) -> list[dict[str, Any]]:
    shared = {
        "created_at": now,
        "caller_type": asker.type.value,
        "caller_id": asker.id,
        "index_version": screened.index_version,
        "lists": screened.lists,
        "threshold": screened.threshold,
        "engine_version": VERSION,
        "is_sandbox": screened.is_sandbox,
    }
    salts, end = secrets.token_hex(SALT_BYTES * len(asked)), 2 * SALT_BYTES
    rows = []
    for place, (row_id, each) in enumerate(zip(ids.sortable_many(len(asked)), asked, strict=True)):
        matches, salt = each.answer["totalMatches"], salts[place * end : (place + 1) * end]
        rows.append(
            {
                **shared,
                "id": row_id,
                "verification_id": each.verification_id,
                "matches": matches,
                "is_complete": each.answer["screened"] and matches == len(each.answer["matches"]),
                "question": each.question,
                "answer": {**each.answer, "salt": salt},
            }
        )
    return rows


def summary_of(row: Mapping[Any, Any] | RowMapping) -> dict[str, Any]:
    """A ScreeningSummary as plain data."""
    confirmed = row["confirmed_at"] and {
        "at": timestamp(row["confirmed_at"]),
        "indexVersion": row["confirmed_index_version"],
        "lists": row["confirmed_lists"],
    }
    return content_of(row) | {"confirmed": confirmed}


async def view(
    session: AsyncSession, keys: KeyRing, caller: Caller, screening_id: UUID
) -> dict[str, Any]:
    """A ScreeningShape as plain data. Record the access in the audit log. Raise NotFound.

    Answers of former releases are returned as they were given.
    """
    query = (
        owned(ScreeningRecord, caller.organization_id)
        .with_only_columns(*LISTED, ScreeningRecord.question_sealed, ScreeningRecord.answer_sealed)
        .where(ScreeningRecord.id == screening_id)
    )
    row = (await session.execute(query)).mappings().one_or_none()
    if row is None:
        raise NotFound
    audit.record(session, caller, Action.AML_SCREENING_VIEWED, screening_id)
    question = ScreeningRecord.question.open(keys, screening_id, row["question_sealed"])
    answer = ScreeningRecord.answer.open(keys, screening_id, row["answer_sealed"])
    digest = digest_of(row, question, answer)
    shown = {name: value for name, value in answer.items() if name != "salt"}
    return summary_of(row) | {
        "digest": digest.hex(),
        "intact": await _is_intact(session, caller, screening_id, digest),
        "question": question,
        "answer": shown,
    }


async def _is_intact(
    session: AsyncSession, caller: Caller, screening_id: UUID, digest: bytes
) -> bool:
    """Whether the audit log has this digest of the record."""
    query = (
        owned(AuditEntry, caller.organization_id)
        .with_only_columns(AuditEntry.details)
        .where(
            AuditEntry.resource_id == screening_id,
            AuditEntry.action == Action.AML_SCREENING_MADE.value,
        )
    )
    return await session.scalar(query) == audit.details_of(digest=digest)


@dataclass(frozen=True, slots=True)
class Filters:
    screened_from: datetime | None
    screened_before: datetime | None
    has_matches: bool | None
    # As the caller wrote it.
    verification_id: str | None
    caller_type: AskerType | None


async def page(
    connection: AsyncConnection, caller: Caller, filters: Filters, window: Window
) -> tuple[int, Sequence[RowMapping]]:
    """(total number of records, those of one page and the next one, newest first)."""
    if filters.verification_id is not None and ids.parse(filters.verification_id) is None:
        return 0, []
    wanted = [belongs_to(ScreeningRecord, caller.organization_id), *_conditions(filters)]
    place = (ScreeningRecord.created_at, ScreeningRecord.id)
    query = (
        select(*LISTED)
        .where(*wanted)
        .order_by(*(column.desc() for column in place))
        .limit(window.limit + 1)
    )
    if window.after is not None:
        total = window.after.total
        query = query.where(tuple_(*place) < (window.after.created_at, window.after.id))
    else:
        count = select(func.count()).select_from(ScreeningRecord).where(*wanted)
        total = (await connection.scalar(count)) or 0
        query = query.offset(window.offset)
    return total, (await connection.execute(query)).mappings().all()


def _conditions(filters: Filters) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if filters.screened_from is not None:
        conditions.append(ScreeningRecord.created_at >= filters.screened_from)
    if filters.screened_before is not None:
        conditions.append(ScreeningRecord.created_at < filters.screened_before)
    if filters.has_matches is not None:
        has_matches = ScreeningRecord.matches > 0
        conditions.append(has_matches if filters.has_matches else ScreeningRecord.matches == 0)
    if filters.verification_id is not None:
        verification_id = ids.parse(filters.verification_id)
        conditions.append(ScreeningRecord.verification_id == verification_id)
    if filters.caller_type is not None:
        conditions.append(ScreeningRecord.caller_type == filters.caller_type)
    return conditions


async def purge_some(
    session: AsyncSession, organization_id: UUID, now: datetime, *, years: int
) -> int:
    """Delete up to BATCH records older than `years`, and as many hits; return the larger number.

    Fewer than BATCH: none is left. A record of a held verification stays until the hold ends.
    """
    before = kept_since(now, days=0, years=years)
    hits = await retention.delete_old(session, organization_id, before)
    held = owned(Verification, organization_id).with_only_columns(Verification.id)
    due = (
        owned(ScreeningRecord, organization_id)
        .with_only_columns(ScreeningRecord.id)
        .where(
            ScreeningRecord.created_at < before,
            ~held.where(
                Verification.id == ScreeningRecord.verification_id,
                Verification.held_at.is_not(None),
            ).exists(),
        )
        .order_by(ScreeningRecord.created_at)
        .limit(BATCH)
        .with_for_update(of=ScreeningRecord, skip_locked=True)
    )
    due_ids = (await session.scalars(due)).all()
    await session.execute(delete(ScreeningRecord).where(ScreeningRecord.id.in_(due_ids)))
    actor = audit.Actor(organization_id)
    for screening_id in due_ids:
        audit.record(session, actor, Action.AML_SCREENING_PURGED, screening_id)
    return max(len(due_ids), hits)


async def delete_records(session: AsyncSession, verification_ids: Sequence[UUID]) -> None:
    """Delete the records of purged verifications, and their hits."""
    await retention.delete_hits(session, verification_ids)
    await session.execute(
        delete(ScreeningRecord).where(ScreeningRecord.verification_id.in_(verification_ids))
    )
