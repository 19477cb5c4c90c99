from acredita.jobs import JobContext, recurring
from acredita.resources.invariants import service


@recurring("invariants.check", every=60, timeout=300)
async def check(context: JobContext) -> None:
    await service.check_all(context.services)


@recurring("invariants.check_audit", every=3600, timeout=3000)
async def check_audit(context: JobContext) -> None:
    await service.check_audit(context.services.database, context.services.signer)
