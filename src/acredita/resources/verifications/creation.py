"""Create a verification atomically, in one statement."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from functools import partial
from typing import Any

import orjson
from sqlalchemy.ext.asyncio import AsyncSession

from acredita import jobs
from acredita.domain.caller import Caller
from acredita.domain.errors import FeatureOff, NotFound, WorkflowInactive
from acredita.domain.events import EventKind
from acredita.domain.steps import GOVERNMENT_VERIFY
from acredita.domain.verification import StepType, VerificationStatus
from acredita.domain.workflow import missing_roles
from acredita.kit import ids, tracing
from acredita.kit.db import Statements, to_json
from acredita.models import CaptureLinkPurpose, Verification
from acredita.ports import Creation
from acredita.resources.capture_links import service as capture_links
from acredita.resources.capture_links.schemas import CaptureWrite
from acredita.resources.capture_links.service import NewLink
from acredita.resources.verifications import search
from acredita.resources.verifications.jobs import begin
from acredita.resources.verifications.queries import list_steps
from acredita.resources.verifications.request_schemas import VerificationCreate
from acredita.resources.verifications.schemas import CreatedVerification
from acredita.resources.verifications.step_table import entry_of
from acredita.resources.webhooks import events, secrets
from acredita.resources.workflows import queries as workflows
from acredita.resources.workflows.queries import Snapshot
from acredita.settings import Settings

USABLE = "EXISTS (SELECT FROM usable)"
# $10 to $12 are the steps' columns, as arrays in the order of the steps. $26: the steps that an
# active workflow must have, otherwise nothing is added. Null: no check.
CREATE = f"""
    WITH usable AS (
        SELECT id FROM workflow
        WHERE organization_id = $2 AND id = $3
          AND ($26::jsonb IS NULL OR (is_active AND steps = $26::jsonb))
    ), added AS (
        INSERT INTO verification (id, organization_id, workflow_id, status, external_id, metadata,
                                  callback_url, callback_secret_sealed, ip_address, expires_at,
                                  has_session, has_link, user_agent_sealed)
        SELECT $1, $2, $3, '{VerificationStatus.PENDING}', $4, $5, $6, $7, $8, $9, $20,
               $21::uuid IS NOT NULL, $27::bytea
        FROM usable
        RETURNING created_at
    ), link_added AS (
        INSERT INTO capture_link (id, organization_id, verification_id, purpose, token_digest,
                                  return_url_sealed, expires_at)
        SELECT $21::uuid, $2, $1, '{CaptureLinkPurpose.CAPTURE}', $22::bytea, $23::bytea,
               $24::timestamptz
        FROM usable
        WHERE $21::uuid IS NOT NULL
    ), steps AS (
        INSERT INTO verification_step (id, organization_id, verification_id, position, type,
                                       config, status)
        SELECT step.id, $2, $1, step.place - 1, step.type, step.config, 'PENDING'
        FROM usable, unnest($10::uuid[], $11::text[], $12::jsonb[])
            WITH ORDINALITY AS step (id, type, config, place)
    ), {
    search.adding(
        "$1",
        "$2",
        text="$13::text",
        grams="$14::bigint[]",
        hashes="$25::bigint[]",
        when=USABLE,
    )
}, {
    events.recording(
        event_id="$15::uuid",
        organization_id="$2",
        verification_id="$1",
        kind=f"'{EventKind.VERIFICATION_CREATED}'",
        data="$16::bytea",
        callback_only="false",
        traceparent="$19::text",
        when=USABLE,
    )
}, begin_added AS ({
    jobs.adding(
        begin,
        {"verification_id": "$1"},
        organization_id="$2",
        request_id="$17::text",
        traceparent="$19::text",
        when=f"$18::boolean AND {USABLE}",
    )
})
    SELECT created_at, EXISTS (SELECT FROM delivery_added), EXISTS (SELECT FROM begin_added)
    FROM added
