"""Credit checks: each makes at most one consultation of the credit bureau.

A consultation costs money and leaves a record in the person's credit file. Therefore the row of the
check is committed first, and only the request that created it asks the bureau, once. An interrupted
request leaves a check with status UNKNOWN, never a second consultation. Only the caller can start a
new check. No transaction is open during the consultation.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import orjson
import structlog
from sqlalchemy.ext.asyncio import AsyncSession
from starlette.responses import Response

from acredita.domain.audit import Action
from acredita.domain.caller import Caller
from acredita.domain.credit.person import Prepared, Question, Remark, prepare
from acredita.domain.credit.status import CheckStatus
from acredita.domain.errors import FeatureOff, ValidationFailed
from acredita.kit import ids
from acredita.kit.clock import Clock
from acredita.kit.crypto import KeyRing
from acredita.models import CreditCheck
from acredita.ports import CreditChecks, SealedRows
from acredita.providers.credit import (
    ConsultationFailed,
    CreditBureau,
    Failure,
    NotConsulted,
)
from acredita.resources.audit import service as audit
from acredita.resources.credit import queries, stored
from acredita.resources.credit.schemas import CreditCheckCreate, CreditCheckShape
from acredita.resources.idempotency.service import Answer, Repeatable

log = structlog.get_logger()

# Seconds between two polls of a repeated request for the result of the first one.
POLL = 0.1
# Seconds that a request may need besides its consultation: connection pool, audit lock.
GRACE = 30.0
NO_FILE = "NO_FILE"


async def check(
    services: CreditChecks, caller: Caller, data: CreditCheckCreate, repeatable: Repeatable
) -> CreditCheckShape:
    """Consult the bureau. A repeated request waits for the result of the first one.

    Raise ValidationFailed if the data does not suffice, FeatureOff without a bureau.
    """
    bureau = services.credit
    if bureau is None:
        raise FeatureOff("Credit checks are not set up on this installation.")
    kept = await repeatable.first_answer()
    if kept is not None:
        return await _wait_for_result(services, bureau, caller, _id_in(kept))
    prepared, question = _prepare(services.clock, bureau, data)
    check_id = ids.sortable()

    async def open_check(session: AsyncSession) -> Answer:
        return await _open(
            session, services.clock, services.keys, caller, bureau, check_id, prepared, question
        )

    kept = await repeatable.answer_within(open_check)
    if _id_in(kept) != check_id:  # a concurrent request with the same key came first
        return await _wait_for_result(services, bureau, caller, _id_in(kept))
    await _consult(services, bureau, check_id, question)
    return await show(services, caller, check_id)


async def consult_once(
    services: CreditChecks, actor: audit.Actor, check_id: UUID, data: CreditCheckCreate
) -> CreditCheck:
    """Return the finished check of this id, for a job: it may run twice, the consultation does not.

    A former run that died leaves the status UNKNOWN. After FAILED the bureau is asked again: it was
    certainly not asked before. Raise ValidationFailed if the data does not suffice, FeatureOff
    without a bureau.
    """
    bureau = services.credit
    if bureau is None:
        raise FeatureOff("Credit checks are not set up on this installation.")
    prepared, question = _prepare(services.clock, bureau, data)
    async with services.database.transaction() as session:
        former = await queries.find(session, actor.organization_id, check_id)
        if former is None:
            await _open(
                session, services.clock, services.keys, actor, bureau, check_id, prepared, question
            )
        elif former.status == CheckStatus.FAILED:
            former.status, former.code = CheckStatus.PENDING.value, None
            former.created_at, former.finished_at = services.clock.now(), None
            audit.record(
                session, actor, Action.CREDIT_CHECK_REQUESTED, check_id, provider=bureau.name
            )
            former = None
        elif former.status == CheckStatus.PENDING:
            await _record_result(
                session, services.clock, check_id, CheckStatus.UNKNOWN, Failure.NO_ANSWER.value
            )
    if former is None:
        await _consult(services, bureau, check_id, question)
    async with services.database.transaction() as session:
        finished = await queries.find(session, actor.organization_id, check_id)
    assert finished is not None  # noqa: S101 (nothing purges it so early)
    return finished


def _prepare(
    clock: Clock, bureau: CreditBureau, data: CreditCheckCreate
) -> tuple[Prepared, Question]:
    """Derive the question for the bureau. Raise ValidationFailed with all faults."""
    prepared = prepare(data.stated(), clock.now().date())
    if prepared.question is None:
        raise ValidationFailed(details=_sentences(prepared.faults))
    if wanted := bureau.problems(prepared.question):
        raise ValidationFailed(details=_sentences(wanted))
    warnings = (*prepared.warnings, *bureau.production_problems(prepared.question))
    return replace(prepared, warnings=warnings), prepared.question


def _sentences(remarks: Sequence[Remark]) -> list[str]:
    return [f"body.{remark.field}: {remark.message}" for remark in remarks]


async def _open(
    session: AsyncSession,
    clock: Clock,
    keys: KeyRing,
    caller: Caller | audit.Actor,
    bureau: CreditBureau,
    check_id: UUID,
    prepared: Prepared,
    question: Question,
) -> Answer:
    """Add the row of the check. Return an answer with its id, for repeated requests."""
    session.add(
        CreditCheck(
            id=check_id,
            organization_id=caller.organization_id,
            status=CheckStatus.PENDING.value,
            provider=bureau.name,
            is_sandbox=bureau.is_sandbox,
            question_sealed=CreditCheck.question.seal(
                keys, check_id, stored.question_of(prepared, question)
            ),
            created_at=clock.now(),
        )
    )
    await session.flush()
    audit.record(session, caller, Action.CREDIT_CHECK_REQUESTED, check_id, provider=bureau.name)
    return Answer(orjson.dumps({"id": str(check_id)}).decode(), 201, {})


def _id_in(kept: Response) -> UUID:
    return UUID(orjson.loads(kept.body)["id"])


async def _consult(
    services: SealedRows, bureau: CreditBureau, check_id: UUID, question: Question
) -> None:
    try:
        report = await bureau.consult(question)
    except ConsultationFailed as fault:
        log.warning(
            "a credit bureau gave no report",
            check_id=check_id,
            provider=bureau.name,
            code=fault.failure.value,
            reason=fault.word,
        )
        status = CheckStatus.FAILED if isinstance(fault, NotConsulted) else CheckStatus.UNKNOWN
        await _finish(services, check_id, status, fault.failure.value)
        return
    now = services.clock.now()
    result = stored.result_of(report, now.date())
    await _finish(
        services,
        check_id,
        CheckStatus.COMPLETED,
        None if report is not None else NO_FILE,
        CreditCheck.result.seal(services.keys, check_id, result),
    )


async def _finish(
    services: SealedRows,
    check_id: UUID,
    status: CheckStatus,
    code: str | None,
    result_sealed: bytes | None = None,
) -> None:
    async with services.database.transaction() as session:
        await _record_result(session, services.clock, check_id, status, code, result_sealed)


async def _record_result(
    session: AsyncSession,
    clock: Clock,
    check_id: UUID,
    status: CheckStatus,
    code: str | None,
    result_sealed: bytes | None = None,
) -> None:
    organization_id = await queries.finish(
        session, check_id, status=status, code=code, result_sealed=result_sealed, now=clock.now()
    )
    if organization_id is not None:
        actor = audit.Actor(organization_id)
        audit.record(
            session,
            actor,
            Action.CREDIT_CHECK_FINISHED,
            check_id,
            status=status.value,
            code=code,
        )


async def _wait_for_result(
    services: SealedRows, bureau: CreditBureau, caller: Caller, check_id: UUID
) -> CreditCheckShape:
    """Wait until another request finishes the check, or until that request is overdue."""
    while True:
        shape = await show(services, caller, check_id)
        overdue = shape.created_at + timedelta(seconds=bureau.timeout + POLL)
        if shape.status is not CheckStatus.PENDING or services.clock.now() > overdue:
            return shape
        await asyncio.sleep(POLL)


async def show(services: SealedRows, caller: Caller, check_id: UUID) -> CreditCheckShape:
    """Raise NotFound."""
    async with services.database.transaction() as session:
        row = await queries.get(session, caller, check_id)
    return _shape(services.keys, row)


async def view(
    session: AsyncSession, keys: KeyRing, caller: Caller, check_id: UUID
) -> CreditCheckShape:
    """Show a check and record the access in the audit log. Raise NotFound."""
    row = await queries.get(session, caller, check_id)
    audit.record(session, caller, Action.CREDIT_CHECK_VIEWED, check_id)
    return _shape(keys, row)


def _shape(keys: KeyRing, row: CreditCheck) -> CreditCheckShape:
    return CreditCheckShape.from_row(row, row.question.open(keys), row.result.open(keys))


async def give_up_abandoned(services: CreditChecks, *, limit: int) -> int:
    """Set checks whose request died to UNKNOWN, at most `limit`. Return their number."""
    slowest = timedelta(seconds=services.settings.credit_timeout + GRACE)
    async with services.database.transaction() as session:
        abandoned = await queries.lock_abandoned(
            session, services.clock.now() - slowest, limit=limit
        )
        for check_id in abandoned:
            await _record_result(
                session, services.clock, check_id, CheckStatus.UNKNOWN, Failure.NO_ANSWER.value
            )
    return len(abandoned)
