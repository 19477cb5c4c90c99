from acredita.jobs import JobContext, recurring
from acredita.resources.audit import heads

HOUR = 3600


@recurring("audit.sign_heads", every=HOUR, timeout=300)
async def sign_heads(context: JobContext) -> None:
    services = context.services
    async with services.database.transaction() as session:
        await heads.sign_grown_chains(session, services.signer)
