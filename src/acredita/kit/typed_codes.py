"""Random codes that people copy by hand."""

import secrets
from typing import Final

# Crockford's Base32: people confuse none of its letters with a digit. A letter has 5 random bits.
ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def draw(length: int) -> str:
    """Return a random code of this many letters."""
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def grouped(code: str, size: int) -> str:
    """Return a code with a hyphen between groups of this size."""
    return "-".join(code[at : at + size] for at in range(0, len(code), size))
