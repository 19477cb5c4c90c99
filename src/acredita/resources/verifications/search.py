"""The search index of verifications: add entries and delete them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import case, delete, func, select, true
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain import search_keys
from acredita.domain.phone_and_email import Channel, counted_as
from acredita.domain.search_identifiers import IdentifierKind, identifiers_of
from acredita.kit.crypto import Signer
from acredita.models import (
    IdentifierUse,
    NameWord,
    PersonIdentifier,
    SearchEntry,
    Verification,
)
from acredita.resources.otp.confirmations import DESTINATIONS
from acredita.resources.verifications import name_words
from acredita.resources.verifications.name_words import BEGINNINGS, WORDS, hashed
from acredita.resources.verifications.registry_claims import NAME_FIELDS

IDENTIFIERS = "identifier"
# What names a person, and what reaches one. An RFC can be of a company.
USES = {
    IdentifierKind.CURP: IdentifierUse.CURP,
    IdentifierKind.PHONE: IdentifierUse.CONTACT,
    IdentifierKind.EMAIL: IdentifierUse.CONTACT,
}
CHANNELS = {IdentifierKind.PHONE: Channel.SMS, IdentifierKind.EMAIL: Channel.EMAIL}


def adding(
    verification_id: str, organization_id: str, *, text: str, grams: str, hashes: str, when: str
) -> str:
    """Return SQL, as part of a larger statement, that adds the entry of a new verification.

    The arguments are SQL expressions.
    """
    return f"""
        search_added AS (
            INSERT INTO verification_search (verification_id, organization_id, text, grams,
                                             name_words, hashes_covered)
            SELECT {verification_id}, {organization_id}, {text}, {grams}, {hashes},
                   cardinality({hashes})
            WHERE {text} <> '' AND {when}
        )
    """


def indexed_text(
    organization_id: UUID, external_id: str | None, metadata: dict[str, Any] | None
) -> tuple[str, list[int]]:
    """Return the searchable text of an external id and metadata, and the grams of the text."""
    text = search_keys.searchable(external_id, metadata)
    return text, sorted(search_keys.grams(text, organization_id))


async def add_keys(
    session: AsyncSession,
    signer: Signer,
    verification: Verification,
    evidence: Iterable[dict[str, Any]],
    confirmed: Sequence[int] = (),
    *,
    more: Sequence[int] = (),
    is_all: bool = False,
) -> None:
    """Add the words of the name and the identifiers in the evidence, as keyed hashes: none of them
    is stored in clear. `confirmed`: hashes of phones and addresses that codes confirmed. `more`:
    other hashes by which a search finds the verification. `is_all`: the evidence is all that the
    verification has.
    """
    evidence = list(evidence)
    names = [item["value"] for item in evidence if item["field"] in NAME_FIELDS]
    mine = verification.organization_id
    found = identifiers_in_evidence(evidence)
    identified = hash_identifiers(signer, mine, found)
    hashes = sorted({*hash_names(signer, mine, names), *identified, *confirmed, *more})
    await _add_identifiers(session, signer, verification, found, confirmed)
    await name_words.add(session, signer, verification, names)
    if not hashes:
        return
    added = insert(SearchEntry).values(
        verification_id=verification.id,
        organization_id=verification.organization_id,
        created_at=verification.created_at,
        text="",
        grams=[],
        name_words=hashes,
        hashes_covered=len(hashes),
    )
    both = func.unnest(SearchEntry.name_words.concat(added.excluded.name_words)).column_valued()
    union = func.array(select(both).distinct().scalar_subquery())
    # The hashes of a former release stay uncovered: NameWord lacks their words.
    were_covered = SearchEntry.hashes_covered == func.cardinality(SearchEntry.name_words)
    await session.execute(
        added.on_conflict_do_update(
            index_elements=[SearchEntry.verification_id, SearchEntry.organization_id],
            set_={
                "name_words": union,
                "hashes_covered": case(
                    (true() if is_all else were_covered, func.cardinality(union)),
                    else_=SearchEntry.hashes_covered,
                ),
            },
        )
    )


async def _add_identifiers(
    session: AsyncSession,
    signer: Signer,
    verification: Verification,
    found: Iterable[tuple[IdentifierKind, str]],
    confirmed: Sequence[int],
) -> None:
    """Add what names or reaches the person: by it, policies know other verifications."""
    mine = verification.organization_id
    # Metadata from a browser are the person's own word: they could name anyone's phone.
    stated = {} if verification.has_session else verification.verification_metadata or {}
    uses = dict.fromkeys(confirmed, IdentifierUse.CONTACT)
    for kind, form in {*found, *identifiers_of(stated)}:
        if kind in USES:
            uses[_hash_identifier(signer, mine, kind, form)] = USES[kind]
    if uses:
        rows = [
            {
                "verification_id": verification.id,
                "hash": number,
                "organization_id": mine,
                "kind": use,
                "created_at": verification.created_at,
            }
            for number, use in sorted(uses.items())
        ]
        await session.execute(insert(PersonIdentifier).values(rows).on_conflict_do_nothing())


async def delete_entries(session: AsyncSession, verification_ids: Sequence[UUID]) -> None:
    """Delete what a search finds verifications by, which is personal data."""
    for table in (SearchEntry, NameWord, PersonIdentifier):
        await session.execute(delete(table).where(table.verification_id.in_(verification_ids)))


def identifiers_in_evidence(
    evidence: Iterable[Mapping[str, Any]],
) -> set[tuple[IdentifierKind, str]]:
    return {each for item in evidence for each in identifiers_of({item["field"]: item["value"]})}


def hash_identifiers(
    signer: Signer, organization_id: UUID, identifiers: Iterable[tuple[IdentifierKind, str]]
) -> list[int]:
    """Return keyed hashes of identifiers. Those of phones and addresses are the ones of confirmed
    one-time passwords, which keep no other form.
    """
    return sorted({_hash_identifier(signer, organization_id, *each) for each in identifiers})


def hash_metadata(
    signer: Signer, organization_id: UUID, metadata: Mapping[str, Any] | None
) -> list[int]:
    """Return keyed hashes of the identifiers that the caller's metadata name."""
    return hash_identifiers(signer, organization_id, identifiers_of(metadata or {}))


