"""Hashes that say whether texts are the same; the same in every process."""

import hashlib
from collections.abc import Iterable

_BITS = (1 << 64) - 1


def text_hash(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


def bag_hash(hashes: Iterable[int]) -> int:
    """Of the hashes of words: the same for the same words in any order."""
    return sum(hashes) & _BITS


def identifier_hash(kind: str, value: str) -> int:
    plain = "".join(char for char in value.upper() if char.isalnum())
    return text_hash(f"{kind.lower()}:{plain}") if plain else 0
