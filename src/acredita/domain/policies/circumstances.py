"""What is known of a verification besides its steps: other verifications of the same person, and
where the pictures come from.

Other verifications change and are purged. So the circumstances are stored with the decision, which
stays a function of what is stored.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from acredita.domain.policies.kinds import LONGEST_LIST, Kind, Value, Variable
from acredita.domain.verification import CaptureSource, DocumentRole, VerificationStatus

# Other verifications that are looked at for one CURP, phone or address: the newest ones.
MOST: Final = 100
VARIABLES: Final = (
    Variable("earlier.known", Kind.BOOL, "whether others with the same CURP were looked for"),
    Variable("earlier.total", Kind.INT, f"other verifications with the same CURP, at most {MOST}"),
    Variable("earlier.approved", Kind.INT, "how many of them are APPROVED"),
    Variable("earlier.rejected", Kind.INT, "how many of them are REJECTED"),
    Variable("earlier.review", Kind.INT, "how many of them are in MANUAL_REVIEW"),
    Variable("earlier.recent", Kind.INT, "how many of them were created in the last 24 hours"),
    Variable(
        "contact.known",
        Kind.BOOL,
        "whether others with the same phone or e-mail address were looked for",
    ),
    Variable(
        "contact.total",
        Kind.INT,
        f"other verifications with the same phone or e-mail address, at most {MOST} of each",
    ),
    Variable("contact.people", Kind.INT, "how many other CURPs these have, as far as known"),
    Variable(
        "pictures.camera", Kind.STRINGS, "the roles whose picture the browser took with the camera"
    ),
    Variable("pictures.file", Kind.STRINGS, "the roles whose picture the browser took from a file"),
)
_ABSENT: Final[Mapping[Kind, Value]] = {Kind.BOOL: False, Kind.INT: 0, Kind.STRINGS: []}


@dataclass(frozen=True, slots=True)
class Other:
    """Another verification with the same CURP, or with the same phone or e-mail address."""

    id: UUID
    status: VerificationStatus
    is_recent: bool
    # Whether it has the same CURP; otherwise it was found by a phone or an address.
    is_by_curp: bool
    # Keyed hashes; empty where none is known.
    curps: frozenset[int]


def of_others(
    curps: Collection[int], others: Iterable[Other], *, has_contact: bool
) -> dict[str, Value]:
    """Return the values of `earlier` and `contact`. `curps`: the verification's own, as hashes.

    A verification that shares several identifiers counts once.
    """
    found = list(others)
    same = list({other.id: other for other in found if other.is_by_curp}.values())[:MOST]
    reached = {other.id: other for other in found if not other.is_by_curp}
    statuses = [other.status for other in same]
    people = {curp for other in reached.values() for curp in other.curps}
    return {
        "earlier.known": bool(curps),
        "earlier.total": len(same),
        "earlier.approved": statuses.count(VerificationStatus.APPROVED),
        "earlier.rejected": statuses.count(VerificationStatus.REJECTED),
        "earlier.review": statuses.count(VerificationStatus.MANUAL_REVIEW),
        "earlier.recent": sum(other.is_recent for other in same),
        "contact.known": has_contact,
        "contact.total": len(reached),
        "contact.people": len(people.difference(curps)),
    }


def of_pictures(sources: Mapping[DocumentRole, str | None]) -> dict[str, Value]:
    """Return the values of `pictures`, by what the browser states about each role's picture."""
    return {
        f"pictures.{source.value}": sorted(
            role.value for role, stated in sources.items() if stated == source
        )[:LONGEST_LIST]
        for source in CaptureSource
    }


def stored(known: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the form that a verification stores, {group: {name: value}}, from the values of all
    variables. Values of something absent are left out.
    """
    document: dict[str, dict[str, Any]] = {}
    for variable in VARIABLES:
        value = known.get(variable.name, _ABSENT[variable.kind])
        if value != _ABSENT[variable.kind]:
            group, _, name = variable.name.partition(".")
            document.setdefault(group, {})[name] = value
    return document


def restored(document: Mapping[str, Any]) -> dict[str, Value]:
    """Return the value of each variable, from the stored form."""
    known: dict[str, Value] = {}
    for variable in VARIABLES:
        group, _, name = variable.name.partition(".")
        known[variable.name] = document.get(group, {}).get(name, _ABSENT[variable.kind])
    return known
