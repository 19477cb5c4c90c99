from acredita.jobs import JobContext, recurring
from acredita.resources.credit import service

BATCH = 100


@recurring("credit.give_up_abandoned", every=60)
async def give_up_abandoned(context: JobContext) -> None:
    while await service.give_up_abandoned(context.services, limit=BATCH) == BATCH:
        pass
