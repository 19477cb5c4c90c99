"""Show how a workflow's shadow compares with what decided."""

from uuid import UUID

from sqlalchemy import Select, func
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.caller import Caller
from acredita.domain.policies.comparison import MOST_EXAMPLES
from acredita.models import PolicyComparison, PolicyVersion
from acredita.models.tenancy import owned
from acredita.resources.policies import service as policies
from acredita.resources.policy_trials.schemas import ComparedShape, ShadowShape
from acredita.resources.workflows import queries as workflows


async def get(session: AsyncSession, caller: Caller, workflow_id: UUID) -> ShadowShape | None:
    """Return the counts of the present draft; None without a shadow. Raise NotFound."""
    workflow = await workflows.get(session, caller, workflow_id)
    named = await policies.of_workflow(session, caller.organization_id, workflow.id)
    if named.shadow is None:
        return None
    draft = named.shadow
    compared = _compared(caller, workflow.id, draft)
    has_none = func.count().filter(PolicyComparison.has_result.is_(False))
    pair = PolicyComparison.decided, PolicyComparison.proposed
    counts = (
        await session.execute(
            compared.with_only_columns(*pair, func.count(), has_none)
            .group_by(*pair)
            .order_by(*pair)
        )
    ).all()
    return ShadowShape(
        policy_id=draft.policy_id,
        version=draft.version,
        digest=draft.digest.hex(),
        compared=sum(count for _, _, count, _ in counts),
        changed=sum(count for decided, proposed, count, _ in counts if decided != proposed),
        without_result=sum(count for _, _, _, count in counts),
        matrix=[
            ComparedShape(
                decided=decided,
                proposed=proposed,
                verifications=count,
                examples=await _last(session, compared, decided, proposed),
            )
            for decided, proposed, count, _ in counts
        ],
    )


def _compared(caller: Caller, workflow_id: UUID, draft: PolicyVersion) -> Select[PolicyComparison]:
    return owned(PolicyComparison, caller.organization_id).where(
        PolicyComparison.workflow_id == workflow_id,
        PolicyComparison.policy_id == draft.policy_id,
        PolicyComparison.digest == draft.digest,
    )


async def _last(
    session: AsyncSession, compared: Select[PolicyComparison], decided: str, proposed: str
) -> list[UUID]:
    """The ids of the last verifications with the two outcomes."""
    query = (
        compared.with_only_columns(PolicyComparison.verification_id)
        .where(PolicyComparison.decided == decided, PolicyComparison.proposed == proposed)
        .order_by(PolicyComparison.created_at.desc())
        .limit(MOST_EXAMPLES)
    )
    return list(await session.scalars(query))
