"""What reviewers decided about hits, and what is known about their persons.

Several screenings ask for one customer, and each may know other facts. A screening that opens a hit
again takes over the known facts that it lacks, unless a fact contradicts. Otherwise two screenings
in turn would open a decided hit again and again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

import orjson

from acredita.kit.clock import timestamp
from acredita.kit.crypto import KeyRing
from acredita.kit.db import Statements
from acredita.models import Hit, HitState
from acredita.resources.aml.hits.recording import FACTS, PART, UNKNOWN, Found

STATES = """
    SELECT coalesce(jsonb_agg(jsonb_build_object(
        'id', id, 'row_hash', encode(row_hash, 'hex'), 'person_hash', encode(person_hash, 'hex'),
        'state', state, 'decided_at', decided_at, 'decided_by', decided_by,
        'verification_id', verification_id
    )), '[]')::text
    FROM aml_hit WHERE organization_id = $1 AND id = ANY($2::uuid[])
"""
PERSONS = """
    SELECT coalesce(jsonb_object_agg(id, jsonb_build_object(
        'person_hash', encode(person_hash, 'hex'), 'sealed', encode(person_sealed, 'hex')
    )), '{}')::text
    FROM aml_hit WHERE organization_id = $1 AND id = ANY($2::uuid[])
"""


async def remembered(statements: Statements, keys: KeyRing, hits: Sequence[Found]) -> list[Found]:
    """The hits in their order, each with the state that still holds for this entry and person.

    A hit that opens its row again has the known facts, too. A batch may have several hits with one
    id, of one customer with different facts.
    """
    if not hits:
        return []
    organization_id = hits[0].customer.organization_id
    row = await statements.row(STATES, organization_id, [hit.id for hit in hits])
    assert row is not None  # noqa: S101 (an aggregate always has a row)
    known = {UUID(each["id"]): each for each in orjson.loads(row[0])}
    partial = {
        hit.id: known[hit.id] for hit in hits if hit.id in known and _is_partial(hit, known[hit.id])
    }
    persons = await _persons(statements, keys, organization_id, partial)
    return [_with_memory(hit, known.get(hit.id), persons.get(hit.id)) for hit in hits]


async def _persons(
    statements: Statements, keys: KeyRing, organization_id: UUID, partial: Mapping[UUID, Any]
) -> dict[UUID, dict[str, Any]]:
    """Id of a hit → the facts about its person, unless they changed since `partial` was read."""
    if not partial:
        return {}
    row = await statements.row(PERSONS, organization_id, list(partial))
    assert row is not None  # noqa: S101
    return {
        hit_id: Hit.person.open(keys, hit_id, bytes.fromhex(each["sealed"]))
        for hit_id, each in ((UUID(key), each) for key, each in orjson.loads(row[0]).items())
        if each["person_hash"] == partial[hit_id]["person_hash"]
    }


def _with_memory(
    hit: Found, known: Mapping[str, Any] | None, person: Mapping[str, Any] | None
) -> Found:
    if known is None:
        return hit
    if _holds(hit, known):
        return replace(
            hit,
            state=HitState(known["state"]),
            decided_at=_moment(known["decided_at"]),
            decided_by=known["decided_by"],
        )
    if person is not None and _is_partial(hit, known):
        return _with_facts(hit, known, person)
    return hit


def _holds(hit: Found, known: Mapping[str, Any]) -> bool:
    """As `_SAME`."""
    if known["row_hash"] != hit.row_hash.hex():
        return False
    return all(mine in (its, UNKNOWN) for mine, its in _parts(hit, known))


def _parts(hit: Found, known: Mapping[str, Any]) -> list[tuple[bytes, bytes]]:
    """(the hit's, the known) hash of the name and of each fact."""
    former = bytes.fromhex(known["person_hash"])
    return [
        (hit.person_hash[start : start + PART], former[start : start + PART])
        for start in range(0, len(hit.person_hash), PART)
    ]


def _is_partial(hit: Found, known: Mapping[str, Any]) -> bool:
    """Whether the hit lacks known facts of the same person, and opens the row again.

    Facts of two verifications stay apart: the purge of one must delete all of its facts.
    """
    verification_id = hit.customer.verification_id
    is_others = verification_id and known["verification_id"] not in (None, str(verification_id))
    if is_others or _holds(hit, known):
        return False
    (name, its_name), *facts = _parts(hit, known)
    agree = all(mine == its or UNKNOWN in (mine, its) for mine, its in facts)
    return name == its_name and agree and any(mine == UNKNOWN != its for mine, its in facts)


def _with_facts(hit: Found, known: Mapping[str, Any], person: Mapping[str, Any]) -> Found:
    """The hit with the known facts that it lacks, and the verification that they come from."""
    _, *parts = _parts(hit, known)
    lacking = [fact for fact, (mine, _) in zip(FACTS, parts, strict=True) if mine == UNKNOWN]
    customer = replace(
        hit.customer,
        question={**hit.customer.question, **{fact: person.get(fact) for fact in lacking}},
        verification_id=hit.customer.verification_id or _id(known["verification_id"]),
    )
    hashes = (its if mine == UNKNOWN else mine for mine, its in parts)
    person_hash = b"".join((hit.person_hash[:PART], *hashes))
    return replace(hit, customer=customer, person_hash=person_hash)


def _id(written: str | None) -> UUID | None:
    return None if written is None else UUID(written)


def _moment(written: str | None) -> str | None:
    return None if written is None else timestamp(datetime.fromisoformat(written))
