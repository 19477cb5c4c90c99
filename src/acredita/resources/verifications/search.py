"""Entering what a verification is found by, and taking it out again."""

from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import delete, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain import searching
from acredita.kit.crypto import Signer
from acredita.models import SearchEntry, Verification
from acredita.resources.verifications.claims import NAME_FIELDS

PURPOSE = "name-word"


def entering(verification_id: str, organization_id: str, *, text: str, grams: str) -> str:
    """Entering a new verification, as a part of a larger statement: SQL, made of SQL."""
    return f"""
        entered AS (
            INSERT INTO verification_search (verification_id, organization_id, text, grams,
                                             name_words)
            SELECT {verification_id}, {organization_id}, {text}, {grams}, '{{}}'
            WHERE {text} <> ''
        )
    """


def found_by(
    organization_id: UUID, external_id: str | None, metadata: dict[str, Any] | None
) -> tuple[str, list[int]]:
    """Text and grams of what the caller gave a new verification."""
    text = searching.searchable(external_id, metadata)
    return text, sorted(searching.grams(text, organization_id))


async def enter_name(
    session: AsyncSession,
    signer: Signer,
    verification: Verification,
    evidence: Iterable[dict[str, Any]],
) -> None:
    """The words of the name that was read, as keyed hashes: the name itself is nowhere in clear."""
    names = [item["value"] for item in evidence if item["field"] in NAME_FIELDS]
    hashes = hashes_of_words(signer, verification.organization_id, names)
    if not hashes:
        return
    adding = insert(SearchEntry).values(
        verification_id=verification.id,
        organization_id=verification.organization_id,
        created_at=verification.created_at,
        text="",
        grams=[],
        name_words=hashes,
    )
    both = func.unnest(SearchEntry.name_words.concat(adding.excluded.name_words)).column_valued()
    await session.execute(
        adding.on_conflict_do_update(
            index_elements=[SearchEntry.verification_id],
            set_={"name_words": func.array(select(both).distinct().scalar_subquery())},
        )
    )


async def forget(session: AsyncSession, verification_ids: Sequence[UUID]) -> None:
    """Let verifications be found by nothing: what they were found by is personal data."""
    await session.execute(
        delete(SearchEntry).where(SearchEntry.verification_id.in_(verification_ids))
    )


def hashes_of_words(signer: Signer, organization_id: UUID, names: Iterable[str]) -> list[int]:
    """Keyed hashes of the words, as PostgreSQL's bigint."""
    return sorted(
        int.from_bytes(
            signer.digest(PURPOSE, f"{organization_id}:{word}".encode())[:8], signed=True
        )
        for word in searching.name_words(names)
    )
