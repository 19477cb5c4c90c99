"""POST the result of a government check to its callback URL; render webhooks in this format."""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from acredita.jobs import JobContext, Later, LeasedJob, Queue, job
from acredita.kit.http import HttpError
from acredita.models import WebhookFormat
from acredita.ports import JobEnding
from acredita.resources.metamap import callbacks, event_bodies
from acredita.resources.webhooks import formats, signed_request

formats.register(WebhookFormat.METAMAP, event_bodies.render)


async def give_up(session: AsyncSession, _: JobEnding, leased: LeasedJob) -> None:
    await callbacks.delete_callback(session, UUID(leased.payload["callback_id"]))


# The same number of attempts and the same delays as for a webhook delivery.
@job("metamap.call_back", queue=Queue.WEBHOOKS, timeout=60, max_attempts=5, on_dead=give_up)
async def call_back(context: JobContext, callback_id: UUID) -> None:
    services = context.services
    callback = await callbacks.find(services.reads, services.keys, callback_id)
    if callback is None:
        return
    headers = {
        "Content-Type": "application/json",
        "User-Agent": signed_request.USER_AGENT,
        "webhook-id": signed_request.envelope_id(callback_id),
    }
    if callback.secret is not None:
        headers["x-signature"] = signed_request.bare_signature(callback.secret, callback.body)
    try:
        response = await services.http.request(
            "POST", callback.url, headers=headers, body=callback.body
        )
    except HttpError as fault:
        raise _retry(context, fault.word) from None
    if not response.is_success:
        raise _retry(context, "http_status")
    async with context.finish() as session:
        await callbacks.delete_callback(session, callback_id)


def _retry(context: JobContext, why: str) -> Later:
    delays = context.services.settings.webhook_retry_delays
    return Later(why, delay=delays[min(context.job.attempts, len(delays)) - 1])
