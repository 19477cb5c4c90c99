"""POST /safety/v1/checks/comply-advantage: screen one name against the loaded watchlists."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from pydantic import ValidationError

from acredita.domain.caller import Caller
from acredita.domain.errors import ValidationFailed
from acredita.domain.reasons import WatchlistReason
from acredita.ports import ListChecks
from acredita.resources.aml.screening.schemas import ScreenRequest
from acredita.resources.aml.screening.service import screen_recorded
from acredita.resources.metamap import translation
from acredita.resources.metamap.jobs import post_response_later
from acredita.resources.metamap.safety_schemas import WatchlistCheck
from acredita.screener import Screener

# Their names of what they ask, by ours.
ASKED = {
    "fullName": "name",
    "birthYear": "birthYear",
    "nationalities": "countryCodes",
    "entityType": "entityType",
}
MATCH_FOUND = WatchlistReason.WATCHLIST_MATCH.metamap.by_registry["premium-aml-watchlists"]


async def check(
    services: ListChecks,
    screener: Screener,
    caller: Caller,
    asked: WatchlistCheck,
    public_url: str,
) -> dict[str, Any]:
    """Screen the name and return the response body, which is also posted to the callback URL.

    Raise ValidationFailed, ServiceUnavailable.
    """
    screened = await screen_recorded(services, screener, caller, screening_of(asked))
    response = answer(asked, screened, public_url)
    if asked.callbackUrl:
        await post_response_later(services, caller, asked.callbackUrl, response)
    return response


def screening_of(check: WatchlistCheck) -> ScreenRequest:
    """Return what is screened. Raise ValidationFailed.

    A fuzziness of 0 to 100 is a lowest score of 1 to 0.5: their default 50 is our default 0.75.
    """
    fuzziness = 0 if check.exactMatch else check.fuzzinessThreshold
    asked = {
        "fullName": check.name,
        "birthYear": check.birthYear if check.entityType == "person" else None,
        "nationalities": check.countryCodes,
        "entityType": check.entityType,
        "fuzzyThreshold": 1 - fuzziness / 200,
    }
    return _validated(asked, ASKED)


def _validated(asked: Mapping[str, Any], names: Mapping[str, str]) -> ScreenRequest:
    """`names`: theirs by ours. Raise ValidationFailed."""
    try:
        return ScreenRequest.model_validate(asked)
    except ValidationError as fault:
        details = [
            f"body.{names.get(str(error['loc'][0]), error['loc'][0])}: {error['msg']}"
            for error in fault.errors(include_input=False, include_url=False)
        ]
        raise ValidationFailed(details=details) from None


def screening_of_name(name: str, lists: Sequence[str]) -> ScreenRequest:
    """Return the screening of a person's name against these lists. Raise ValidationFailed."""
    asked = {"fullName": name, "entityType": "person", "lists": list(lists)}
    return _validated(asked, {"fullName": "fullName"})


def answer(check: WatchlistCheck, screened: Mapping[str, Any], public_url: str) -> dict[str, Any]:
    """`screened`: a ScreenAnswer as plain data."""
    screening_id = UUID(str(screened["screeningId"]))
    data = {
        "searchedOn": str(screened["screenedAt"])[:19].replace("T", " "),
        "nameSearched": check.name,
        "profileUrl": f"{public_url}/v1/aml/screenings/{screening_id}",
        "searchId": str(screening_id),
        "error": _error(screened),
    }
    return {"data": data, "metadata": check.metadata or {}}


def _error(screened: Mapping[str, Any]) -> dict[str, Any] | None:
    if not screened["screened"]:
        return translation.system_error(WatchlistReason.WATCHLISTS_NOT_LOADED)
    if not screened["openMatches"]:
        return None
    best = screened["matches"][0]
    return {
        "type": "SafetyCheckError",
        "code": MATCH_FOUND,
        "details": {
            "matchStatus": "potential_match",
            # Lists say who is listed, not how risky.
            "riskLevel": "unknown",
            "totalMatches": screened["openMatches"],
            "bestScore": best["score"],
        },
    }
