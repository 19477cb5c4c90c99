"""The receivers of each event: one query, to add, check and repair deliveries."""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.events import METAMAP_NAMES, EventKind
from acredita.models import EventTurn, WebhookEndpoint, WebhookFormat
from acredita.models.tenancy import owned

# Every callback has this kind (DECISIONS, Verifications).
CALLBACK_KIND = EventKind.VERIFICATION_COMPLETED

# Callbacks of an organization to one origin wait for each other like those of one endpoint.
CALLBACK_RECEIVER = (
    "md5(event_added.organization_id::text ||"
    " lower(substring(verification.callback_url FROM '^[^/]*//[^/?#]*')))::uuid"
)
# The kinds that the metamap format has a name for; of other kinds it sends those with a turn.
METAMAP_KINDS = ", ".join(f"'{kind}'" for kind in METAMAP_NAMES)
# These turns have a name in the metamap format alone: no field of the verification changed.
OF_METAMAP_ALONE = (
    EventTurn.LAST_INPUT,
    EventTurn.POSTPONED,
    EventTurn.SIGNED,
    EventTurn.FURTHER_STEP,
)
METAMAP_TURNS = ", ".join(f"'{turn}'" for turn in OF_METAMAP_ALONE)
# The columns that decide which receivers get an event.
EVENT_COLUMNS = "id, organization_id, verification_id, kind, callback_only, created_at, turn"

# One row per delivery that the events need. The surrounding query defines `event_added`, with
# EVENT_COLUMNS. `registered_at` is null for callbacks.
WANTED = f"""
    SELECT event_added.id AS event_id, event_added.organization_id, event_added.created_at,
           webhook_endpoint.id AS endpoint_id, webhook_endpoint.id AS receiver_id,
           webhook_endpoint.created_at AS registered_at
    FROM event_added JOIN webhook_endpoint USING (organization_id)
    WHERE NOT event_added.callback_only AND event_added.kind = ANY(webhook_endpoint.events)
      AND webhook_endpoint.is_active AND webhook_endpoint.deleted_at IS NULL
      AND CASE webhook_endpoint.format
          WHEN '{WebhookFormat.METAMAP}'
          THEN event_added.turn IS NOT NULL OR event_added.kind IN ({METAMAP_KINDS})
          ELSE event_added.turn IS NULL OR event_added.turn NOT IN ({METAMAP_TURNS})
          END
    UNION ALL
    SELECT event_added.id, event_added.organization_id, event_added.created_at,
           NULL, {CALLBACK_RECEIVER}, NULL
    FROM event_added JOIN verification ON verification.id = event_added.verification_id
    WHERE event_added.kind = '{CALLBACK_KIND}' AND verification.callback_url IS NOT NULL
"""  # noqa: S608 (constants)


def inserting(wanted: str) -> str:
    """Return the statement that adds the deliveries of `wanted`, a query with WANTED's columns."""
    return f"""
        INSERT INTO delivery (id, organization_id, event_id, endpoint_id, receiver_id, created_at,
                              next_at)
        SELECT gen_random_uuid(), organization_id, event_id, endpoint_id, receiver_id, created_at,
               created_at
        FROM ({wanted}) AS wanted
    """  # noqa: S608 (constants)


async def exist(
    session: AsyncSession,
    organization_id: UUID,
    format: WebhookFormat,  # noqa: A002 (as on the wire)
) -> bool:
    """Return whether an active endpoint receives events in this format."""
    query = owned(WebhookEndpoint, organization_id).with_only_columns(WebhookEndpoint.id)
    found = query.where(
        WebhookEndpoint.format == format,
        WebhookEndpoint.is_active,
        WebhookEndpoint.deleted_at.is_(None),
    )
    return (await session.scalars(found.limit(1))).first() is not None
