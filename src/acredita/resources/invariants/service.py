"""Check the invariants and repair violations."""

from collections import Counter
from uuid import UUID

import structlog

from acredita.kit.crypto import Signer
from acredita.kit.db import Database
from acredita.ports import JobEnding
from acredita.resources.audit import growth
from acredita.resources.invariants import metrics, queries
from acredita.resources.invariants.checks import AUDIT_CHAIN, INVARIANTS, MOST, Invariant
from acredita.resources.invariants.queries import Violation, Window
from acredita.resources.invariants.repairs import REPAIRS

log = structlog.get_logger()

# Further violations are only counted, so that one bad minute does not fill the log.
MOST_LINES = 20


async def check_all(services: JobEnding) -> None:
    for invariant in INVARIANTS:
        try:
            await check(services, invariant)
        except Exception:
            # Check the others. An alert watches for a gauge that is not updated.
            log.exception("invariants.not_checked", name=invariant.name)


async def check(services: JobEnding, invariant: Invariant) -> Counter[str]:
    """Find violations and repair what can be repaired. Count the violations by outcome."""
    async with queries.looking(services.database) as connection:
        window = await queries.window_of(connection, invariant)
        violations = await queries.find(connection, invariant, window)
    outcomes: Counter[str] = Counter()
    for violation in violations:
        outcome = await _settle(services, invariant, window, violation)
        outcomes[outcome] += 1
        metrics.VIOLATIONS.labels(invariant.name, outcome).inc()
        if outcomes.total() <= MOST_LINES:
            log.error(
                "invariants.violated",
                name=invariant.name,
                outcome=outcome,
                subject_id=violation.id,
                organization_id=violation.organization_id,
            )
    # The next check finds the rest of a window with more violations.
    if invariant.windowed and (len(violations) < MOST or not outcomes[metrics.REPAIRED]):
        async with services.database.transaction() as session:
            await queries.checked(session, invariant, window)
    metrics.CHECKED_AT.labels(invariant.name).set_to_current_time()
    return outcomes


async def check_audit(database: Database, signer: Signer) -> None:
    """Check the new entries of each organization's audit chain."""
    for verdict in await growth.check(database, signer):
        metrics.VIOLATIONS.labels(AUDIT_CHAIN, metrics.FOUND).inc()
        log.error(
            "invariants.violated",
            name=AUDIT_CHAIN,
            outcome=metrics.FOUND,
            organization_id=verdict.organization_id,
            position=verdict.bad_position,
        )
    metrics.CHECKED_AT.labels(AUDIT_CHAIN).set_to_current_time()


async def _settle(
    services: JobEnding, invariant: Invariant, window: Window, violation: Violation
) -> str:
    repair = REPAIRS.get(invariant.name)
    if repair is None:
        return metrics.FOUND
    try:
        await repair(services, violation.id)
    except Exception:
        log.exception("invariants.not_repaired", name=invariant.name)
        return metrics.FOUND
    return (
        metrics.FOUND
        if await _is_there(services.database, invariant, window, violation.id)
        else metrics.REPAIRED
    )


async def _is_there(
    database: Database, invariant: Invariant, window: Window, subject: UUID
) -> bool:
    async with queries.looking(database) as connection:
        return bool(await queries.find(connection, invariant, window, only=subject))
