"""Templates that an organization made from licences of its ground truth."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any
from uuid import UUID

import orjson
from pydantic import TypeAdapter, ValidationError
from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

from acredita.domain.audit import Action
from acredita.domain.caller import Caller
from acredita.domain.documents.licence_templates import LicenceTemplate
from acredita.domain.errors import ValidationFailed
from acredita.kit import ids
from acredita.models import LicenceTruth, OwnLicenceTemplate
from acredita.models.tenancy import owned
from acredita.resources.audit import service as audit

# There is a limit because every licence is compared with every template.
MOST_TEMPLATES = 100
_TEMPLATE = TypeAdapter(LicenceTemplate)


async def of_organization(
    connection: AsyncConnection | AsyncSession, organization_id: UUID
) -> tuple[LicenceTemplate, ...]:
    """Return its own templates, newest first. They take precedence over the built-in ones."""
    query = (
        owned(OwnLicenceTemplate, organization_id)
        .with_only_columns(OwnLicenceTemplate.template)
        .order_by(OwnLicenceTemplate.created_at.desc(), OwnLicenceTemplate.id)
    )
    rows = (await connection.execute(query)).scalars().all()
    return tuple(_TEMPLATE.validate_json(orjson.dumps(row)) for row in rows)


async def keep(
    session: AsyncSession, caller: Caller, truth: LicenceTruth, given: dict[str, Any]
) -> None:
    """Store a template for the organization's licences. Raise ValidationFailed."""
    template = _parsed(given, truth.state)
    others = await _others(session, caller, truth.id)
    if len(others) >= MOST_TEMPLATES:
        detail = f"body.template: there are {MOST_TEMPLATES} templates already"
        raise ValidationFailed(details=[detail])
    if template.id in others:
        raise ValidationFailed(details=["body.template.id: another licence's template has it"])
    adding = insert(OwnLicenceTemplate).values(
        id=ids.sortable(),
        organization_id=caller.organization_id,
        truth_id=truth.id,
        state=template.state,
        template=orjson.loads(_TEMPLATE.dump_json(template)),
    )
    await session.execute(
        adding.on_conflict_do_update(
            index_elements=[OwnLicenceTemplate.truth_id, OwnLicenceTemplate.organization_id],
            set_={"state": adding.excluded.state, "template": adding.excluded.template},
        )
    )
    # Readings name the template by its id; the digest tells what it says from now on.
    audit.record(
        session,
        caller,
        Action.LICENCE_TEMPLATE_SET,
        truth.id,
        state=template.state,
        digest=sha256(_TEMPLATE.dump_json(template)).digest(),
    )


async def drop(session: AsyncSession, caller: Caller, truth: LicenceTruth) -> None:
    query = delete(OwnLicenceTemplate).where(OwnLicenceTemplate.truth_id == truth.id)
    dropped = await session.scalar(query.returning(OwnLicenceTemplate.id))
    if dropped is not None:
        audit.record(session, caller, Action.LICENCE_TEMPLATE_REMOVED, truth.id)


async def drawn_from(
    connection: AsyncConnection | AsyncSession, truth_ids: Sequence[UUID]
) -> dict[UUID, dict[str, Any]]:
    """Return the templates made from these licences."""
    query = select(OwnLicenceTemplate.truth_id, OwnLicenceTemplate.template).where(
        OwnLicenceTemplate.truth_id.in_(truth_ids)
    )
    return {row.truth_id: row.template for row in (await connection.execute(query)).all()}


async def states_of(connection: AsyncConnection, caller: Caller) -> set[str]:
    query = owned(OwnLicenceTemplate, caller.organization_id).with_only_columns(
        OwnLicenceTemplate.state
    )
    return set(await connection.scalars(query))


def _parsed(given: dict[str, Any], state: str | None) -> LicenceTemplate:
    try:
        template = _TEMPLATE.validate_json(orjson.dumps(given))
    except ValidationError as fault:
        details = [
            f"body.template.{'.'.join(map(str, error['loc']))}: "
            + error["msg"].removeprefix("Value error, ")
            for error in fault.errors()[:20]
        ]
        raise ValidationFailed(details=details) from None
    if template.state != state:
        raise ValidationFailed(details=["body.template.state: is not the licence's state"])
    return template


async def _others(session: AsyncSession, caller: Caller, truth_id: UUID) -> set[str]:
    query = (
        owned(OwnLicenceTemplate, caller.organization_id)
        .with_only_columns(OwnLicenceTemplate.template)
        .where(
            OwnLicenceTemplate.truth_id != truth_id,
        )
    )
    return {template["id"] for template in await session.scalars(query)}
