from datetime import timedelta

from acredita.api.dependencies import Db, ServicesDep
from acredita.api.errors import responses
from acredita.api.permissions import Member, during_setup
from acredita.api.routing import make_router
from acredita.domain.caller import Caller
from acredita.domain.errors import (
    LastSecondFactor,
    NotFound,
    SecondFactorWrong,
    SignInAgain,
    UserNeeded,
)
from acredita.ports import RecentSignIn
from acredita.resources.second_factors import queries, service, totp
from acredita.resources.second_factors.schemas import (
    NewTotp,
    RecoveryCodes,
    SecondFactors,
    TotpConfirmation,
)

ISSUER = "Acredita"
router = make_router("/v1/auth", tag="Authentication")


@router.get("/second-factors", summary="Get your second factors")
@during_setup
async def get_second_factors(caller: Member, session: Db) -> SecondFactors:
    """What the user of the request has besides the password. An API key has nothing."""
    organization_id = caller.organization_id
    row = await queries.totp_of(session, organization_id, caller.id)
    return SecondFactors(
        totp_confirmed_at=None if row is None else row.confirmed_at,
        recovery_codes_left=await queries.count_recovery_codes(session, organization_id, caller.id),
        is_required=await queries.is_required(session, organization_id),
    )


@router.post(
    "/totp",
    status_code=201,
    summary="Begin to set up an authenticator app",
    responses=responses(NotFound, UserNeeded, SignInAgain),
)
@during_setup
async def begin_totp(caller: Member, session: Db, services: ServicesDep) -> NewTotp:
    """The secret counts once `POST /v1/auth/totp/confirm` has a code of it; until then a former one
    does. The user must have signed in within the last 15 minutes.
    """
    check_recent(services, caller)
    secret, email = await service.begin_totp(session, services.keys, caller)
    return NewTotp(secret=secret, otpauth_uri=totp.otpauth_uri(secret, email=email, issuer=ISSUER))


@router.post(
    "/totp/confirm",
    summary="Confirm the authenticator app",
    responses=responses(NotFound, UserNeeded, SignInAgain, SecondFactorWrong),
)
@during_setup
async def confirm_totp(
    data: TotpConfirmation, caller: Member, session: Db, services: ServicesDep
) -> RecoveryCodes:
    """From now on, the user's sign-ins need a code. Other sessions of the user need one, too, and
    tokens of sign-ins without one end.
    """
    check_recent(services, caller)
    return RecoveryCodes(
        recovery_codes=await service.confirm_totp(
            session,
            services,
            caller,
            data.code,
            lifetime=timedelta(seconds=services.settings.session_lifetime),
        )
    )


@router.delete(
    "/totp",
    status_code=204,
    summary="Remove the authenticator app",
    responses=responses(NotFound, UserNeeded, SignInAgain, LastSecondFactor),
)
async def remove_totp(caller: Member, session: Db, services: ServicesDep) -> None:
    """Refused if the organization requires a second factor and the user has no other."""
    check_recent(services, caller)
    await service.remove_totp(session, caller)


@router.post(
    "/recovery-codes",
    status_code=201,
    summary="Replace the recovery codes",
    responses=responses(NotFound, UserNeeded, SignInAgain),
)
async def renew_recovery_codes(caller: Member, session: Db, services: ServicesDep) -> RecoveryCodes:
    """The former codes stop working."""
    check_recent(services, caller)
    return RecoveryCodes(
        recovery_codes=await service.renew_recovery_codes(session, services.signer, caller)
    )


def check_recent(services: RecentSignIn, caller: Caller) -> None:
    """Raise UserNeeded, or SignInAgain if the sign-in is not recent."""
    within = timedelta(seconds=services.settings.sign_in_recent)
    service.check_recent(caller, now=services.clock.now(), within=within)
