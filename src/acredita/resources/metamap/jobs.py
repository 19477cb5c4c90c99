"""POST the results of checks, and reports, to callback URLs; render webhooks in this format."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from acredita import jobs
from acredita.domain.caller import Caller
from acredita.jobs import JobContext, Later, LeasedJob, Queue, job
from acredita.kit import ids
from acredita.kit.crypto import KeyRing
from acredita.kit.http import HttpError
from acredita.kit.javascript_json import stringify
from acredita.models import WebhookFormat
from acredita.ports import JobEnding, ListChecks
from acredita.resources.metamap import callbacks, event_bodies, reports
from acredita.resources.metamap.reports import Report
from acredita.resources.webhooks import formats, signed_request

formats.register(WebhookFormat.METAMAP, event_bodies.render)


async def give_up(session: AsyncSession, _: JobEnding, leased: LeasedJob) -> None:
    await callbacks.delete_callback(session, UUID(leased.payload["callback_id"]))


async def report_later(
    session: AsyncSession, keys: KeyRing, organization_id: UUID, *, url: str, request: Report
) -> None:
    """Add a job that posts the reports after the transaction commits."""
    callback_id = ids.sortable()
    callbacks.add(session, keys, organization_id, callback_id, url=url, body=request.as_bytes())
    await jobs.add(
        session, send_reports, {"callback_id": str(callback_id)}, organization_id=organization_id
    )


async def post_later(
    session: AsyncSession,
    keys: KeyRing,
    organization_id: UUID,
    check_id: UUID,
    *,
    url: str,
    content: Mapping[str, Any],
) -> None:
    """Add a job that posts the content as JSON after the transaction commits."""
    callbacks.add(session, keys, organization_id, check_id, url=url, body=stringify(content))
    await jobs.add(
        session, call_back, {"callback_id": str(check_id)}, organization_id=organization_id
    )


async def post_response_later(
    services: ListChecks, caller: Caller, url: str, response: Mapping[str, Any]
) -> None:
    """Add the job in a transaction of its own, for a check that writes nothing else."""
    async with services.database.transaction() as session:
        await post_later(
            session,
            services.keys,
            caller.organization_id,
            ids.sortable(),
            url=url,
            content=response,
        )


# The same number of attempts and the same delays as for a webhook delivery.
@job("metamap.call_back", queue=Queue.WEBHOOKS, timeout=60, max_attempts=5, on_dead=give_up)
async def call_back(context: JobContext, callback_id: UUID) -> None:
    services = context.services
    callback = await callbacks.find(services.reads, services.keys, callback_id)
    if callback is None:
        return
    await _post(context, callback_id, callback, callback.body, {"Content-Type": "application/json"})


# A report is composed for each attempt, and each authority of time-stamps takes its time.
@job("metamap.send_reports", queue=Queue.LIGHT, timeout=300, max_attempts=5, on_dead=give_up)
async def send_reports(context: JobContext, callback_id: UUID) -> None:
    """Post the reports of decisions as PDF files, in one form."""
    services = context.services
    callback = await callbacks.find(services.reads, services.keys, callback_id)
    if callback is None:
        return
    request = reports.request_of(callback.body)
    body, content_type = await reports.form_of(services, request)
    await _post(
        context, callback_id, callback, body, {**request.headers, "Content-Type": content_type}
    )


async def _post(
    context: JobContext,
    callback_id: UUID,
    callback: callbacks.Callback,
    body: bytes,
    headers: Mapping[str, str],
) -> None:
    """Post a body and end the callback. Raise Later if it does not arrive."""
    headers = {
        **headers,
        "User-Agent": signed_request.USER_AGENT,
        "webhook-id": signed_request.envelope_id(callback_id),
    }
    if callback.secret is not None:
        headers["x-signature"] = signed_request.bare_signature(callback.secret, body)
    try:
        response = await context.services.http.request(
            "POST", callback.url, headers=headers, body=body
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
