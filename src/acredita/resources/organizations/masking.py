"""Which callers see personal data of verifications only after revealing them."""

from acredita.domain.caller import Caller, CallerKind
from acredita.domain.errors import Forbidden
from acredita.kit.statement_pool import Reads

REVEALS_ON_DEMAND = "SELECT reveals_on_demand FROM organization WHERE id = $1"


async def is_masked_for(reads: Reads, caller: Caller) -> bool:
    """Return whether the caller is a user of an organization with `revealsOnDemand`.

    API keys are not masked: servers need the values, and nobody reads over their shoulder.
    """
    if caller.kind is not CallerKind.USER:
        return False
    row = await reads.row(REVEALS_ON_DEMAND, caller.organization_id)
    return row is not None and bool(row[0])


async def check_not_masked(reads: Reads, caller: Caller) -> None:
    """Raise Forbidden if personal data are masked for the caller: the route has no masked form."""
    if await is_masked_for(reads, caller):
        raise Forbidden("Your organization masks this: reveal it with POST .../reveal first.")
