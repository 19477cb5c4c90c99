"""Legal holds and erasure: what the organization decides about the data of one person."""

from acredita.api.dependencies import Db, ServicesDep
from acredita.api.errors import responses
from acredita.api.pagination import Limit, Offset
from acredita.api.permissions import Admin
from acredita.api.routing import make_router
from acredita.api.schemas import IdInPath
from acredita.domain.errors import AlreadyPurged, VerificationHeld
from acredita.resources.retention import holds, purge
from acredita.resources.retention.schemas import HoldList, HoldShape, HoldWrite

router = make_router("/v1", tag="Retention")


@router.get("/legal-holds", summary="List the verifications on legal hold")
async def list_legal_holds(
    caller: Admin, session: Db, services: ServicesDep, limit: Limit = 20, offset: Offset = 0
) -> HoldList:
    """The organization's holds with their reasons, the newest first."""
    return await holds.list_own(session, services.keys, caller, limit=limit, offset=offset)


@router.put(
    "/verifications/{id}/legal-hold",
    summary="Put a verification on legal hold",
    responses=responses(AlreadyPurged),
)
async def hold_verification(
    id: IdInPath, data: HoldWrite, caller: Admin, session: Db, services: ServicesDep
) -> HoldShape:
    """Neither the retention nor an erasure deletes its data until the hold ends. Again: the new
    reason replaces the former one.
    """
    return await holds.hold_own(session, services.keys, caller, id, data.reason)


@router.delete(
    "/verifications/{id}/legal-hold",
    status_code=204,
    summary="End the legal hold of a verification",
)
async def release_verification(id: IdInPath, caller: Admin, session: Db) -> None:
    """From now on, the retention applies again. 404 if it is not held."""
    await holds.release_own(session, caller, id)


@router.delete(
    "/verifications/{id}",
    status_code=204,
    summary="Erase a verification's personal data now",
    responses=responses(VerificationHeld),
)
async def erase_verification(
    id: IdInPath, caller: Admin, session: Db, services: ServicesDep
) -> None:
    """For a person's request: deletes what the retention deletes at its end. An open verification
    expires first. Status, timestamps, codes and the audit log remain. Refused under a legal hold.
    """
    await purge.delete_now(session, caller, id, services.clock.now())
