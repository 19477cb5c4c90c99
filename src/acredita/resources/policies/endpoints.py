from starlette.responses import Response

from acredita.api.dependencies import Db
from acredita.api.errors import responses
from acredita.api.permissions import Admin, Reviewer
from acredita.api.routing import largest_body, make_router
from acredita.api.schemas import IdInPath
from acredita.domain.errors import NoDraft, SecondReviewerNeeded
from acredita.resources.policies import service
from acredita.resources.policies.schemas import (
    LARGEST_POLICY,
    DraftPublication,
    DraftWrite,
    PolicyAnswer,
    PolicyCreate,
    PolicyList,
)

router = make_router("/v1/policies", tag="Policies")


@router.get("", summary="List policies, newest first")
async def list_policies(caller: Reviewer, session: Db) -> PolicyList:
    """Without their rules: `GET /v1/policies/{id}` has them."""
    return PolicyList(policies=await service.list_all(session, caller))


@router.post("", status_code=201, summary="Create a policy with a draft")
@largest_body(LARGEST_POLICY)
async def create_policy(
    data: PolicyCreate, caller: Admin, session: Db, response: Response
) -> PolicyAnswer:
    """Every fault of a condition is reported with its line and column."""
    policy = await service.create(session, caller, data)
    response.headers["Location"] = f"/v1/policies/{policy.id}"
    return PolicyAnswer(policy=policy)


@router.get("/{id}", summary="Get a policy with all its versions")
async def get_policy(id: IdInPath, caller: Reviewer, session: Db) -> PolicyAnswer:
    """The draft, the published version, and those that it replaced."""
    return PolicyAnswer(policy=await service.get(session, caller, id))


@router.put("/{id}/draft", summary="Replace a policy's draft, or start one")
@largest_body(LARGEST_POLICY)
async def save_policy_draft(
    id: IdInPath, data: DraftWrite, caller: Admin, session: Db
) -> PolicyAnswer:
    """The published version stays as it is, and stays in use."""
    return PolicyAnswer(policy=await service.save_draft(session, caller, id, data))


@router.post(
    "/{id}/publish",
    summary="Publish a policy's draft",
    responses=responses(NoDraft, SecondReviewerNeeded),
)
async def publish_policy(
    id: IdInPath, data: DraftPublication, caller: Admin, session: Db
) -> PolicyAnswer:
    """It decides from now on, in all workflows that name the policy; the version before it retires.
    Where the organization requires a second reviewer, two users are needed: one saves the draft,
    another publishes it.
    """
    return PolicyAnswer(policy=await service.publish(session, caller, id, data))
