from acredita.api.dependencies import Db, ServicesDep
from acredita.api.errors import responses
from acredita.api.permissions import Admin
from acredita.api.routing import make_router
from acredita.api.schemas import IdInPath
from acredita.domain.errors import (
    Conflict,
    FeatureOff,
    LastOwner,
)
from acredita.domain.languages import preferred
from acredita.resources.auth.endpoints import AcceptLanguage
from acredita.resources.auth.schemas import Message
from acredita.resources.users import queries, service
from acredita.resources.users.schemas import (
    OrganizationUser,
    UserAnswer,
    UserInvite,
    UserList,
    UserUpdate,
)

router = make_router("/v1/organizations/me/users", tag="Organization")


@router.get("", summary="List the organization's users, newest first")
async def list_users(caller: Admin, session: Db) -> UserList:
    """`hasJoined` is false until the user has accepted the invitation."""
    users = await queries.list_all(session, caller)
    return UserList(
        users=[OrganizationUser.model_validate(user, from_attributes=True) for user in users]
    )


@router.post(
    "", status_code=201, summary="Invite a user", responses=responses(Conflict, FeatureOff)
)
async def invite_user(
    data: UserInvite,
    caller: Admin,
    session: Db,
    services: ServicesDep,
    accept_language: AcceptLanguage = None,
) -> UserAnswer:
    """Mails a link that sets the password. The link is valid for 7 days."""
    language = preferred(accept_language)
    user = await service.invite(session, services, caller, data, language)
    return UserAnswer(user=OrganizationUser.model_validate(user, from_attributes=True))


@router.post(
    "/{id}/invitation",
    status_code=202,
    summary="Send the invitation again",
    responses=responses(Conflict, FeatureOff),
)
async def invite_user_again(
    id: IdInPath,
    caller: Admin,
    session: Db,
    services: ServicesDep,
    accept_language: AcceptLanguage = None,
) -> Message:
    """The user gets a new link, valid for seven days. The previous link stops working."""
    await service.invite_again(session, services, caller, id, preferred(accept_language))
    return Message(message="The invitation is on its way.")


@router.patch(
    "/{id}",
    summary="Change a user's role or e-mail address",
    responses=responses(LastOwner, Conflict, FeatureOff),
)
async def update_user(
    id: IdInPath,
    data: UserUpdate,
    caller: Admin,
    session: Db,
    services: ServicesDep,
    accept_language: AcceptLanguage = None,
) -> UserAnswer:
    """A new role invalidates the user's tokens within a second. A new address takes effect when the
    user confirms it with the link that is mailed to it. The old address gets a notice.
    """
    language = preferred(accept_language)
    user = await service.update(session, services, caller, id, data, language)
    return UserAnswer(user=OrganizationUser.model_validate(user, from_attributes=True))


@router.delete("/{id}/second-factors", status_code=204, summary="Remove a user's second factors")
async def reset_second_factors(id: IdInPath, caller: Admin, session: Db) -> None:
    """For a user who has lost them. Ends the user's sessions and tokens. If the organization
    requires a second factor, the user sets one up at the next sign-in: make sure that the password
    is known to the user alone.
    """
    await service.reset_second_factors(session, caller, id)


@router.delete("/{id}", status_code=204, summary="Remove a user", responses=responses(LastOwner))
async def remove_user(id: IdInPath, caller: Admin, session: Db) -> None:
    """The user's tokens stop working within a second."""
    await service.remove(session, caller, id)
