"""Compares the bodies of webhooks with what the API description says of them."""

from typing import Any

import orjson
from pydantic import BaseModel
from sqlalchemy import select

from acredita.models import Event
from acredita.resources.routes import WEBHOOKS
from acredita.resources.webhooks import receivers
from acredita.services import Services

SHAPES: dict[str, Any] = {route.path: route.body_field.field_info.annotation for route in WEBHOOKS}


def check_envelope(body: dict[str, Any]) -> None:
    """Fail unless the body has what its shape has: nothing is missing, nothing is undescribed."""
    _check(SHAPES[body["event"]], body)


async def check_recorded_events(services: Services) -> None:
    """Check the data of all events in the database that are not sealed."""
    async with services.database.transaction() as session:
        # Events with these turns are sent in MetaMap's format alone.
        of_metamap = Event.turn.in_(receivers.OF_METAMAP_ALONE)
        described = Event.data.is_not(None) & (Event.turn.is_(None) | ~of_metamap)
        for event in await session.scalars(select(Event).where(described)):
            _check(SHAPES[event.kind].model_fields["data"].annotation, orjson.loads(event.data))


def _check(shape: type[BaseModel], body: dict[str, Any]) -> None:
    read = shape.model_validate(body)
    assert read.model_dump(mode="json", by_alias=True, exclude_unset=True) == body
