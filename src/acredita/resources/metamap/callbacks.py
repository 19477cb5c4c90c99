"""Pending callbacks of checks and reports. A row exists for minutes: until the delivery or the last
attempt.
"""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import delete
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.kit.crypto import KeyRing
from acredita.kit.statement_pool import Reads
from acredita.models import MetamapCallback, WebhookEndpoint, WebhookFormat

# The signing secret is that of the organization's newest endpoint of this format.
FIND = f"""
    SELECT url, body_sealed, endpoint.id AS endpoint_id, endpoint.secret_sealed
    FROM metamap_callback AS callback
    LEFT JOIN LATERAL (
        SELECT id, secret_sealed FROM webhook_endpoint
        WHERE organization_id = callback.organization_id AND format = '{WebhookFormat.METAMAP}'
          AND is_active AND deleted_at IS NULL
        ORDER BY created_at DESC, id LIMIT 1
    ) AS endpoint ON true
    WHERE callback.id = $1
"""  # noqa: S608 (constants)


@dataclass(frozen=True, slots=True)
class Callback:
    url: str
    body: bytes
    # None: the organization has no endpoint of the format.
    secret: str | None


def add(
    session: AsyncSession,
    keys: KeyRing,
    organization_id: UUID,
    callback_id: UUID,
    *,
    url: str,
    body: bytes,
) -> None:
    sealed = MetamapCallback.body.seal(keys, callback_id, body)
    session.add(
        MetamapCallback(
            id=callback_id, organization_id=organization_id, url=url, body_sealed=sealed
        )
    )


async def find(reads: Reads, keys: KeyRing, callback_id: UUID) -> Callback | None:
    """Return the callback, or None if it was delivered or given up. Raise CannotUnseal."""
    row = await reads.row(FIND, callback_id)
    if row is None:
        return None
    body = MetamapCallback.body.open(keys, callback_id, row["body_sealed"])
    secret = None
    if row["endpoint_id"] is not None:
        secret = WebhookEndpoint.secret.open(keys, row["endpoint_id"], row["secret_sealed"])
    return Callback(row["url"], body, secret)


async def delete_callback(session: AsyncSession, callback_id: UUID) -> None:
    await session.execute(delete(MetamapCallback).where(MetamapCallback.id == callback_id))
