"""Reads the header `Idempotency-Key`."""

import asyncio
from typing import Annotated

from fastapi import Depends, Header
from starlette.requests import Request

from acredita.api.dependencies import services_of
from acredita.api.json_body import PARSED_ON_THE_LOOP
from acredita.api.permissions import CALLER
from acredita.domain.audit import canonical
from acredita.domain.errors import ValidationFailed
from acredita.kit.crypto import Signer
from acredita.resources.idempotency.service import Repeatable

HEADER = "Idempotency-Key"


async def _repeatable(
    request: Request,
    key: Annotated[
        str | None,
        Header(
            alias=HEADER,
            min_length=1,
            max_length=255,
            # Printable ASCII.
            pattern="^[ -~]+$",
            description=(
                "Makes retries safe. Within 24 hours, a request with the same key and the same "
                "body has no second effect."
            ),
        ),
    ] = None,
) -> Repeatable:
    caller, services = request.scope[CALLER], services_of(request)
    if key is None:
        return Repeatable(services, caller.organization_id, None, b"")
    if len(request.headers.getlist(HEADER)) > 1:
        raise ValidationFailed(details=[f"header.{HEADER}: is given twice"])
    route = request.scope["route"].path
    # Keyed hashes, because bodies and idempotency keys can contain personal data.
    scope = f"{caller.organization_id} {request.method} {route} {key}".encode()
    body = [dict(request.path_params), await request.json()]
    if len(await request.body()) > PARSED_ON_THE_LOOP:
        digest = await asyncio.to_thread(_digest, services.signer, body)
    else:
        digest = _digest(services.signer, body)
    return Repeatable(
        services, caller.organization_id, services.signer.digest("idempotency-key", scope), digest
    )


def _digest(signer: Signer, body: object) -> bytes:
    return signer.digest("idempotency-body", canonical(body).encode())


RepeatableDep = Annotated[Repeatable, Depends(_repeatable)]
