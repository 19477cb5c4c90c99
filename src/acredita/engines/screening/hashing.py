"""64-bit hashes for equality of texts. They are the same in every process."""

import hashlib
from collections.abc import Iterable

_BITS = (1 << 64) - 1


def text_hash(text: str) -> int:
    """BLAKE2b of the UTF-8 text as an unsigned 64-bit integer."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


def bag_hash(hashes: Iterable[int]) -> int:
    """Combine word hashes, independent of their order."""
    return sum(hashes) & _BITS
