"""Hits of screenings: their ids, what was decided about them before, and their rows.

A customer is the organization's `externalId` (of the question, or of its verification), else the
verification, else the person: the same name and facts.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import orjson

from acredita.domain.audit import canonical
from acredita.engines.screening import normalised, plain_identifier
from acredita.kit.crypto import KeyRing, Signer
from acredita.kit.db import Statements
from acredita.models import Hit, HitState

HIT, CUSTOMER, PERSON = "aml-hit", "aml-customer", "aml-person"
"""Purposes of the keyed hashes."""
EXTERNAL_IDS = """
    SELECT coalesce(jsonb_object_agg(id, external_id), '{}')::text
    FROM verification WHERE organization_id = $1 AND id = ANY($2::uuid[])
"""
# The hash of a person: one part for each fact, zeros for an unknown one.
PART = 16
FACTS = (
    "dateOfBirth",
    "birthYear",
    "rfc",
    "curp",
    "gender",
    "nationalities",
    "identifiers",
    "aliases",
)
UNKNOWN = bytes(PART)
_UNKNOWN = f"'\\x{UNKNOWN.hex()}'::bytea"


def _part(row: str, place: int) -> str:
    return f"substring({row}.person_hash FROM {place * PART + 1} FOR {PART})"


# A decision holds while the entry is the same and the person has no new or other fact. A screening
# that knows less about the person changes nothing.
_SAME = " AND ".join(
    [
        "aml_hit.row_hash = excluded.row_hash",
        f"{_part('aml_hit', 0)} = {_part('excluded', 0)}",
        *(
            f"{_part('excluded', place)} IN ({_part('aml_hit', place)}, {_UNKNOWN})"
            for place in range(1, len(FACTS) + 1)
        ),
    ]
)
# The verification is the one that the person's facts come from: its purge deletes them.
_KEPT = {
    "verification_id": "excluded.verification_id",
    "person_hash": "excluded.person_hash",
    "person_sealed": "excluded.person_sealed",
    "state": "'open'",
    "opened_at": "excluded.opened_at",
    "decided_at": "NULL",
    "decided_by": "NULL",
    "proposal_id": "NULL",
    "claimed_by": "NULL",
    "claimed_at": "NULL",
    "claimed_until": "NULL",
}
_BEFORE = {"verification_id": "coalesce(aml_hit.verification_id, excluded.verification_id)"}
_KEEPING = ", ".join(
    f"CASE WHEN same THEN {_BEFORE.get(column, f'aml_hit.{column}')} ELSE {otherwise} END"
    for column, otherwise in _KEPT.items()
)


def adding(first: int, *, organization_id: str, at: str, condition: str) -> str:
    """SQL that adds or updates hits. Its arguments are those of `columns_of`, from `$first` on.

    `organization_id` and `at` are SQL expressions.
    """
    types = (
        "uuid[]",
        "bigint[]",
        "bytea[]",
        "bytea[]",
        "bytea[]",
        "float8[]",
        "uuid[]",
        "uuid[]",
        "bytea[]",
    )
    arrays = ", ".join(f"${first + place}::{kind}" for place, kind in enumerate(types))
    return f"""
        INSERT INTO aml_hit (
            organization_id, created_at, opened_at, seen_at, state, id, entity_id, customer_hash,
            person_hash, row_hash, score, screening_id, verification_id, person_sealed
        )
        SELECT {organization_id}, {at}, {at}, {at}, 'open', one.* FROM unnest({arrays}) AS one (
            id, entity_id, customer_hash, person_hash, row_hash, score, screening_id,
            verification_id, person_sealed
        )
        WHERE {condition}
        ON CONFLICT (id, organization_id) DO UPDATE SET
            seen_at = excluded.seen_at, score = excluded.score,
            screening_id = coalesce(excluded.screening_id, aml_hit.screening_id),
            row_hash = excluded.row_hash, ({", ".join(_KEPT)}) = (
                SELECT {_KEEPING} FROM (SELECT {_SAME} AS same) AS compared
            )
    """  # noqa: S608 (constants)


# A verification that is purged at the same time is locked: this waits, and then adds nothing of it.
ADD = f"""
    WITH kept AS (
        SELECT id FROM verification
        WHERE organization_id = $1 AND id = ANY($10::uuid[]) AND purged_at IS NULL
        FOR KEY SHARE
    ) {
    adding(
        3,
        organization_id="$1::uuid",
        at="$2::timestamptz",
        condition="one.verification_id IS NULL OR one.verification_id IN (SELECT id FROM kept)",
    )
}
"""  # noqa: S608 (constants)


@dataclass(frozen=True, slots=True)
class Customer:
    """Whom the organization screens. `question`: a QuestionShape as plain data."""

    organization_id: UUID
    question: Mapping[str, Any]
    external_id: str | None = None
    verification_id: UUID | None = None

    def hashes(self, signer: Signer) -> tuple[bytes, bytes]:
        """The keyed hashes of the customer, and of the facts about the person."""
        name = " ".join(sorted(normalised(self.question["fullName"]).split()))
        facts = [name, *(_plain(fact, self.question.get(fact)) for fact in FACTS)]
        if self.external_id is not None:
            customer = ["externalId", self.external_id]
        elif self.verification_id is not None:
            customer = ["verification", str(self.verification_id)]
        else:
            customer = ["person", canonical(facts)]
        parts = (
            UNKNOWN
            if fact is None
            else _digest(signer, PERSON, self.organization_id, f"{place}:{canonical(fact)}")[:PART]
            for place, fact in enumerate(facts)
        )
        return customer_hash(signer, self.organization_id, customer), b"".join(parts)


def _plain(fact: str, value: Any) -> Any:
    """The fact in one form: another order, case or notation is no change of the person."""
    if not value:
        return None
    if fact in {"rfc", "curp"}:
        return plain_identifier(value)
    if fact == "identifiers":
        return sorted([each["kind"], plain_identifier(each["value"])] for each in value)
    if fact == "aliases":
        return sorted(" ".join(sorted(normalised(name).split())) for name in value)
    return sorted(value) if fact == "nationalities" else value


def customer_hash(signer: Signer, organization_id: UUID, customer: Sequence[str]) -> bytes:
    return _digest(signer, CUSTOMER, organization_id, canonical(list(customer)))


def _digest(signer: Signer, purpose: str, organization_id: UUID, content: str) -> bytes:
    return signer.digest(purpose, organization_id.bytes + content.encode())


def question_of(
    full_name: str,
    *,
    date_of_birth: str | None = None,
    rfc: str | None = None,
    curp: str | None = None,
    external_id: str | None = None,
) -> dict[str, Any]:
    """A QuestionShape as plain data, for a screening without a request."""
    return {
        "fullName": full_name,
        "dateOfBirth": date_of_birth,
        "rfc": rfc,
        "curp": curp,
        "birthYear": None,
        "aliases": None,
        "nationalities": None,
        "gender": None,
        "identifiers": None,
        "entityType": None,
        "country": None,
        "externalId": external_id,
    }


@dataclass(frozen=True, slots=True)
class Found:
    """A hit of a screening. `state`: HitState, and when and by whom it was decided."""

    id: UUID
    entity_id: int
    customer: Customer
    customer_hash: bytes
    person_hash: bytes
    row_hash: bytes
    score: float
    state: HitState = HitState.OPEN
    decided_at: str | None = None
    decided_by: str | None = None

    @property
    def is_false(self) -> bool:
        return self.state is HitState.FALSE_HIT

    @property
    def reviewer(self) -> UUID | None:
        return None if self.decided_by is None else UUID(self.decided_by)

    def body(self) -> dict[str, Any]:
        """The fields `matchId` and `review` of a match."""
        return {
            "matchId": str(self.id),
            "review": {"state": self.state.value, "decidedAt": self.decided_at},
        }


def found_of(
    signer: Signer, customer: Customer, entries: Iterable[tuple[int, bytes, float]]
) -> list[Found]:
    """The hits of a customer, as open ones. `entries`: (entity id, row hash, score)."""
    customer_digest, person_digest = customer.hashes(signer)
    return [
        Found(
            _hit_id(signer, customer.organization_id, customer_digest, entity_id),
            entity_id,
            customer,
            customer_digest,
            person_digest,
            row_hash,
            score,
        )
        for entity_id, row_hash, score in entries
    ]


def _hit_id(signer: Signer, organization_id: UUID, customer: bytes, entity_id: int) -> UUID:
    digest = _digest(signer, HIT, organization_id, f"{customer.hex()}:{entity_id}")
    return UUID(bytes=digest[:16], version=5)


async def external_ids(
    statements: Statements, organization_id: UUID, verification_ids: Iterable[UUID]
) -> dict[UUID, str | None]:
    """The external ids of verifications of the organization."""
    wanted = sorted(set(verification_ids))
    if not wanted:
        return {}
    row = await statements.row(EXTERNAL_IDS, organization_id, wanted)
    assert row is not None  # noqa: S101 (an aggregate always has a row)
    return {UUID(key): value for key, value in orjson.loads(row[0]).items()}


def columns_of(
    keys: KeyRing, hits: Mapping[UUID, tuple[Found, UUID | None]]
) -> tuple[list[Any], ...]:
    """The arguments of `adding`. `hits`: id → (hit, id of the record of its screening).

    In the order of ids, so that concurrent statements lock the rows in the same order.
    """
    rows = [hits[hit_id] for hit_id in sorted(hits)]
    return (
        [hit.id for hit, _ in rows],
        [hit.entity_id for hit, _ in rows],
        [hit.customer_hash for hit, _ in rows],
        [hit.person_hash for hit, _ in rows],
        [hit.row_hash for hit, _ in rows],
        [hit.score for hit, _ in rows],
        [screening_id for _, screening_id in rows],
        [hit.customer.verification_id for hit, _ in rows],
        [Hit.person.seal(keys, hit.id, dict(hit.customer.question)) for hit, _ in rows],
    )


async def add(statements: Statements, keys: KeyRing, hits: Iterable[Found], now: datetime) -> None:
    """Add or update hits of a monitor or a step. One organization's.

    Those of a purged verification are not added.
    """
    by_id = {hit.id: (hit, None) for hit in hits}
    if by_id:
        organization_id = next(iter(by_id.values()))[0].customer.organization_id
        await statements.row(f"{ADD} RETURNING id", organization_id, now, *columns_of(keys, by_id))