def _hash_identifier(signer: Signer, organization_id: UUID, kind: IdentifierKind, form: str) -> int:
    channel = CHANNELS.get(kind)
    if channel is not None:
        return hash_destination(signer.digest(DESTINATIONS, counted_as(channel, form).encode()))
    return _number(hashed(signer, organization_id, IDENTIFIERS, f"{kind}:{form}"))


def hash_destination(digest: bytes) -> int:
    """Return the hash of the phone or address whose digest a confirmed code has."""
    return _number(digest)


def _number(digest: bytes) -> int:
    """Return a number in the range of PostgreSQL's bigint."""
    return int.from_bytes(digest[:8], signed=True)


def hash_names(signer: Signer, organization_id: UUID, names: Iterable[str]) -> list[int]:
    """Return keyed hashes of the names' words and of their beginnings."""
    names = list(names)
    prefixes = (
        _number(hashed(signer, organization_id, BEGINNINGS, prefix))
        for prefix in search_keys.name_prefixes(names)
    )
    return sorted({*hash_words(signer, organization_id, names), *prefixes})


def hash_typed_name(signer: Signer, organization_id: UUID, text: str) -> list[int]:
    """Return keyed hashes of a name whose last word is typed in part; empty if it is none."""
    typed = search_keys.typed_name(text)
    if typed is None:
        return []
    words, prefix = typed
    last = _number(hashed(signer, organization_id, BEGINNINGS, prefix))
    return [*hash_words(signer, organization_id, words), last]


def hash_words(signer: Signer, organization_id: UUID, names: Iterable[str]) -> list[int]:
    """Return keyed hashes of the names' words, in the range of PostgreSQL's bigint."""
    return sorted(
        _number(hashed(signer, organization_id, WORDS, word))
        for word in search_keys.name_words(names)
    )
