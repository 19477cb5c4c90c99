"""POST /govchecks/v1/mx/pep: look for a name on the loaded lists of politically exposed persons."""

from collections.abc import Mapping, Sequence
from typing import Any

from acredita.domain.caller import Caller
from acredita.domain.reasons import WatchlistReason
from acredita.models import HitState
from acredita.ports import ListChecks
from acredita.resources.aml.screening.service import current_index, screen_recorded
from acredita.resources.metamap import translation
from acredita.resources.metamap.jobs import post_response_later
from acredita.resources.metamap.safety_schemas import PepCheck
from acredita.resources.metamap.watchlist_checks import screening_of_name
from acredita.screener import Screener

# Their entries are politically exposed persons and their relatives alone.
LISTS = ("pep", "pep-mx", "opensanctions-peps")
# A list of all kinds of entries, whose topics name offices.
MIXED, OFFICE = "opensanctions", "role."


async def check(
    services: ListChecks, screener: Screener, caller: Caller, asked: PepCheck
) -> dict[str, Any]:
    """Screen the name and return the response body, which is also posted to the callback URL.

    Raise ValidationFailed, ServiceUnavailable.
    """
    response = await _response(services, screener, caller, asked)
    if url := asked.callbackUrl or asked.webhookUrl:
        await post_response_later(services, caller, url, response)
    return response


async def _response(
    services: ListChecks, screener: Screener, caller: Caller, asked: PepCheck
) -> dict[str, Any]:
    served = await current_index(screener)
    known = () if served is None else served.known_lists
    lists = [each for each in (*LISTS, MIXED) if each in known]
    metadata = asked.metadata or {}
    if not lists:
        fault = translation.system_error(WatchlistReason.WATCHLISTS_NOT_LOADED)
        return {"error": fault, "data": None, "metadata": metadata}
    question = screening_of_name(asked.fullName, lists)
    screened = await screen_recorded(services, screener, caller, question)
    found = [match for match in screened["matches"] if _is_exposed(match)]
    error = {
        "type": "legacy.error",
        "code": "mxPepError.matchFound",
        "message": "The user was found to be a PEP",
    }
    data = {
        "pep": bool(found),
        "country": "MX",
        "fullName": asked.fullName,
        "PEPdata": _offices(found) or None,
    }
    return {"error": error if found else None, "data": data, "metadata": metadata}


def _is_exposed(match: Mapping[str, Any]) -> bool:
    """Whether a match is of an exposed person, and no reviewer has dismissed it."""
    if match["review"]["state"] == HitState.FALSE_HIT:
        return False
    return match["list"] in LISTS or any(each.startswith(OFFICE) for each in match["programs"])


def _offices(matches: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the offices of the matches. Lists write an office as one text."""
    return [
        {
            "PEPfullName": match["name"],
            "state": None,
            "institution": None,
            "position": position,
            "period": None,
        }
        for match in matches
        for position in match["entry"]["positions"] or [None]
    ]
