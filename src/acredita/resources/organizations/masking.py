"""Which callers see personal data of verifications only after revealing them."""

from acredita.domain.caller import Caller, CallerKind
from acredita.domain.errors import Forbidden
from acredita.kit.statement_pool import Reads

# What stands where a text is masked.
MASK = "•••"
REVEALS_ON_DEMAND = "SELECT reveals_on_demand FROM organization WHERE id = $1"


async def is_masked_for(reads: Reads, caller: Caller) -> bool:
    """Return whether the caller is a user of an organization with `revealsOnDemand`.

    API keys are not masked: servers need the values, and nobody reads over their shoulder.
    """
    if caller.kind is not CallerKind.USER:
        return False
    row = await reads.row(REVEALS_ON_DEMAND, caller.organization_id)
    return row is not None and bool(row[0])


async def reveals_masked(reads: Reads, caller: Caller, *, is_asked: bool) -> bool:
    """Return whether the caller reveals masked data with this request, for the audit log.

    Raise Forbidden if data are masked and they did not ask for them.
    """
    is_masked = await is_masked_for(reads, caller)
    if is_masked and not is_asked:
        raise Forbidden("Your organization masks this. With reveal=true the audit log records it.")
    return is_masked


async def check_not_masked(reads: Reads, caller: Caller) -> None:
    """Raise Forbidden if personal data are masked for the caller: the route has no masked form."""
    if await is_masked_for(reads, caller):
        raise Forbidden("Your organization masks this: reveal it with POST .../reveal first.")
