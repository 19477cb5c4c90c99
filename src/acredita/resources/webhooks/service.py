"""Registers and tests webhook endpoints."""

from uuid import UUID

import orjson
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.audit import Action
from acredita.domain.caller import Caller
from acredita.domain.errors import NoVerification, ValidationFailed
from acredita.domain.events import EventKind
from acredita.domain.verification import VerificationStatus
from acredita.kit import ids
from acredita.kit.crypto import KeyRing
from acredita.kit.http import HttpClient, HttpError
from acredita.models import WebhookEndpoint, WebhookFormat
from acredita.ports import EventPosting
from acredita.resources.audit import service as audit
from acredita.resources.webhooks import formats, queries, secrets
from acredita.resources.webhooks.posting import post
from acredita.resources.webhooks.schemas import CreatedWebhook, WebhookCreate


async def check_target(http: HttpClient, url: str, *, field: str) -> None:
    """Raise ValidationFailed for a forbidden address; `field` names it in the error.

    It queries the DNS: call it before the first statement of a transaction.
    """
    try:
        await http.check_target(url)
    except HttpError as fault:
        raise ValidationFailed(details=[f"body.{field}: {fault}"]) from None


async def create(
    session: AsyncSession, http: HttpClient, keys: KeyRing, caller: Caller, data: WebhookCreate
) -> CreatedWebhook:
    await check_target(http, data.url, field="url")
    endpoint_id = ids.sortable()
    secret = data.secret or secrets.new_secret()
    endpoint = WebhookEndpoint(
        id=endpoint_id,
        organization_id=caller.organization_id,
        url=data.url,
        events=[kind.value for kind in data.events],
        secret_sealed=WebhookEndpoint.secret.seal(keys, endpoint_id, secret),
        format=data.format.value,
        is_active=True,
    )
    session.add(endpoint)
    await session.flush()
    audit.record(session, caller, Action.WEBHOOK_CREATED, endpoint_id, events=data.events)
    return CreatedWebhook(
        id=endpoint.id,
        url=endpoint.url,
        events=data.events,
        secret=secret,
        format=data.format,
        is_active=endpoint.is_active,
        created_at=endpoint.created_at,
    )


async def send_test(services: EventPosting, caller: Caller, endpoint_id: UUID) -> bool:
    """POST a synthetic verification.created once; return whether the receiver answered 2xx."""
    async with services.database.reading() as connection:
        endpoint = await queries.get(connection, caller, endpoint_id)
        verification = await queries.newest_verification(connection, caller)
    if verification is None:
        raise NoVerification
    data = {
        "verificationId": str(verification.id),
        "workflowId": str(verification.workflow_id),
        "status": VerificationStatus.PENDING.value,
        "externalId": verification.external_id,
        "test": True,
    }
    kind, delivery_id = EventKind.VERIFICATION_CREATED, ids.capability()
    secret = WebhookEndpoint.secret.open(services.keys, endpoint.id, endpoint.secret_sealed)
    body = await formats.body(
        services,
        WebhookFormat(endpoint.format),
        delivery_id=delivery_id,
        verification_id=verification.id,
        kind=kind,
        turn=None,
        data=orjson.dumps(data),
        moment=services.clock.now(),
    )
    attempt = await post(
        services.http,
        services.clock,
        url=endpoint.url,
        secret=secret,
        kind=kind,
        delivery_id=delivery_id,
        body=body,
        format=WebhookFormat(endpoint.format),
    )
    return attempt.delivered
