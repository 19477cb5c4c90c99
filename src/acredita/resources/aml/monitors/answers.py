"""Records of what monitors answer.

A monitor screens a person each day, nearly always with the same answer. A new answer gets a record.
The same one is confirmed on the record: when, and which versions of the lists were screened.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.audit import canonical
from acredita.engines.screening import DEFAULT_THRESHOLD, Screening
from acredita.kit.crypto import Signer
from acredita.kit.db import Within
from acredita.models import AskerType, Monitor
from acredita.ports import Secrets
from acredita.resources.aml.hits.recording import Customer, Found
from acredita.resources.aml.screening import records
from acredita.resources.aml.screening.records import Asked, Asker, Screened
from acredita.resources.aml.screening.service import (
    MOST_MATCHES,
    answer_body,
    entries_of,
    is_sandbox,
    match_body,
    versions_of,
)
from acredita.screener import ServedIndex
from acredita.version import VERSION

ANSWER = "aml-monitor-answer"
"""Purpose of the keyed hash."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A screening of a monitored customer. `hits`: by the id of the entry."""

    customer: Customer
    served: ServedIndex
    screening: Screening
    hits: Mapping[int, Found]
    at: datetime


async def record_answer(
    session: AsyncSession, services: Secrets, monitor: Monitor, answered: Answered
) -> None:
    """Add a record and name it in the monitor, or confirm the record of the same answer.

    The monitor and its verification are locked.
    """
    statements = Within(session)
    served = answered.served
    known = frozenset(served.known_lists)
    sandbox = is_sandbox(served, known)
    screened = Screened(served.version, versions_of(served, known), DEFAULT_THRESHOLD, sandbox)
    answer_hash = _hash_of(services.signer, monitor, answered, screened)
    if (
        monitor.screening_id is not None
        and monitor.answer_hash == answer_hash
        and await records.confirm(
            statements, monitor.organization_id, monitor.screening_id, screened, answered.at
        )
    ):
        return
    asked = Asked(
        monitor.verification_id,
        dict(answered.customer.question),
        await _answer_of(statements, answered, sandbox=sandbox),
        list(answered.hits.values()),
    )
    asker = Asker(monitor.organization_id, AskerType.MONITOR, monitor.id)
    (recorded,) = await records.add(
        statements, services.keys, asker, screened, [asked], answered.at
    )
    monitor.screening_id, monitor.answer_hash = UUID(recorded["screeningId"]), answer_hash


def _hash_of(signer: Signer, monitor: Monitor, answered: Answered, screened: Screened) -> bytes:
    """A keyed hash of what makes two screenings one: person, period, release, lists and answer."""
    answer = [
        str(monitor.id),
        monitor.started_at.isoformat(),
        VERSION,
        dict(answered.customer.question),
        [each["id"] for each in screened.lists],
        answered.screening.total,
        sorted(
            [entity_id, hit.row_hash.hex(), round(hit.score, 2), hit.state.value, hit.decided_at]
            for entity_id, hit in answered.hits.items()
        ),
    ]
    return signer.digest(ANSWER, canonical(answer).encode())


async def _answer_of(statements: Within, answered: Answered, *, sandbox: bool) -> dict[str, Any]:
    """An AnswerContent as plain data."""
    served, hits = answered.served, answered.hits
    best = [
        match for match in answered.screening.matches[:MOST_MATCHES] if int(match.entry_id) in hits
    ]
    entries = await entries_of(statements, best)
    matches = [
        match_body(match, served, entries[match.entry_id]) | hits[int(match.entry_id)].body()
        for match in best
    ]
    false_hits = sum(hit.is_false for hit in hits.values())
    body = answer_body(matches, answered.screening.total, sandbox=sandbox, false_hits=false_hits)
    return body | {"screened": bool(served.known_lists)}
