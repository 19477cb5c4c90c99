"""The commands of `acredita org` for existing organizations."""

from uuid import UUID

from sqlalchemy import or_, update

from acredita.domain.audit import Action
from acredita.domain.errors import NotFound
from acredita.kit import ids
from acredita.models import Organization
from acredita.resources.audit import service as audit
from acredita.services import open_transaction
from acredita.settings import Settings


async def set_rate(settings: Settings, organization: str, rate: int, burst: int) -> UUID:
    """Set rate (requests per second) and burst of the organization with this id or slug.

    Return its id. Raise NotFound.
    """
    statement = (
        update(Organization)
        .where(or_(Organization.slug == organization, Organization.id == ids.parse(organization)))
        .values(rate_limit=rate, rate_burst=burst)
        .returning(Organization.id)
    )
    async with open_transaction(settings) as session:
        organization_id = await session.scalar(statement)
        if organization_id is None:
            raise NotFound
        audit.record(
            session,
            audit.Actor(organization_id),
            Action.ORGANIZATION_UPDATED,
            organization_id,
            changes=["rateLimit"],
            rate=rate,
            burst=burst,
        )
    return organization_id
