"""Save, publish and load policies."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any
from uuid import UUID

from sqlalchemy import and_, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.audit import Action, canonical
from acredita.domain.caller import Caller, CallerKind
from acredita.domain.errors import NoDraft, SecondReviewerNeeded
from acredita.models import (
    Organization,
    PolicyHead,
    PolicySimulation,
    PolicyStatus,
    PolicyVersion,
    SimulationStatus,
    Workflow,
)
from acredita.models.tenancy import belongs_to, fetch, owned
from acredita.resources.audit import service as audit
from acredita.resources.policies.schemas import (
    DraftPublication,
    DraftWrite,
    ListedPolicy,
    PolicyCreate,
    PolicyShape,
    RulesWrite,
    VersionShape,
)


async def create(
    session: AsyncSession,
    caller: Caller,
    data: PolicyCreate,
    *,
    basis: dict[str, Any] | None = None,
) -> PolicyShape:
    """Create a policy with a draft. `basis`: the data that a proposed threshold rests on."""
    policy = PolicyHead(organization_id=caller.organization_id, name=data.name)
    session.add(policy)
    await session.flush()
    _add_draft(session, caller, policy.id, 1, data, basis)
    await session.flush()
    audit.record(session, caller, Action.POLICY_CREATED, policy.id)
    return await _shape(session, caller, policy)


async def save_draft(
    session: AsyncSession, caller: Caller, policy_id: UUID, data: DraftWrite
) -> PolicyShape:
    """Replace the draft, or start one after the last version. Raise NotFound."""
    policy = await _get(session, caller, policy_id, lock=True)
    if data.name is not None:
        policy.name = data.name
    versions = await _versions(session, caller, policy_id)
    last = versions[0]
    if last.status == PolicyStatus.DRAFT:
        last.document = data.document()
        last.digest = _digest(data)
        last.basis = None
        last.author_type, last.author_id = caller.kind.value, caller.id
        await cancel_simulations(session, caller.organization_id, policy_id)
    else:
        _add_draft(session, caller, policy_id, last.version + 1, data)
    await session.flush()
    audit.record(session, caller, Action.POLICY_SAVED, policy_id, digest=_digest(data))
    return await _shape(session, caller, policy)


async def publish(
    session: AsyncSession, caller: Caller, policy_id: UUID, data: DraftPublication
) -> PolicyShape:
    """Publish the draft; the version before it retires. Raise NotFound, NoDraft (also if the draft
    is not the one that the caller read), SecondReviewerNeeded.
    """
    policy = await _get(session, caller, policy_id, lock=True)
    versions = await _versions(session, caller, policy_id)
    draft = versions[0]
    if draft.status != PolicyStatus.DRAFT or draft.digest.hex() != data.digest:
        raise NoDraft
    await _check_second_person(session, caller, draft)
    for version in versions:
        if version.status == PolicyStatus.PUBLISHED:
            version.status = PolicyStatus.RETIRED
    await session.flush()  # before the draft takes its place in the unique index
    draft.status = PolicyStatus.PUBLISHED
    draft.published_by = caller.id
    draft.published_at = func.now()
    await session.flush()
    audit.record(
        session,
        caller,
        Action.POLICY_PUBLISHED,
        policy_id,
        version=draft.version,
        digest=draft.digest,
    )
    await session.refresh(draft)
    return await _shape(session, caller, policy)


async def get(session: AsyncSession, caller: Caller, policy_id: UUID) -> PolicyShape:
    """Raise NotFound."""
    return await _shape(session, caller, await _get(session, caller, policy_id))


async def list_all(session: AsyncSession, caller: Caller) -> list[ListedPolicy]:
    query = owned(PolicyHead, caller.organization_id).order_by(
        PolicyHead.created_at.desc(), PolicyHead.id.desc()
    )
    return [
        ListedPolicy(id=row.id, name=row.name, created_at=row.created_at)
        for row in await session.scalars(query)
    ]


@dataclass(frozen=True, slots=True)
class Named:
    """The policies that a workflow names. `published` decides if `has_policy`, and is None without
    a published version. `shadow` is the draft that is evaluated beside it.
    """

    has_policy: bool = False
    published: PolicyVersion | None = None
    shadow: PolicyVersion | None = None


async def of_workflow(session: AsyncSession, organization_id: UUID, workflow_id: UUID) -> Named:
    query = (
        owned(Workflow, organization_id)
        .with_only_columns(Workflow.policy_id, Workflow.shadow_policy_id)
        .where(Workflow.id == workflow_id)
    )
    policy_id, shadow_id = (await session.execute(query)).one_or_none() or (None, None)
    if policy_id is None and shadow_id is None:
        return Named()
    published = and_(
        PolicyVersion.policy_id == policy_id, PolicyVersion.status == PolicyStatus.PUBLISHED.value
    )
    draft = and_(
        PolicyVersion.policy_id == shadow_id, PolicyVersion.status == PolicyStatus.DRAFT.value
    )
    versions = await session.scalars(
        owned(PolicyVersion, organization_id).where(or_(published, draft))
    )
    found = {PolicyStatus(row.status): row for row in versions}
    return Named(
        policy_id is not None, found.get(PolicyStatus.PUBLISHED), found.get(PolicyStatus.DRAFT)
    )


async def version(
    session: AsyncSession, caller: Caller, policy_id: UUID | None, number: int | None
) -> PolicyVersion | None:
    """Return a version of a policy in any status; without a number the newest."""
    query = (
        owned(PolicyVersion, caller.organization_id)
        .where(PolicyVersion.policy_id == policy_id)
        .order_by(PolicyVersion.version.desc())
        .limit(1)
    )
    if number is not None:
        query = query.where(PolicyVersion.version == number)
    return (await session.scalars(query)).one_or_none()


async def lock(session: AsyncSession, caller: Caller, policy_id: UUID) -> None:
    """Make changes of the policy wait until the transaction ends. Raise NotFound."""
    await _get(session, caller, policy_id, lock=True)


async def cancel_simulations(session: AsyncSession, organization_id: UUID, policy_id: UUID) -> None:
    """End the policy's simulations. Their counts are of rules that are not the draft's any more.

    The caller holds the policy's lock.
    """
    await session.execute(
        update(PolicySimulation)
        .where(
            belongs_to(PolicySimulation, organization_id),
            PolicySimulation.policy_id == policy_id,
            PolicySimulation.status == SimulationStatus.RUNNING.value,
        )
        .values(status=SimulationStatus.CANCELLED.value, finished_at=func.now())
    )


async def unchanged_version(
    session: AsyncSession, simulation: PolicySimulation
) -> PolicyVersion | None:
    """Return the version that a simulation evaluates; None if its rules have changed."""
    query = owned(PolicyVersion, simulation.organization_id).where(
        PolicyVersion.policy_id == simulation.policy_id,
        PolicyVersion.version == simulation.version,
        PolicyVersion.digest == simulation.digest,
    )
    return (await session.scalars(query)).one_or_none()


async def _check_second_person(session: AsyncSession, caller: Caller, draft: PolicyVersion) -> None:
    """Raise SecondReviewerNeeded unless two users were at work, where two are required."""
    is_required = await session.scalar(
        select(Organization.requires_second_reviewer).where(
            Organization.id == caller.organization_id
        )
    )
    users = draft.author_type == caller.kind.value == CallerKind.USER.value
    if is_required and (not users or draft.author_id == caller.id):
        raise SecondReviewerNeeded


async def _get(
    session: AsyncSession, caller: Caller, policy_id: UUID, *, lock: bool = False
) -> PolicyHead:
    query = owned(PolicyHead, caller.organization_id).where(PolicyHead.id == policy_id)
    if lock:
        query = query.with_for_update(key_share=True)
    return await fetch(session, query)


async def _versions(
    session: AsyncSession, caller: Caller, policy_id: UUID
) -> Sequence[PolicyVersion]:
    """Newest first."""
    query = (
        owned(PolicyVersion, caller.organization_id)
        .where(PolicyVersion.policy_id == policy_id)
        .order_by(PolicyVersion.version.desc())
    )
    return (await session.scalars(query)).all()


def _add_draft(
    session: AsyncSession,
    caller: Caller,
    policy_id: UUID,
    version: int,
    data: RulesWrite,
    basis: dict[str, Any] | None = None,
) -> None:
    session.add(
        PolicyVersion(
            organization_id=caller.organization_id,
            policy_id=policy_id,
            version=version,
            status=PolicyStatus.DRAFT,
            document=data.document(),
            digest=_digest(data),
            basis=basis,
            author_type=caller.kind.value,
            author_id=caller.id,
        )
    )


def _digest(data: RulesWrite) -> bytes:
    return sha256(canonical(data.document()).encode()).digest()


async def _shape(session: AsyncSession, caller: Caller, policy: PolicyHead) -> PolicyShape:
    return PolicyShape(
        id=policy.id,
        name=policy.name,
        created_at=policy.created_at,
        versions=[
            VersionShape.model_validate(
                {
                    **{name: getattr(row, name) for name in _COPIED},
                    "digest": row.digest.hex(),
                    "rules": row.document["rules"],
                    "otherwise": row.document["otherwise"],
                }
            )
            for row in await _versions(session, caller, policy.id)
        ],
    )


_COPIED = (
    "version",
    "status",
    "basis",
    "author_type",
    "author_id",
    "published_by",
    "published_at",
    "created_at",
)
