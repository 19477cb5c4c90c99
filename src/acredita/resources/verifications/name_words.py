"""Words of names as tokens, for a search for one word or its beginning.

The token of a word begins with the tokens of its beginnings of 3 to 10 letters. So a search for a
beginning reads one range of the index, however many hits it has. A token is a chain of keyed
hashes: 8 bytes of the hash of the first three letters, and 4 bytes for each letter more. The bytes
of two letters in one place are the same in one of 4 billion cases; a search then finds both.
"""

from collections.abc import Iterable
from itertools import takewhile
from typing import NamedTuple
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain import search_keys
from acredita.domain.search_keys import LONGEST_PREFIX, SHORTEST_PREFIX
from acredita.kit.crypto import Signer
from acredita.models import NameWord, Verification
from acredita.models.tenancy import belongs_to

# What the hashes are made for: of whole words, and of beginnings.
WORDS, BEGINNINGS = "name-word", "name-prefix"
# Bytes of a token.
FIRST, FURTHER = 8, 4
LONGEST_TOKEN = FIRST + FURTHER * (LONGEST_PREFIX - SHORTEST_PREFIX) + FIRST


class Range(NamedTuple):
    """Tokens from `first` to `last`. A verification is found once, by its token that shares fewer
    than `letters` letters with another one.
    """

    first: bytes
    last: bytes
    letters: int


def hashed(signer: Signer, organization_id: UUID, purpose: str, text: str) -> bytes:
    """Return a keyed hash of what a search of the organization may ask for."""
    return signer.digest(purpose, f"{organization_id}:{text}".encode())


def token(signer: Signer, organization_id: UUID, word: str) -> bytes:
    """Return the token of a folded word. If it is no beginning, a hash of the whole ends it."""
    ends = range(SHORTEST_PREFIX, min(len(word), LONGEST_PREFIX) + 1)
    parts = [hashed(signer, organization_id, BEGINNINGS, word[:end]) for end in ends]
    parts = [*(part[:FIRST] for part in parts[:1]), *(part[:FURTHER] for part in parts[1:])]
    if not _is_beginning(word):
        parts.append(hashed(signer, organization_id, WORDS, word)[:FIRST])
    return b"".join(parts)


def range_of(signer: Signer, organization_id: UUID, word: str) -> Range:
    """Return the tokens of the words that begin with a folded word; of it alone, if its length is
    not that of a beginning.
    """
    first = token(signer, organization_id, word)
    end = b"\xff" * LONGEST_TOKEN if _is_beginning(word) else b""
    return Range(first, first + end, len(word))


def _is_beginning(word: str) -> bool:
    return SHORTEST_PREFIX <= len(word) <= LONGEST_PREFIX


def shared_letters(one: bytes, other: bytes) -> int:
    """Return how many first letters the words of two tokens share: none, or 3 to 10."""
    same = len([*takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))])
    if same < FIRST:
        return 0
    return min(SHORTEST_PREFIX + (same - FIRST) // FURTHER, LONGEST_PREFIX)


def without_repetition(
    tokens: Iterable[bytes], known: Iterable[bytes] = ()
) -> list[tuple[bytes, int]]:
    """Return each new token of a verification, and how many letters it shares with another one."""
    known = list(known)
    added = []
    for each in sorted(set(tokens) - set(known)):
        added.append((each, max((shared_letters(each, other) for other in known), default=0)))
        known.append(each)
    return added


async def add(
    session: AsyncSession, signer: Signer, verification: Verification, names: list[str]
) -> None:
    """Add the words of names. The caller holds the verification's lock."""
    mine = verification.organization_id
    tokens = [token(signer, mine, word) for word in search_keys.name_words(names)]
    if not tokens:
        return
    known = await session.scalars(
        select(NameWord.token).where(
            belongs_to(NameWord, mine), NameWord.verification_id == verification.id
        )
    )
    values = [
        {
            "organization_id": mine,
            "token": each,
            "created_at": verification.created_at,
            "verification_id": verification.id,
            "shared": shared,
        }
        for each, shared in without_repetition(tokens, known)
    ]
    if values:
        await session.execute(insert(NameWord).values(values).on_conflict_do_nothing())
