from datetime import timedelta

from acredita.access.passkeys import RelyingParty
from acredita.api.dependencies import Db, ServicesDep
from acredita.api.errors import responses
from acredita.api.permissions import Member, during_setup
from acredita.api.routing import make_router
from acredita.api.schemas import IdInPath
from acredita.domain.errors import (
    Conflict,
    FeatureOff,
    LastSecondFactor,
    NotFound,
    SecondFactorWrong,
    SignInAgain,
    UserNeeded,
)
from acredita.resources.second_factors.endpoints import check_recent
from acredita.resources.second_factors.passkeys import queries, service
from acredita.resources.second_factors.passkeys.schemas import (
    PasskeyAdded,
    PasskeyList,
    PasskeyNew,
    PasskeyOptions,
    PasskeyShape,
)

router = make_router("/v1/auth/passkeys", tag="Authentication")


@router.post(
    "/options",
    summary="Begin to add a passkey",
    responses=responses(NotFound, UserNeeded, SignInAgain, FeatureOff),
)
@during_setup
async def begin_passkey(caller: Member, session: Db, services: ServicesDep) -> PasskeyOptions:
    """The options for `navigator.credentials.create`. Needs a recent sign-in."""
    check_recent(services, caller)
    party = party_of(services.settings.public_url)
    options = await service.begin_registration(session, services.clock, party, caller)
    return PasskeyOptions(public_key=options.public_key)


@router.post(
    "",
    status_code=201,
    summary="Add a passkey",
    responses=responses(Conflict, FeatureOff, UserNeeded, SignInAgain, SecondFactorWrong),
)
@during_setup
async def add_passkey(
    data: PasskeyNew, caller: Member, session: Db, services: ServicesDep
) -> PasskeyAdded:
    """A passkey signs in without a password, and is a second factor. Other sessions of the user
    that were opened by password alone then ask for a second factor.
    """
    check_recent(services, caller)
    row, codes = await service.add(
        session,
        services,
        party_of(services.settings.public_url),
        caller,
        data.credential,
        data.name,
        lifetime=timedelta(seconds=services.settings.session_lifetime),
    )
    return PasskeyAdded(passkey=PasskeyShape.from_row(row, services.keys), recovery_codes=codes)


@router.get("", summary="List your passkeys, oldest first")
@during_setup
async def list_passkeys(caller: Member, session: Db, services: ServicesDep) -> PasskeyList:
    """The passkeys of the user of the request. An API key has none."""
    rows = await queries.list_all(session, caller)
    return PasskeyList(passkeys=[PasskeyShape.from_row(row, services.keys) for row in rows])


@router.delete(
    "/{id}",
    status_code=204,
    summary="Remove a passkey",
    responses=responses(UserNeeded, SignInAgain, LastSecondFactor),
)
async def remove_passkey(id: IdInPath, caller: Member, session: Db, services: ServicesDep) -> None:
    """Refused for the last second factor if the organization requires one."""
    if not any(row.id == id for row in await queries.list_all(session, caller)):
        raise NotFound
    check_recent(services, caller)
    await service.remove(session, caller, id)


def party_of(public_url: str) -> RelyingParty:
    """Return this installation. Raise FeatureOff where browsers accept no passkeys."""
    party = RelyingParty(public_url)
    if not party.is_possible:
        raise FeatureOff("Passkeys need a host name: ACREDITA_BASE_URL has an IP address.")
    return party
