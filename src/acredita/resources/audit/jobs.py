from acredita.jobs import JobContext, recurring
from acredita.resources.audit import chaining, heads, metrics

HOUR = 3600


@recurring("audit.sign_heads", every=HOUR, timeout=300)
async def sign_heads(context: JobContext) -> None:
    services = context.services
    async with services.database.transaction() as session:
        await heads.sign_grown_chains(session, services.signer)


@recurring("audit.chain", every=2, timeout=300)
async def chain(context: JobContext) -> None:
    """Chain the entries that were committed since the last run."""
    services = context.services
    await chaining.chain_all(services.database, services.signer)
    metrics.CHAINED_AT.set_to_current_time()
