"""The search index of verifications: add entries and delete them."""

from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import delete, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain import search_keys
from acredita.kit.crypto import Signer
from acredita.models import SearchEntry, Verification
from acredita.resources.verifications.registry_claims import NAME_FIELDS

PURPOSE = "name-word"


def adding(verification_id: str, organization_id: str, *, text: str, grams: str) -> str:
    """Return SQL, as part of a larger statement, that adds the entry of a new verification.

    The arguments are SQL expressions.
    """
    return f"""
        search_added AS (
            INSERT INTO verification_search (verification_id, organization_id, text, grams,
                                             name_words)
            SELECT {verification_id}, {organization_id}, {text}, {grams}, '{{}}'
            WHERE {text} <> ''
        )
    """


def indexed_text(
    organization_id: UUID, external_id: str | None, metadata: dict[str, Any] | None
) -> tuple[str, list[int]]:
    """Return the searchable text of an external id and metadata, and the grams of the text."""
    text = search_keys.searchable(external_id, metadata)
    return text, sorted(search_keys.grams(text, organization_id))


async def add_name(
    session: AsyncSession,
    signer: Signer,
    verification: Verification,
    evidence: Iterable[dict[str, Any]],
) -> None:
    """Add the words of the name in the evidence, as keyed hashes: no name is stored in clear."""
    names = [item["value"] for item in evidence if item["field"] in NAME_FIELDS]
    hashes = hash_words(signer, verification.organization_id, names)
    if not hashes:
        return
    added = insert(SearchEntry).values(
        verification_id=verification.id,
        organization_id=verification.organization_id,
        created_at=verification.created_at,
        text="",
        grams=[],
        name_words=hashes,
    )
    both = func.unnest(SearchEntry.name_words.concat(added.excluded.name_words)).column_valued()
    await session.execute(
        added.on_conflict_do_update(
            index_elements=[SearchEntry.verification_id],
            set_={"name_words": func.array(select(both).distinct().scalar_subquery())},
        )
    )


async def delete_entries(session: AsyncSession, verification_ids: Sequence[UUID]) -> None:
    """Delete the search entries of verifications, which contain personal data."""
    await session.execute(
        delete(SearchEntry).where(SearchEntry.verification_id.in_(verification_ids))
    )


def hash_words(signer: Signer, organization_id: UUID, names: Iterable[str]) -> list[int]:
    """Return keyed hashes of the names' words, in the range of PostgreSQL's bigint."""
    return sorted(
        int.from_bytes(
            signer.digest(PURPOSE, f"{organization_id}:{word}".encode())[:8], signed=True
        )
        for word in search_keys.name_words(names)
    )
