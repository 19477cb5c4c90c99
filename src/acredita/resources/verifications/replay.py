"""POST /v1/verifications/{id}/replay: today's rules on the stored evidence, without any change.

What is replayed is the judging, not the reading: the images are not opened again.
"""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.caller import Caller
from acredita.domain.errors import NotFound, NothingToReplay
from acredita.domain.verification import DocumentRole, StepStatus
from acredita.kit import ids
from acredita.kit.crypto import KeyRing
from acredita.models import PolicyVersion, Verification
from acredita.models.tenancy import fetch, owned
from acredita.resources.policies import service as policies
from acredita.resources.verifications import policy_decisions, queries
from acredita.resources.verifications.request_schemas import ReplayRequest
from acredita.resources.verifications.schemas import Replay


async def replay(
    session: AsyncSession,
    keys: KeyRing,
    caller: Caller,
    verification_id: UUID,
    data: ReplayRequest,
) -> Replay:
    """Evaluate a version of a policy, or else what decides the workflow's verifications today.

    Raise NotFound, also for an unknown version; NothingToReplay for a verification whose steps have
    not all ended, or whose evidence is purged.
    """
    query = owned(Verification, caller.organization_id).where(Verification.id == verification_id)
    verification = await fetch(session, query)
    steps = await queries.list_steps(session, verification.id)
    ended = all(StepStatus(step.status).is_final for step in steps)
    if not ended or verification.purged_at is not None or verification.completed_at is None:
        raise NothingToReplay
    is_named, version = await _version(session, caller, verification, data)
    decision, required, about = policy_decisions.default_decision(steps), None, None
    pictures: tuple[DocumentRole, ...] = ()
    if is_named:
        basis = policy_decisions.DecisionBasis.from_steps(keys, verification, steps)
        concluded, about = await policy_decisions.evaluate(
            session, keys, basis, version, at=verification.completed_at
        )
        decision, required = concluded.decision, concluded.step_type
        pictures = concluded.pictures
    stored = verification.decision
    return Replay(
        status=decision.status,
        reasons=list(decision.reasons),
        rules=decision.rules,
        policy=None if about is None else dict(about),
        required_step=required,
        pictures=list(pictures),
        stored=stored,
        is_same=stored is not None
        and required is None
        and (stored["status"], stored["reasons"]) == (decision.status, list(decision.reasons)),
    )


async def _version(
    session: AsyncSession, caller: Caller, verification: Verification, data: ReplayRequest
) -> tuple[bool, PolicyVersion | None]:
    """Return whether a policy decides, and its version. Raise NotFound."""
    if data.policy_id is None:
        named = await policies.of_workflow(
            session, caller.organization_id, verification.workflow_id
        )
        return named.has_policy, named.published
    wanted = await policies.version(session, caller, ids.parse(data.policy_id), data.version)
    if wanted is None:
        raise NotFound
    return True, wanted
