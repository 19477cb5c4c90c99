from acredita.api.dependencies import ListReader, ServicesDep
from acredita.api.permissions import Admin
from acredita.api.routing import make_router
from acredita.models import DeliveryState
from acredita.resources.admin import queries
from acredita.resources.admin.schemas import DeliveryCounts, QueueStats, WorkShape

router = make_router("/v1/admin", tag="Administration")


@router.get(
    "/queue-stats", summary="Get statistics of the organization's background jobs and deliveries"
)
async def queue_stats(caller: Admin, reader: ListReader, services: ServicesDep) -> QueueStats:
    """Jobs by queue and kind, with the age of the oldest due one, and the states of recent webhook
    deliveries.
    """
    work = await queries.work_of(reader, caller.organization_id)
    deliveries = await queries.deliveries_of(reader, caller.organization_id)
    now = services.clock.now()
    return QueueStats(
        queues=[WorkShape.from_work(each) for each in work],
        deliveries=DeliveryCounts(**{state: deliveries.get(state, 0) for state in DeliveryState}),
        deliveries_since=now - queries.FINISHED_WINDOW,
        timestamp=now,
    )
