"""Pictures of the sandboxes' people, where acredita-synthetic is installed: never in production."""

import asyncio
from dataclasses import dataclass
from datetime import date
from importlib.util import find_spec
from typing import Final

from acredita.domain.identifiers.formatting import Sex
from acredita.domain.identifiers.states import BORN_ABROAD, State
from acredita.domain.names import PersonName
from acredita.domain.verification import DocumentRole
from acredita.settings import Settings
from acredita.settings.server import Environment

ROLES: Final = (DocumentRole.FRONT, DocumentRole.BACK, DocumentRole.SELFIE)


@dataclass(frozen=True, slots=True)
class Identity:
    """What a voter card of the person says."""

    name: PersonName
    birth_date: date
    sex: Sex = Sex.UNSPECIFIED
    birth_state: State = BORN_ABROAD
    cic: str | None = None


def can_draw(settings: Settings) -> bool:
    """Return whether this installation has pictures of invented people."""
    is_production = settings.env is Environment.PRODUCTION
    return not is_production and find_spec("acredita_synthetic") is not None


async def draw(identity: Identity, role: DocumentRole, today: date) -> bytes:
    """Return a JPEG of one of ROLES; `can_draw` is true. Other requests go on meanwhile."""
    # Production has no such package.
    from acredita.specimen_pictures import draw as draw_picture  # noqa: PLC0415

    # One card a year: it is valid, and is drawn once.
    on = date(today.year, 1, 1)
    who = (identity.name, identity.birth_date, identity.sex, identity.birth_state, identity.cic)
    return await asyncio.to_thread(draw_picture, role, *who, on)
