from typing import Annotated

from fastapi import Query

from acredita.api.dependencies import ListReader, ServicesDep
from acredita.api.errors import InvalidCursor, responses
from acredita.api.pagination import CursorText, Limit, Offset, Pagination, next_page, window
from acredita.api.permissions import Admin
from acredita.api.routing import make_router
from acredita.resources.audit import chain_check, queries
from acredita.resources.audit.schemas import AuditEntryShape, AuditLogPage, ChainCheck

router = make_router("/v1/audit-logs", tag="Audit")


@router.get(
    "",
    summary="List the organization's audit log, newest first",
    responses=responses(InvalidCursor),
    response_model_exclude_unset=True,
)
async def list_audit_logs(
    caller: Admin,
    reader: ListReader,
    resource_type: Annotated[str | None, Query(alias="resourceType", max_length=100)] = None,
    resource_id: Annotated[str | None, Query(alias="resourceId", max_length=100)] = None,
    action: Annotated[str | None, Query(max_length=100)] = None,
    limit: Limit = 50,
    offset: Offset = 0,
    cursor: CursorText = None,
) -> AuditLogPage:
    """Each entry has an action, its actor and its resource. Entries are never changed or
    deleted.
    """
    filters = queries.Filters(resource_type, resource_id, action)
    asked = window(limit, offset, cursor, "audit", resource_type, resource_id, action)
    total, found = await queries.page(reader, caller, filters, asked)
    shown, has_more = found[:limit], len(found) > limit
    last = (shown[-1]["created_at"], shown[-1]["id"]) if has_more else None
    return AuditLogPage(
        **next_page(asked, total, last),
        audit_logs=[AuditEntryShape.from_row(row) for row in shown],
        pagination=Pagination.for_window(asked, total=total, has_more=has_more),
    )


@router.post("/verify", summary="Verify the chain of the audit log")
async def verify_audit_log(caller: Admin, services: ServicesDep) -> ChainCheck:
    """Computes the hash of each entry again, and compares the chain with its signed heads, in one
    snapshot. It takes about a second for 50,000 entries. One request at a time in each process;
    others get 429. `acredita audit verify` also compares heads that you keep elsewhere.
    """
    found = await chain_check.verify_one(services.database, services.signer, caller.organization_id)
    return ChainCheck(
        sound=found.bad_position is None,
        entries=found.entries,
        unchained=found.unchained,
        bad_position=found.bad_position,
        fault=found.fault or None,
        checked_at=services.clock.now(),
    )
