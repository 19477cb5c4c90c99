"""Whether two documents, or two sides of one, name the same person and show the same face.

Two documents belong to one person if their CURP is equal, or if name, birth date and sex are. If
both have a portrait, the portraits must also show the same face.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import Enum

from acredita.domain import faces
from acredita.domain.documents.birth_dates import birth_date_by_zone
from acredita.domain.documents.findings import Finding
from acredita.domain.documents.mrz_evidence import zone_of
from acredita.domain.documents.pages import PageReading, Portrait
from acredita.domain.government import name_comparison
from acredita.domain.government.name_comparison import Likeness
from acredita.domain.identifiers import curp
from acredita.domain.identifiers.mrz import same_name
from acredita.domain.names import PersonName, same_words

_NAME_FIELDS = ("givenNames", "paternalSurname", "maternalSurname")
_OTHER_FIELDS = {"curp": "curp", "birth_date": "dateOfBirth", "sex": "sex"}


class Tie(Enum):
    """Whether two documents belong to one person."""

    SAME = "same"
    # Too little was read, or two readings are similar and not equal.
    UNKNOWN = "unknown"
    DIFFERENT = "different"


@dataclass(frozen=True, slots=True)
class Holder:
    """The holder that one document names; None for absent values.

    `birth_date` is YYYY-MM-DD, `sex` H, M or X. `sure` names the attributes whose reading was
    accepted. With `in_zone`, the name is in the spelling of a machine-readable zone and may be
    `truncated`.
    """

    curp: str | None = None
    name: str | None = None
    birth_date: str | None = None
    sex: str | None = None
    sure: frozenset[str] = frozenset()
    in_zone: bool = False
    truncated: bool = False


def holder_of(findings: Sequence[Finding]) -> Holder:
    """Return the holder named by a document's findings."""
    return holder_from_fields({f.field: (f.value, f.accepted) for f in findings if f.value})


def holder_from_fields(fields: Mapping[str, tuple[str | None, bool]]) -> Holder:
    """Return the holder named by fields: by wire name, the value and whether it was accepted."""
    parts = _name_parts(fields)
    words = [value for part in parts if (value := fields[part][0])]
    read = {
        attribute: fields.get(field, (None, False)) for attribute, field in _OTHER_FIELDS.items()
    }
    sure = {attribute for attribute, (_, accepted) in read.items() if accepted}
    if parts and all(fields[part][1] for part in parts):
        sure.add("name")
    code, born, sex = (value for value, _ in read.values())
    known = curp.parse(code or "")
    # A CURP whose check digit fails was misread, so it proves nothing.
    whole = known.value.text if known.value is not None and known.valid else None
    return Holder(whole, " ".join(words) or None, born, sex, frozenset(sure))


def _name_parts(fields: Collection[str]) -> list[str]:
    """The fields that make up the name: its parts where both needed ones are there, else the whole
    name.
    """
    parts = [name for name in _NAME_FIELDS if name in fields]
    if "paternalSurname" in parts and "givenNames" in parts:
        return parts
    if "surnames" in fields and "givenNames" in parts and "paternalSurname" not in parts:
        return ["givenNames", "surnames"]
    return ["fullName"] if "fullName" in fields else []


def holder_of_back(page: PageReading, today: date) -> Holder | None:
    """Return the holder named by the machine-readable zone of a card's back; None without a
    zone."""
    zone = zone_of(page)
    if zone is None:
        return None
    value = zone.value
    sure = {"birth_date", "sex"} if value.names_truncated else {"name", "birth_date", "sex"}
    return Holder(
        name=f"{value.given} {value.surnames}".strip() or None,
        birth_date=birth_date_by_zone(value, today, None),
        sex=value.sex.value if value.sex else None,
        sure=frozenset(sure),
        in_zone=True,
        truncated=value.names_truncated,
    )


def tie_of_holders(one: Holder, other: Holder) -> Tie:
    """Return whether both holders are one person."""
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
    """Return whether both portraits show one face; SAME if one document has no portrait."""
    if one is None or other is None:
        return Tie.SAME
    if one.version != other.version:
        return Tie.UNKNOWN
    match faces.judge(faces.distance(one, other)).band:
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
    alike = name_comparison.of_names(PersonName("", one.name), PersonName("", other.name))
    if alike is Likeness.DIFFERENT and "name" in one.sure & other.sure:
        return Tie.DIFFERENT
    return Tie.UNKNOWN


def _same_in_zone(printed: Holder, zone: Holder) -> bool:
    if not zone.in_zone or printed.in_zone or not printed.name or not zone.name:
        return False
    return same_name(printed.name, zone.name, truncated=zone.truncated)
