"""The number and the reading accuracy of licences by state."""

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from acredita.domain.caller import Caller
from acredita.domain.identifiers.states import BY_CODE, STATES
from acredita.engines.documents.licences.templates import known_templates
from acredita.models import LicenceTruth
from acredita.models.tenancy import belongs_to
from acredita.resources.ground_truth import templates
from acredita.resources.ground_truth.schemas import StateCount, StateStat


async def with_template(connection: AsyncConnection, caller: Caller) -> set[str]:
    """Return the states with a template of the service or of the organization."""
    own = await templates.states_of(connection, caller)
    return own | {template.state for template in known_templates()}


async def counts(connection: AsyncConnection, caller: Caller) -> list[StateCount]:
    """Return all 32 states with their numbers of licences."""
    query = (
        select(LicenceTruth.state, func.count())
        .where(belongs_to(LicenceTruth, caller.organization_id))
        .group_by(LicenceTruth.state)
    )
    found = {row[0]: row[1] for row in await connection.execute(query)}
    known = await with_template(connection, caller)
    return [
        StateCount(
            state=state.code,
            name=state.name,
            licences=found.get(state.code, 0),
            has_template=state.code in known,
        )
        for state in STATES
    ]


async def stats(connection: AsyncConnection, caller: Caller) -> list[StateStat]:
    """Return the states with licences, most first; licences without a state are one entry."""
    read_state = LicenceTruth.read_by["state"].astext
    query = (
        select(
            LicenceTruth.state,
            func.count().label("licences"),
            func.count(LicenceTruth.read_by).label("read"),
            func.count().filter(read_state == LicenceTruth.state).label("state_correct"),
            func.coalesce(
                func.sum(LicenceTruth.compared).filter(LicenceTruth.read_by.is_not(None)), 0
            ).label("compared"),
            func.coalesce(func.sum(LicenceTruth.correct), 0).label("correct"),
        )
        .where(belongs_to(LicenceTruth, caller.organization_id))
        .group_by(LicenceTruth.state)
        .order_by(func.count().desc(), LicenceTruth.state)
    )
    rows = (await connection.execute(query)).all()
    known = await with_template(connection, caller)
    return [
        StateStat(
            state=row.state,
            name=BY_CODE[row.state].name if row.state else None,
            licences=row.licences,
            read=row.read,
            state_correct=row.state_correct,
            fields_compared=row.compared,
            fields_correct=row.correct,
            accuracy=round(row.correct / row.compared, 4) if row.compared else None,
            has_template=row.state in known,
        )
        for row in rows
    ]
