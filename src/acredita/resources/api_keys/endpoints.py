from acredita.api.dependencies import Db, Reader, ServicesDep
from acredita.api.errors import responses
from acredita.api.permissions import Admin, Member
from acredita.api.routing import make_router
from acredita.api.schemas import IdInPath
from acredita.domain.errors import ApiKeyInUse
from acredita.resources.api_keys import queries, service
from acredita.resources.api_keys.schemas import (
    ApiKeyCreate,
    ApiKeyList,
    ApiKeyShape,
    CreatedApiKeyAnswer,
)

router = make_router("/v1/organizations/me/api-keys", tag="Organization")


@router.get("", summary="List API keys, newest first")
async def list_api_keys(caller: Member, reader: Reader) -> ApiKeyList:
    """A key's secret is never shown again; `prefix` identifies it."""
    rows = await queries.list_all(reader, caller)
    return ApiKeyList(api_keys=[ApiKeyShape(**row) for row in rows])


@router.post("", status_code=201, summary="Create an API key")
async def create_api_key(
    data: ApiKeyCreate, caller: Admin, session: Db, services: ServicesDep
) -> CreatedApiKeyAnswer:
    """Only this response has the raw key."""
    return CreatedApiKeyAnswer(api_key=await service.create(session, services.signer, caller, data))


@router.delete(
    "/{id}",
    status_code=204,
    summary="Revoke an API key permanently",
    responses=responses(ApiKeyInUse),
)
async def revoke_api_key(id: IdInPath, caller: Admin, session: Db) -> None:
    """The key and the tokens issued for it stop working within a second. Revoking it again changes
    nothing. A request cannot revoke the key that authenticates it.
    """
    await service.revoke(session, caller, id)