"""  # noqa: S608 (constants)


async def create(
    statements: Statements,
    services: Creation,
    caller: Caller,
    data: VerificationCreate,
    *,
    ip_address: str | None,
    user_agent: str | None = None,
    has_session: bool = False,
    link: NewLink | None = None,
) -> CreatedVerification:
    """Create a verification. `has_session`: it comes from a browser session, which allows retakes.
    `link`: the person's link, from `prepare_link`.

    Raise NotFound for an unknown workflow, WorkflowInactive for a deleted one.
    """
    workflow_id = ids.parse(data.workflow_id)
    add = partial(
        _add,
        statements,
        services,
        caller,
        data,
        ip_address=ip_address,
        user_agent=user_agent,
        has_session=has_session,
        link=link,
    )
    known = workflows.remembered(caller, workflow_id)
    if known is not None and (created := await add(known, is_from_memory=True)) is not None:
        return created
    workflow = await workflows.snapshot(statements, caller, workflow_id)
    _require_usable(workflow, services.settings)
    created = await add(workflow)
    if created is None:
        raise NotFound
    workflows.remember(caller, workflow)
    return created


async def prepare_link(
    services: Creation, caller: Caller, data: CaptureWrite | None
) -> NewLink | None:
    """Return the link of a verification to create; None if none is asked for.

    Raise ValidationFailed.
    """
    if data is None:
        return None
    await capture_links.check_origins(services.reads, caller.organization_id, data)
    now = services.clock.now()
    return capture_links.prepare(
        services.keys, data, now=now, default_expiry=now + _lifetime(services.settings)
    )


def _lifetime(settings: Settings) -> timedelta:
    return timedelta(seconds=settings.verification_ttl)


async def create_from(
    statements: Statements,
    services: Creation,
    caller: Caller,
    workflow: Snapshot,
    data: VerificationCreate,
    *,
    ip_address: str | None,
    user_agent: str | None = None,
    has_session: bool = False,
    link: NewLink | None = None,
) -> CreatedVerification:
    """Like `create`, for a workflow that is already loaded. Raise NotFound, WorkflowInactive,
    FeatureOff.
    """
    _require_usable(workflow, services.settings)
    created = await _add(
        statements,
        services,
        caller,
        data,
        workflow,
        ip_address=ip_address,
        user_agent=user_agent,
        has_session=has_session,
        link=link,
    )
    if created is None:
        raise NotFound
    return created


async def _add(
    statements: Statements,
    services: Creation,
    caller: Caller,
    data: VerificationCreate,
    workflow: Snapshot,
    *,
    ip_address: str | None,
    user_agent: str | None,
    has_session: bool,
    link: NewLink | None,
    is_from_memory: bool = False,
) -> CreatedVerification | None:
    """Create a verification of a usable workflow. None: it is no longer the one from memory."""
    verification_id = ids.capability()
    callback_secret, callback_secret_sealed = None, None
    if data.callback_url is not None:
        callback_secret = secrets.new_secret()
        callback_secret_sealed = Verification.callback_secret.seal(
            services.keys, verification_id, callback_secret
        )
    event = {
        "verificationId": str(verification_id),
        "workflowId": str(workflow.id),
        "status": VerificationStatus.PENDING,
        "externalId": data.external_id,
    }
    expires_at = services.clock.now() + _lifetime(services.settings)
    if link is not None:
        # Those of the person's browser replace them when the link is opened.
        ip_address, user_agent = None, None
        expires_at = max(expires_at, link.expires_at)
    user_agent_sealed = None
    if user_agent is not None:
        user_agent_sealed = Verification.user_agent.seal(services.keys, verification_id, user_agent)
    can_begin = link is None and _can_begin_without_upload(
        workflow.steps, data.metadata or {}, has_session=has_session
    )
    text, grams = search.indexed_text(caller.organization_id, data.external_id, data.metadata)
    row = await statements.row(
        CREATE,
        verification_id,
        caller.organization_id,
        workflow.id,
        data.external_id,
        None if data.metadata is None else to_json(data.metadata),
        data.callback_url,
        callback_secret_sealed,
        ip_address,
        expires_at,
        [ids.sortable() for _ in workflow.steps],
        [step["type"] for step in workflow.steps],
        [to_json(step["config"]) for step in workflow.steps],
        text,
        grams,
        ids.sortable(),
        orjson.dumps(event),
        jobs.current_request_id(),
        can_begin,
        tracing.traceparent(),
        has_session,
        *_link_columns(link),
        search.hash_metadata(services.signer, caller.organization_id, data.metadata),
        workflow.stored_steps if is_from_memory else None,
        user_agent_sealed,
    )
    if row is None:
        return None
    if row[1]:
        statements.announce(*jobs.wake_up(jobs.Queue.WEBHOOKS))
    if row[2]:
        statements.announce(*jobs.wake_up(begin.queue))
    return CreatedVerification(
        id=verification_id,
        status=VerificationStatus.PENDING,
        workflow_id=workflow.id,
        external_id=data.external_id,
        metadata=data.metadata,
        ip_address=ip_address,
        created_at=row[0],
        updated_at=row[0],
        callback_secret=callback_secret,
        capture=link and link.answer(services.settings.public_url, verification_id),
    )


def _require_usable(workflow: Snapshot, settings: Settings) -> None:
    """Raise WorkflowInactive, FeatureOff."""
    if not workflow.is_active:
        raise WorkflowInactive
    asks_registries = any(step["type"] == GOVERNMENT_VERIFY for step in workflow.steps)
    if asks_registries and not settings.has_registries:
        raise FeatureOff("Government registries are not set up on this installation.")


def _link_columns(link: NewLink | None) -> tuple[Any, ...]:
    if link is None:
        return (None,) * 4
    return link.id, link.digest, link.return_url_sealed, link.expires_at


async def begin_when_opened(session: AsyncSession, verification: Verification) -> None:
    """Begin a verification whose link was opened, if it can begin without an upload."""
    steps = [
        {"type": step.type, "config": step.config}
        for step in await list_steps(session, verification.id)
    ]
    metadata = verification.verification_metadata or {}
    if _can_begin_without_upload(steps, metadata, has_session=False):
        await jobs.add(
            session,
            begin,
            {"verification_id": verification.id},
            organization_id=verification.organization_id,
        )


def _can_begin_without_upload(
    steps: Sequence[Mapping[str, Any]], metadata: Mapping[str, Any], *, has_session: bool
) -> bool:
    """Whether no step needs an upload, or the first one needs none and the metadata are sufficient
    for it.

    If no step needs an upload, nothing else would begin the verification. A step without claims to
    check then goes to review; one that waits for an act of the person waits. Metadata from a
    browser are not used in checks.
    """
    if all(map(_needs_no_upload, steps)):
        return True
    if has_session or not _needs_no_upload(steps[0]):
        return False
    return entry_of(steps[0]["type"]).begins_on(metadata)


def _needs_no_upload(step: Mapping[str, Any]) -> bool:
    return not missing_roles(StepType(step["type"]), step["config"], frozenset())
