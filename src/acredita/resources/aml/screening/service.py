"""Screen names and build the response bodies."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any
from uuid import UUID

from acredita.domain.caller import Caller
from acredita.domain.errors import NotFound, ServiceUnavailable, ValidationFailed
from acredita.engines.screening import DEFAULT_THRESHOLD, Match, Question, Screening
from acredita.kit import ids
from acredita.kit.db import Statements
from acredita.kit.statement_pool import Reads
from acredita.ports import MatchMemory, ScreeningRecords
from acredita.resources.aml.entries import forms
from acredita.resources.aml.hits import memory, recording
from acredita.resources.aml.hits.recording import Customer, Found
from acredita.resources.aml.screening import records
from acredita.resources.aml.screening.records import Asked, Asker, Screened
from acredita.resources.aml.screening.schemas import (
    BatchRequest,
    ScreeningOptions,
    ScreenRequest,
    SubjectToScreen,
)
from acredita.screener import IndexNotReady, Screener, ServedIndex

MOST_MATCHES = 50
NOT_SCREENED: dict[str, Any] = {
    "matches": [],
    "totalMatches": 0,
    "openMatches": 0,
    "screened": False,
    "sandbox": False,
}


@dataclass(frozen=True, slots=True)
class Answered:
    """An AnswerContent as plain data, and of each match (entity id, row hash, score)."""

    body: dict[str, Any]
    entries: list[tuple[int, bytes, float]]


async def screen_recorded(
    services: ScreeningRecords, screener: Screener, caller: Caller, data: ScreenRequest
) -> dict[str, Any]:
    """Screen and record it. A ScreenAnswer as plain data.

    Raise ValidationFailed, ServiceUnavailable, NotFound for an unknown verification.
    """
    return (await screen(services, screener, records.asker_of(caller), data))[0]


async def screen(
    services: ScreeningRecords, screener: Screener, asker: Asker, data: ScreenRequest
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Screen and record it: a ScreenAnswer as plain data, and what was screened: the lists by id,
    each with version and date, and the index with its SHA-256. Raise as `screen_recorded`.
    """
    served = await current_index(screener)
    answered, lists = await _screen(services.reads, served, data)
    queries = [(data, _verification_of(data), answered)]
    asked = await _with_hits(services, asker.organization_id, queries)
    screened = _screened(served, lists, data, answered.body)
    now = services.clock.now()
    (recorded,) = await records.add(services.writes, services.keys, asker, screened, asked, now)
    return recorded, _named(served, lists)


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
        answers = [Answered(NOT_SCREENED, []) for _ in data.queries]
    else:
        questions = [query.question for query in data.queries]
        screenings = await served.screen_many(questions, **_options(data, lists))
        answers = await _answers(services.reads, served, lists, screenings)
    queries = [
        (query, _verification_of(query), answered)
        for query, answered in zip(data.queries, answers, strict=True)
    ]
    asked = await _with_hits(services, caller.organization_id, queries)
    screened = _screened(served, lists, data, answers[0].body)
    asker, now = records.asker_of(caller), services.clock.now()
    return await records.add(services.writes, services.keys, asker, screened, asked, now)


async def find_entries(reads: Reads, screener: Screener, name: str) -> dict[str, Any]:
    """Find the entries of all lists whose name resembles `name`: an EntriesAnswer as plain data.

    Nobody is screened: there is no record and no hit. Raise ServiceUnavailable.
    """
    served = await current_index(screener)
    if served is None:
        return {"entries": [], "total": 0}
    screening = await served.screen(
        Question(name),
        threshold=DEFAULT_THRESHOLD,
        lists=frozenset(served.known_lists),
        limit=MOST_MATCHES,
    )
    entries = await entries_of(reads, screening.matches)
    found = [
        forms.body_of(entries[match.entry_id])
        | {"score": match.score, "matchedName": match.matched_name}
        for match in screening.matches
        if match.entry_id in entries
    ]
    return {"entries": found, "total": screening.total}


async def _screen(
    reads: Reads, served: ServedIndex | None, data: ScreenRequest
) -> tuple[Answered, frozenset[str]]:
    """(the answer, the ids of the lists that were screened)."""
    lists = _requested_lists(served, data)
    if served is None or not lists:
        return Answered(NOT_SCREENED, []), frozenset()
    screening = await served.screen(data.question, **_options(data, lists))
    (answered,) = await _answers(reads, served, lists, [screening])
    return answered, lists


def _verification_of(query: SubjectToScreen) -> UUID | None:
    """Raise NotFound if the verification's id is malformed."""
    verification_id = None if query.verification_id is None else ids.parse(query.verification_id)
    if query.verification_id is not None and verification_id is None:
        raise NotFound
    return verification_id


