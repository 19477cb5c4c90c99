from typing import Annotated

from fastapi import Query

from acredita.api.dependencies import ListReader
from acredita.api.errors import responses
from acredita.api.pagination import Limit, Offset, Pagination
from acredita.api.permissions import Require
from acredita.api.routing import router as make_router
from acredita.api.routing import secured
from acredita.domain.caller import Caller
from acredita.domain.errors import ValidationFailed
from acredita.domain.roles import Role
from acredita.resources.audit import queries
from acredita.resources.audit.schemas import AuditEntryShape, AuditLogPage

router = make_router("/v1/audit-logs", tag="Audit")


@router.get(
    "",
    summary="List the organization's audit log, newest first",
    description=(
        "Each entry has an action, its actor and its resource. Entries are never changed or "
        "deleted."
    ),
    responses=secured() | responses(ValidationFailed),
)
async def list_audit_logs(
    caller: Annotated[Caller, Require(Role.ADMIN)],
    reader: ListReader,
    resource_type: Annotated[str | None, Query(alias="resourceType", max_length=255)] = None,
    resource_id: Annotated[str | None, Query(alias="resourceId", max_length=255)] = None,
    action: Annotated[str | None, Query(max_length=255)] = None,
    limit: Limit = 50,
    offset: Offset = 0,
) -> AuditLogPage:
    filters = queries.Filters(resource_type, resource_id, action)
    total, rows = await queries.page(reader, caller, filters, limit=limit, offset=offset)
    return AuditLogPage(
        audit_logs=[AuditEntryShape.from_row(row) for row in rows],
        pagination=Pagination.for_page(total=total, limit=limit, offset=offset),
    )
