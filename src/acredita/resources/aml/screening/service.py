"""Screen names and build the response bodies."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from acredita.domain.caller import Caller
from acredita.domain.errors import NotFound, ServiceUnavailable, ValidationFailed
from acredita.engines.screening import Match, Screening
from acredita.kit import ids
from acredita.kit.db import Statements
from acredita.kit.statement_pool import Reads
from acredita.ports import ScreeningRecords
from acredita.resources.aml.screening import records
from acredita.resources.aml.screening.records import Asked, Screened
from acredita.resources.aml.screening.schemas import (
    BatchRequest,
    ScreeningOptions,
    ScreenRequest,
    SubjectToScreen,
)
from acredita.screener import IndexNotReady, Screener, ServedIndex

MOST_MATCHES = 50
# (id, primary name, the publisher's id, programs)
ENTRIES = """
    SELECT ARRAY(
        SELECT ROW(id, names->0->>'text', source_id, programs) FROM aml_entity WHERE id = ANY($1)
    )
"""
NOT_SCREENED: dict[str, Any] = {
    "matches": [],
    "totalMatches": 0,
    "screened": False,
    "sandbox": False,
}


async def screen(reads: Reads, screener: Screener, data: ScreenRequest) -> dict[str, Any]:
    """Screen without a record: what a ScreenAnswer has of matches, as plain data.

    For steps, which keep it in their result. Raise ValidationFailed, ServiceUnavailable.
    """
    answer, _ = await _screen(reads, await current_index(screener), data)
    return answer


async def screen_recorded(
    services: ScreeningRecords, screener: Screener, caller: Caller, data: ScreenRequest
) -> dict[str, Any]:
    """Screen and record it. A ScreenAnswer as plain data.

    Raise ValidationFailed, ServiceUnavailable, NotFound for an unknown verification.
    """
    served = await current_index(screener)
    answer, lists = await _screen(services.reads, served, data)
    asked = [_asked(data, answer)]
    (recorded,) = await records.add(services, caller, _screened(served, lists, data, answer), asked)
    return recorded


async def screen_batch(
    services: ScreeningRecords, screener: Screener, caller: Caller, data: BatchRequest
) -> list[dict[str, Any]]:
    """Screen and record each query. One ScreenAnswer per query, in order.

    Raise ValidationFailed, ServiceUnavailable, NotFound for an unknown verification; then no query
    is recorded.
    """
    served = await current_index(screener)
    lists = _requested_lists(served, data)
    if served is None or not lists:
        answers = [NOT_SCREENED for _ in data.queries]
    else:
        questions = [query.question for query in data.queries]
        screenings = await served.screen_many(questions, **_options(data, lists))
        answers = await _answers(services.reads, served, lists, screenings)
    asked = [_asked(query, answer) for query, answer in zip(data.queries, answers, strict=True)]
    return await records.add(services, caller, _screened(served, lists, data, answers[0]), asked)


async def _screen(
    reads: Reads, served: ServedIndex | None, data: ScreenRequest
) -> tuple[dict[str, Any], frozenset[str]]:
    """(the answer, the ids of the lists that were screened)."""
    lists = _requested_lists(served, data)
    if served is None or not lists:
        return NOT_SCREENED, frozenset()
    screening = await served.screen(data.question, **_options(data, lists))
    (answer,) = await _answers(reads, served, lists, [screening])
    return answer, lists


def _asked(query: SubjectToScreen, answer: dict[str, Any]) -> Asked:
    """Raise NotFound if the verification's id is malformed."""
    verification_id = None if query.verification_id is None else ids.parse(query.verification_id)
    if query.verification_id is not None and verification_id is None:
        raise NotFound
    question = query.model_dump(
        mode="json", by_alias=True, exclude={"fuzzy_threshold", "lists", "verification_id"}
    )
    return Asked(verification_id, question, answer)


def _screened(
    served: ServedIndex | None,
    lists: frozenset[str],
    data: ScreeningOptions,
    answer: dict[str, Any],
) -> Screened:
    """`answer`: any of the request."""
    versions = [] if served is None else [_version_of(served, each) for each in sorted(lists)]
    index_version = None if served is None else served.version
    return Screened(index_version, versions, data.fuzzy_threshold, answer["sandbox"])


def _version_of(served: ServedIndex, list_id: str) -> dict[str, Any]:
    listed = served.lists[list_id]
    return {"id": list_id, "version": listed["version"], "asOf": listed["asOf"]}


async def current_index(screener: Screener) -> ServedIndex | None:
    """The index in use; None if no list was ever loaded.

    Raise ServiceUnavailable while this process has not loaded it yet.
    """
    try:
        return await screener.current()
    except IndexNotReady:
        raise ServiceUnavailable("The watchlists are not loaded yet. Try again.") from None


def _requested_lists(served: ServedIndex | None, data: ScreeningOptions) -> frozenset[str]:
    known = frozenset(served.known_lists) if served else frozenset()
    faults = [
        f"body.lists.{place}: no list has this id"
        for place, list_id in enumerate(data.lists or ())
        if list_id not in known
    ]
    if faults:
        raise ValidationFailed(details=faults)
    return frozenset(data.lists) if data.lists else known


def _options(data: ScreeningOptions, lists: frozenset[str]) -> dict[str, Any]:
    return {"threshold": data.fuzzy_threshold, "lists": lists, "limit": MOST_MATCHES}


async def _answers(
    reads: Reads, served: ServedIndex, lists: frozenset[str], screenings: Sequence[Screening]
) -> list[dict[str, Any]]:
    matches = [match for screening in screenings for match in screening.matches]
    entries = await entries_of(reads, matches)
    sandbox = all(served.lists[list_id]["sandbox"] for list_id in lists)
    return [
        {
            "matches": [
                match_body(match, served, entries[match.entry_id])
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
    statements: Statements, matches: Iterable[Match]
) -> Mapping[str, tuple[str, str, list[str]]]:
    """Entry id → (primary name, the publisher's id, programs), for the entries of the matches."""
    wanted = {int(match.entry_id) for match in matches}
    if not wanted:
        return {}
    row = await statements.row(ENTRIES, list(wanted))
    assert row is not None  # noqa: S101 (an array is always returned)
    return {str(entry[0]): (entry[1], entry[2], entry[3]) for entry in row[0]}


def match_body(
    match: Match, served: ServedIndex, entry: tuple[str, str, list[str]]
) -> dict[str, Any]:
    """The response body of one match. `entry`: as in `entries_of`."""
    name, entry_id, programs = entry
    listed = served.lists[match.list_id]
    return {
        "list": match.list_id,
        "name": name,
        "score": match.score,
        "likelihood": match.likelihood,
        "assessment": match.assessment,
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
            "evidence": [asdict(each) for each in match.evidence],
        },
    }