async def _with_hits(
    services: MatchMemory,
    organization_id: UUID,
    queries: Sequence[tuple[SubjectToScreen, UUID | None, Answered]],
) -> list[Asked]:
    """The questions with their answers, whose matches say what reviewers decided before."""
    verification_ids = [
        verification_id
        for query, verification_id, answered in queries
        if verification_id is not None and answered.entries and query.external_id is None
    ]
    known = await recording.external_ids(services.reads, organization_id, verification_ids)
    found: list[list[Found]] = []
    questions = [
        query.model_dump(
            mode="json", by_alias=True, exclude={"fuzzy_threshold", "lists", "verification_id"}
        )
        for query, _, _ in queries
    ]
    for (query, verification_id, answered), question in zip(queries, questions, strict=True):
        if not answered.entries:
            found.append([])
            continue
        external_id = query.external_id
        if external_id is None and verification_id is not None:
            external_id = known.get(verification_id)
        customer = Customer(organization_id, question, external_id, verification_id)
        found.append(recording.found_of(services.signer, customer, answered.entries))
    every = [hit for hits in found for hit in hits]
    states = iter(await memory.remembered(services.reads, services.keys, every))
    asked = []
    for (_, verification_id, answered), question, hits in zip(
        queries, questions, found, strict=True
    ):
        marks = list(islice(states, len(hits)))
        asked.append(Asked(verification_id, question, _marked(answered.body, marks), marks))
    return asked


def _marked(body: dict[str, Any], hits: Sequence[Found]) -> dict[str, Any]:
    if not hits:
        return body
    matches = [match | hit.body() for match, hit in zip(body["matches"], hits, strict=True)]
    is_false = sum(hit.is_false for hit in hits)
    return body | {"matches": matches, "openMatches": body["totalMatches"] - is_false}


def _screened(
    served: ServedIndex | None,
    lists: frozenset[str],
    data: ScreeningOptions,
    answer: dict[str, Any],
) -> Screened:
    """`answer`: any of the request."""
    index_version = None if served is None else served.version
    versions = versions_of(served, lists)
    return Screened(index_version, versions, data.fuzzy_threshold, answer["sandbox"])


def versions_of(served: ServedIndex | None, lists: frozenset[str]) -> list[dict[str, Any]]:
    """The lists as in ScreeningRecord."""
    known = {} if served is None else served.lists
    return [
        {
            "id": each,
            "version": known[each]["version"],
            "asOf": known[each]["asOf"],
            # Indexes of former releases do not have it.
            "loadedAt": known[each].get("loadedAt"),
        }
        for each in sorted(lists)
    ]


def _named(served: ServedIndex | None, lists: frozenset[str]) -> dict[str, Any]:
    if served is None:
        return {}
    versions = versions_of(served, lists)
    return {
        "lists": {each["id"]: [each["version"], each["asOf"]] for each in versions},
        "index": {"version": served.version, "sha256": served.sha256.hex()},
    }


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
) -> list[Answered]:
    matches = [match for screening in screenings for match in screening.matches]
    entries = await entries_of(reads, matches)
    sandbox = is_sandbox(served, lists)
    answers = []
    for screening in screenings:
        known = [match for match in screening.matches if match.entry_id in entries]
        matched = [match_body(match, served, entries[match.entry_id]) for match in known]
        body = answer_body(matched, screening.total, sandbox=sandbox)
        hits = [
            (int(each.entry_id), row_hash_of(entries[each.entry_id]), each.score) for each in known
        ]
        answers.append(Answered(body, hits))
    return answers


def is_sandbox(served: ServedIndex, lists: frozenset[str]) -> bool:
    """Whether only invented names were screened."""
    return bool(lists) and all(served.lists[each]["sandbox"] for each in lists)


def answer_body(
    matches: list[dict[str, Any]], total: int, *, sandbox: bool, false_hits: int = 0
) -> dict[str, Any]:
    """An AnswerContent as plain data, of lists that were screened."""
    return {
        "matches": matches,
        "totalMatches": total,
        "openMatches": total - false_hits,
        "screened": True,
        "sandbox": sandbox,
    }


def row_hash_of(entry: Mapping[str, Any]) -> bytes:
    """`entry`: as in `entries_of`."""
    return bytes.fromhex(entry["row_hash"])


async def entries_of(
    statements: Statements, matches: Iterable[Match]
) -> Mapping[str, Mapping[str, Any]]:
    """Entry id → an object of `forms.READ`, for the entries of the matches."""
    found = await forms.read(statements, (int(match.entry_id) for match in matches))
    return {str(entity_id): entry for entity_id, entry in found.items()}


def match_body(match: Match, served: ServedIndex, entry: Mapping[str, Any]) -> dict[str, Any]:
    """The response body of one match. `entry`: as in `entries_of`."""
    listed = served.lists[match.list_id]
    return {
        "list": match.list_id,
        "name": entry["content"]["names"][0]["text"],
        "score": match.score,
        "likelihood": match.likelihood,
        "assessment": match.assessment,
        "entityType": match.entity_type,
        "country": match.countries[0] if match.countries else None,
        "countries": list(match.countries),
        "entryId": entry["source_id"],
        "matchedName": match.matched_name,
        "matchedKind": match.matched_kind,
        "programs": entry["content"]["programs"],
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
        "entry": forms.body_of(entry),
    }
