"""Entering what a verification is found by, and taking it out again."""

from collections.abc import Iterable, Sequence
from typing import Any, cast
from uuid import UUID

from sqlalchemy import Table, delete, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain import searching
from acredita.kit.crypto import Signer
from acredita.models import SearchEntry, Verification
from acredita.resources.verifications.claims import NAME_FIELDS

PURPOSE = "name-word"
# The table, not the class: the ORM's own way of inserting costs twice as much.
ENTRY = insert(cast("Table", SearchEntry.__table__))


async def enter(
    session: AsyncSession,
    organization_id: UUID,
    verification_id: UUID,
    external_id: str | None,
    metadata: dict[str, Any] | None,
) -> None:
    """What the caller gave a new verification: its external id and its metadata."""
    text = searching.searchable(external_id, metadata)
    if text:
        await session.execute(
            ENTRY,
            {
                "verification_id": verification_id,
                "organization_id": organization_id,
                "text": text,
                "grams": sorted(searching.grams(text, organization_id)),
                "name_words": [],
            },
        )


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
