"""Names for a million people, each as common as names in Mexico are.

The commonest surname has the share COMMONEST of all surnames, and the share falls with the rank: by
this, eight people in a hundred have HERNÁNDEZ as one of their two surnames, six GARCÍA. The first
hundred have half of all. The others are invented, 20,000 of them, by Zipf's law.
"""

import random
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from uuid import UUID

from acredita.domain.search_keys import name_words
from acredita.kit.crypto import Signer
from acredita.resources.verifications.name_words import token, without_repetition
from acredita.resources.verifications.search import hash_names
from acredita_synthetic.name_lists import COMMON_SURNAMES, MEN, WOMEN

COMMONEST, FALL = 0.036, 0.22
INVENTED = 20_000
SYLLABLES = (
    *("al", "ba", "ber", "bri", "ca", "cor", "cha", "da", "del", "es", "fa", "fer", "gar", "gon"),
    *("gue", "her", "hi", "ja", "la", "les", "lo", "ma", "mar", "men", "mo", "na", "no", "nu"),
    *("or", "pa", "per", "que", "ra", "ri", "ro", "sal", "san", "so", "ta", "te", "to", "tre"),
    *("ur", "va", "ve", "vi", "xo", "ya", "za", "zu"),
)
ENDINGS = ("", "EZ", "Z", "S", "N", "DO", "ÑA")


@dataclass(frozen=True, slots=True)
class PersonsName:
    given: str
    paternal: str
    maternal: str

    def __str__(self) -> str:
        return f"{self.given} {self.paternal} {self.maternal}"


@dataclass(frozen=True, slots=True)
class Names:
    """Names, and for each the share of people that have it or one before it."""

    names: list[str]
    shares_so_far: list[float]


def given_names() -> Names:
    names = [(name, 0.5 / len(half)) for half in (WOMEN, MEN) for name in half]
    return Names([name for name, _ in names], list(accumulate(share for _, share in names)))


def surnames(chance: random.Random) -> Names:
    """Return the surnames, the commonest first. The same `chance` invents the same ones."""
    found = dict.fromkeys(COMMON_SURNAMES)
    shares = [COMMONEST / (1 + FALL * rank) for rank in range(len(found))]
    while len(found) < len(shares) + INVENTED:
        stem = "".join(chance.choices(SYLLABLES, k=chance.choice((2, 3, 3, 4)))).upper()
        found[stem + chance.choice(ENDINGS)] = None
    tail = [1 / rank for rank in range(len(shares), len(found))]
    left = (1 - sum(shares)) / sum(tail)
    return Names(list(found), list(accumulate([*shares, *(left * share for share in tail)])))


class NameHashes:
    """What a name is found by, with each word hashed once."""

    def __init__(self, signer: Signer, organization_id: UUID) -> None:
        self._hashes = cache(lambda word: hash_names(signer, organization_id, [word]))
        self._token = cache(lambda word: token(signer, organization_id, word))

    def hashes(self, name: str) -> set[int]:
        return {number for word in name_words([name]) for number in self._hashes(word)}

    def tokens(self, name: str) -> list[tuple[bytes, int]]:
        return without_repetition(map(self._token, name_words([name])))
