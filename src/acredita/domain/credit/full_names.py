"""Split a full name into given names and surnames, by the letters of the CURP or RFC.

"Ana María de la Cruz Ruiz" can be cut in many ways, and names are written surnames first as well.
With a wrong split, a bureau finds nobody or another person. So a name is split only if exactly one
split agrees with the CURP, or else with the RFC. If none or several agree, it is not split.
"""

from collections.abc import Iterator

from acredita.domain.identifiers import curp as curps
from acredita.domain.identifiers import rfc as rfcs
from acredita.domain.identifiers.curp import Curp
from acredita.domain.identifiers.name_letters import PARTICLES
from acredita.domain.identifiers.rfc import Rfc, RfcKind
from acredita.domain.names import PersonName, fold

# Nobody has more; the number of cuts grows with its square.
MOST_PARTS = 12


def cut(full_name: str, *, curp: Curp | None = None, rfc: Rfc | None = None) -> PersonName | None:
    """Return the only split of the name that agrees with the identifiers, or None.

    With both a CURP and an RFC, the CURP decides: it has three more letters of the name.
    """
    if curp is not None:
        exact = (curp.letters, curp.consonants)
        agreeing = [name for name in _cuts(full_name) if curps.name_letters(name) == exact]
        # Registries have read names in other ways than the rule's; those count where it has no cut.
        agreeing = agreeing or [
            name for name in _cuts(full_name) if not curps.contradictions(curp, name=name)
        ]
    elif rfc is not None and rfc.kind is RfcKind.PERSON:
        agreeing = [name for name in _cuts(full_name) if rfcs.person_letters(name) == rfc.letters]
    else:
        return None
    return agreeing[0] if len(agreeing) == 1 else None


def parts_of(text: str) -> list[str]:
    """The words of a name, each with the particles that belong to it: Ana, de la Cruz, Ruiz."""
    parts: list[str] = []
    particles: list[str] = []
    for word in text.split():
        particles.append(word)
        if fold(word) not in PARTICLES:
            parts.append(" ".join(particles))
            particles = []
    if particles:  # it ends in particles, so these are none
        parts.append(" ".join(particles))
    return parts


def _cuts(full_name: str) -> Iterator[PersonName]:
    """Yield each split into given names and one or two surnames, in both orders.

    Given names never begin with a particle: in "María de la Luz", "Luz" is not a separate name.
    """
    for left, middle, right in _thirds(parts_of(full_name)):
        first = PersonName(given=left, paterno=middle, materno=right)
        last = PersonName(right or middle, paterno=left, materno=middle if right else "")
        yield from (name for name in (first, last) if not _begins_with_particle(name.given))


def _thirds(parts: list[str]) -> Iterator[tuple[str, str, str]]:
    """Yield each split into three parts. The third may be empty."""
    count = len(parts)
    if count > MOST_PARTS:
        return
    for first in range(1, count):
        for second in range(first + 1, count + 1):
            yield (
                " ".join(parts[:first]),
                " ".join(parts[first:second]),
                " ".join(parts[second:]),
            )


def _begins_with_particle(given: str) -> bool:
    return fold(given).partition(" ")[0] in PARTICLES
