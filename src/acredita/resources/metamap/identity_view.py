"""The compatible API's view of an identity."""

from typing import Any
from uuid import UUID

import orjson
from asyncpg import Record

from acredita.domain.verification import StepStatus, VerificationStatus
from acredita.kit.clock import timestamp
from acredita.resources.metamap import translation
from acredita.resources.metamap.id_aliases import to_alias, to_identity_alias
from acredita.resources.verifications.schemas import CreatedVerification

# Whether the person was there, by the status of the liveness step. Others say nothing yet.
ALIVE = {StepStatus.PASSED: True, StepStatus.FAILED: False}


def identity_view(row: Record, organization_id: UUID) -> dict[str, Any]:
    """`row`: of queries.NEWEST_OF_IDENTITY."""
    liveness = row["liveness"]
    metadata = row["metadata"]
    return {
        "_id": to_identity_alias(row["identity_id"]),
        "alive": None if liveness is None else ALIVE.get(StepStatus(liveness)),
        "dateCreated": timestamp(row["created_at"]),
        "dateUpdated": timestamp(row["updated_at"]),
        "metadata": {} if metadata is None else orjson.loads(metadata),
        "status": translation.identity_status(
            VerificationStatus(row["status"]),
            is_purged=row["purged_at"] is not None,
            is_postponed=row["is_postponed"],
        ),
        "user": to_alias(organization_id),
    }


def started(created: CreatedVerification, organization_id: UUID) -> dict[str, Any]:
    """Return the same for an identity whose first verification was just created."""
    return {
        "_id": to_identity_alias(created.id),
        "alive": None,
        "dateCreated": timestamp(created.created_at),
        "dateUpdated": timestamp(created.updated_at),
        "metadata": created.metadata or {},
        "status": translation.IDENTITY_STATUSES[created.status],
        "user": to_alias(organization_id),
    }
