"""The ids that a workflow has in the compatible API, and whether it is the default, in /v1."""

from acredita.api.dependencies import Db
from acredita.api.errors import responses
from acredita.api.permissions import Admin, Member
from acredita.api.routing import make_router
from acredita.api.schemas import IdInPath
from acredita.domain.errors import AliasTaken
from acredita.resources.metamap import chosen_aliases, default_flow
from acredita.resources.metamap.schemas import Aliases, DefaultFlow, DefaultFlowShape, NewAlias
from acredita.resources.workflows import queries
from acredita.resources.workflows.service import check_may_change_rules

router = make_router("/v1/workflows", tag="Workflows")


@router.get(
    "/{id}/metamap-aliases",
    summary="List the ids of a workflow in the compatible API",
    name="list_metamap_aliases",
)
async def list_aliases(id: IdInPath, caller: Member, session: Db) -> Aliases:
    """`flowId` under /v1/metamap may be any of them."""
    workflow = await queries.get(session, caller, id)
    return Aliases(aliases=await chosen_aliases.names(session, caller.organization_id, workflow.id))


@router.post(
    "/{id}/metamap-aliases",
    status_code=201,
    summary="Give a workflow a former MetaMap flowId",
    responses=responses(AliasTaken),
    name="add_metamap_alias",
)
async def add_alias(id: IdInPath, data: NewAlias, caller: Admin, session: Db) -> Aliases:
    """Integrations then start verifications with the id that they know. The newest one names the
    workflow in responses and webhooks. An id is never removed.
    """
    workflow = await queries.get(session, caller, id, lock=True)
    await chosen_aliases.add(session, caller, workflow.id, data.alias)
    return Aliases(aliases=await chosen_aliases.names(session, caller.organization_id, workflow.id))


@router.put(
    "/{id}/metamap-default",
    summary="Choose the workflow of compatible calls that name none",
    name="choose_metamap_default",
)
async def choose_default(
    id: IdInPath, data: DefaultFlow, caller: Admin, session: Db
) -> DefaultFlowShape:
    """An organization has one such workflow: the one chosen before no longer is it. Without a
    choice, it is the oldest active workflow. A chosen workflow that is deactivated is refused, and
    not replaced by another one.
    """
    workflow = await queries.get(session, caller, id)
    await check_may_change_rules(session, caller)
    await default_flow.choose(session, caller, workflow.id, is_default=data.is_default)
    return DefaultFlowShape(is_default=data.is_default)
