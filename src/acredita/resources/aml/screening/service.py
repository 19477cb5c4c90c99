"""Screening names, with everything that an answer says of a match."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from acredita.api.errors import ServiceUnavailable, ValidationFailed
from acredita.engines.screening import Match, Screening
from acredita.resources.aml.index.serving import NotReady, Served
from acredita.resources.aml.screening.schemas import BatchRequest, ScreenRequest, Terms
from acredita.services import Services

MOST_MATCHES = 50
# (id, primary name, the publisher's id, programs)
ENTRIES = """
    SELECT ARRAY(
        SELECT ROW(id, names->0->>'text', source_id, programs) FROM aml_entity WHERE id = ANY($1)
    )
"""
NOTHING: dict[str, Any] = {"matches": [], "totalMatches": 0, "screened": False, "sandbox": False}


async def screen(services: Services, data: ScreenRequest) -> dict[str, Any]:
    """A ScreenAnswer as plain data. Raise ValidationFailed for an unknown list."""
    served = await served_now(services)
    lists = _chosen(served, data)
    if served is None or not lists:
        return NOTHING
    screening = await served.screen(data.question, **_terms(data, lists))
    (answer,) = await _answers(services, served, lists, [screening])
    return answer


async def screen_batch(services: Services, data: BatchRequest) -> list[dict[str, Any]]:
    served = await served_now(services)
    lists = _chosen(served, data)
    if served is None or not lists:
        return [NOTHING for _ in data.queries]
    questions = [query.question for query in data.queries]
    screenings = await served.screen_many(questions, **_terms(data, lists))
    return await _answers(services, served, lists, screenings)


async def served_now(services: Services) -> Served | None:
    """The index in use. Raise ServiceUnavailable while this process has yet to fetch it."""
    try:
        return await services.screener.current()
    except NotReady:
        raise ServiceUnavailable("The watchlists are not loaded yet. Try again.") from None


def _chosen(served: Served | None, data: Terms) -> frozenset[str]:
    known = frozenset(served.known_lists) if served else frozenset()
    faults = [
        f"body.lists.{place}: there is no such list"
        for place, list_id in enumerate(data.lists or ())
        if list_id not in known
    ]
    if faults:
        raise ValidationFailed(details=faults)
    return frozenset(data.lists) if data.lists else known


def _terms(data: Terms, lists: frozenset[str]) -> dict[str, Any]:
    return {"threshold": data.fuzzy_threshold, "lists": lists, "limit": MOST_MATCHES}


async def _answers(
    services: Services, served: Served, lists: frozenset[str], screenings: Sequence[Screening]
) -> list[dict[str, Any]]:
    matches = [match for screening in screenings for match in screening.matches]
    entries = await entries_of(services, matches)
    sandbox = all(served.lists[list_id]["sandbox"] for list_id in lists)
    return [
        {
            "matches": [
                shown(match, served, entries[match.entry_id])
                for match in screening.matches
                if match.entry_id in entries
            ],
            "totalMatches": screening.total,
            "screened": True,
            "sandbox": sandbox,
        }
        for screening in screenings
    ]


async def entries_of(
    services: Services, matches: Iterable[Match]
) -> Mapping[str, tuple[str, str, list[str]]]:
    """(primary name, the publisher's id, programs) of each match's entry, by the entry's id."""
    wanted = {int(match.entry_id) for match in matches}
    if not wanted:
        return {}
    row = await services.reads.row(ENTRIES, list(wanted))
    assert row is not None  # noqa: S101 (an array is always returned)
    return {str(entry[0]): (entry[1], entry[2], entry[3]) for entry in row[0]}


def shown(match: Match, served: Served, entry: tuple[str, str, list[str]]) -> dict[str, Any]:
    name, entry_id, programs = entry
    listed = served.lists[match.list_id]
    return {
        "list": match.list_id,
        "name": name,
        "score": match.score,
        "entityType": match.entity_type,
        "country": match.countries[0] if match.countries else None,
        "countries": list(match.countries),
        "entryId": entry_id,
        "matchedName": match.matched_name,
        "matchedKind": match.matched_kind,
        "programs": programs,
        "listVersion": listed["version"],
        "listAsOf": listed["asOf"],
        "explanation": {
            "tokens": [
                {
                    "query": pair.query,
                    "listed": pair.listed,
                    "similarity": round(pair.similarity, 4),
                    "reason": pair.reason,
                }
                for pair in match.tokens
            ],
            "unmatchedQuery": list(match.unmatched_query),
            "unmatchedListed": list(match.unmatched_listed),
            "evidence": [{"kind": each.kind, "effect": each.effect} for each in match.evidence],
        },
    }
