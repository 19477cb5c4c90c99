"""Whether two documents, or two sides of one, name the same person and show the same face.

Issue of documents: two documents belong to one person when their CURP is equal, or when name, birth
date and sex agree; and when their portraits show one face, where both have a portrait.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import Enum

from acredita.domain import faces
from acredita.domain.documents.birth import born_by_zone
from acredita.domain.documents.findings import Finding
from acredita.domain.documents.pages import PageReading, Portrait
from acredita.domain.documents.zones import zone_of
from acredita.domain.government import likeness
from acredita.domain.government.likeness import Likeness
from acredita.domain.identifiers import curp
from acredita.domain.identifiers.mrz import same_name
from acredita.domain.names import PersonName, same_words

_NAME_FIELDS = ("givenNames", "paternalSurname", "maternalSurname")


class Tie(Enum):
    """How far two documents are known to belong to one person."""

    SAME = "same"
    # Too little was read, or two readings are close to each other and not equal.
    UNKNOWN = "unknown"
    DIFFERENT = "different"


@dataclass(frozen=True, slots=True)
class Holder:
    """What one document says of its holder; None where it says nothing. `birth_date` is an ISO
    date, `sex` a letter (H, M, X). `sure` names the fields whose reading was accepted. A name of a
    machine-readable zone is in that zone's spelling, and may be `truncated`.
    """

    curp: str | None = None
    name: str | None = None
    birth_date: str | None = None
    sex: str | None = None
    sure: frozenset[str] = frozenset()
    in_zone: bool = False
    truncated: bool = False


def holder_of(findings: Sequence[Finding]) -> Holder:
    """The holder whom a document's judged fields name."""
    return holder_named({f.field: (f.value, f.accepted) for f in findings if f.value})


def holder_named(fields: Mapping[str, tuple[str | None, bool]]) -> Holder:
    """The same of fields by their wire names, each a value and whether it was accepted."""
    parts = [name for name in _NAME_FIELDS if name in fields]
    if "givenNames" in parts and "surnames" in fields and "paternalSurname" not in parts:
        parts = ["givenNames", "surnames"]
    elif "givenNames" not in parts or "paternalSurname" not in parts:
        parts = ["fullName"] if "fullName" in fields else []
    words = [value for part in parts if (value := fields[part][0])]
    code, _ = fields.get("curp", (None, False))
    born, _ = fields.get("dateOfBirth", (None, False))
    sex, _ = fields.get("sex", (None, False))
    sure = {
        attribute
        for attribute, field in (("curp", "curp"), ("birth_date", "dateOfBirth"), ("sex", "sex"))
        if field in fields and fields[field][1]
    }
    if parts and all(fields[part][1] for part in parts):
        sure.add("name")
    known = curp.parse(code or "")
    # A CURP whose check digit fails was misread: it ties nobody together.
    whole = known.value.text if known.value is not None and known.valid else None
    return Holder(whole, " ".join(words) or None, born, sex, frozenset(sure))


def holder_of_back(page: PageReading, today: date) -> Holder | None:
    """The holder whom the machine-readable zone of a card's back names; None without a zone."""
    zone = zone_of(page)
    if zone is None:
        return None
    value = zone.value
    sure = {"birth_date", "sex"} if value.names_truncated else {"name", "birth_date", "sex"}
    return Holder(
        name=f"{value.given} {value.surnames}".strip() or None,
        birth_date=born_by_zone(value, today, None),
        sex=value.sex.value if value.sex else None,
        sure=frozenset(sure),
        in_zone=True,
        truncated=value.names_truncated,
    )


def tie_of_holders(one: Holder, other: Holder) -> Tie:
    """Whether both are one person, by what the documents say."""
    agreements = [
        _by_name(one, other),
        _equal(one, other, "birth_date"),
        _equal(one, other, "sex"),
    ]
    if Tie.DIFFERENT in agreements:
        return Tie.DIFFERENT
    if one.curp and other.curp:
        return _equal(one, other, "curp")
    return Tie.SAME if all(each is Tie.SAME for each in agreements) else Tie.UNKNOWN


def tie_of_portraits(one: Portrait | None, other: Portrait | None) -> Tie:
    """Whether both show one face; SAME where one document has no portrait."""
    if one is None or other is None:
        return Tie.SAME
    if one.version != other.version:
        return Tie.UNKNOWN
    match faces.judge(math.dist(one.embedding, other.embedding)).band:
        case faces.Band.MATCH:
            return Tie.SAME
        case faces.Band.UNCERTAIN:
            return Tie.UNKNOWN
        case faces.Band.MISMATCH:
            return Tie.DIFFERENT


def _equal(one: Holder, other: Holder, field: str) -> Tie:
    mine, theirs = getattr(one, field), getattr(other, field)
    if not mine or not theirs:
        return Tie.UNKNOWN
    if mine == theirs:
        return Tie.SAME
    return Tie.DIFFERENT if field in one.sure & other.sure else Tie.UNKNOWN


def _by_name(one: Holder, other: Holder) -> Tie:
    if not one.name or not other.name:
        return Tie.UNKNOWN
    if same_words(one.name, other.name) or _same_in_zone(one, other) or _same_in_zone(other, one):
        return Tie.SAME
    alike = likeness.of_names(PersonName("", one.name), PersonName("", other.name))
    if alike is Likeness.DIFFERENT and "name" in one.sure & other.sure:
        return Tie.DIFFERENT
    return Tie.UNKNOWN


def _same_in_zone(printed: Holder, zone: Holder) -> bool:
    if not zone.in_zone or printed.in_zone or not printed.name or not zone.name:
        return False
    return same_name(printed.name, zone.name, truncated=zone.truncated)
