"""What is known of one state's driver's licence: a template, which is plain data.

Every state issues its own, in several generations, and no law fixes their layout. So a template is
not code: those that come with the service are a JSON file, and any other of the same shape can be
handed to the reader.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar, Final

from acredita.domain.identifiers.states import BY_CODE

TEXT_FIELDS: Final = (
    "paternalSurname",
    "maternalSurname",
    "givenNames",
    "surnames",
    "fullName",
    "address",
)
DATE_FIELDS: Final = ("dateOfBirth", "issueDate", "expiryDate")
FIELDS: Final = frozenset(
    (*TEXT_FIELDS, *DATE_FIELDS, "documentNumber", "licenceClass", "curp", "rfc", "bloodGroup")
)
SHAPE_CLASSES: Final = frozenset("A9X")
_MOST_WORDINGS, _LONGEST = 40, 80


class Place(StrEnum):
    """Where a value stands by its caption."""

    BELOW = "below"
    BESIDE = "beside"


class DateStyle(StrEnum):
    DAY_FIRST = "DD/MM/YYYY"
    YEAR_FIRST = "YYYY/MM/DD"
    NAMED_MONTH = "DD/MMM/YYYY"


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateField:
    """How one field is found.

    `captions` are the wordings of its caption; `box` is where its value stands when no caption is
    printed, or it is lost: left, top, right and bottom as shares of the card. `lines` is how many
    lines the value may take. `shapes` are what a number looks like (A a letter, 9 a digit, X
    either), `values` the only values there are.
    """

    __pydantic_config__: ClassVar = {"extra": "forbid"}

    captions: tuple[str, ...] = ()
    place: Place = Place.BELOW
    box: tuple[float, float, float, float] | None = None
    lines: int = 1
    shapes: tuple[str, ...] = ()
    values: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for fault in self._faults():
            raise ValueError(fault)

    def _faults(self) -> Iterator[str]:
        if not self.captions and self.box is None:
            yield "a field needs a caption or a box"
        if not _are_wordings(self.captions, 3) or not _are_wordings(self.values, 1):
            yield "captions and values are short texts, captions of three characters at least"
        if not _are_wordings(self.shapes, 4) or any(
            not set(shape) <= SHAPE_CLASSES for shape in self.shapes
        ):
            yield "a shape is made of A, 9 and X"
        if not 1 <= self.lines <= 4:
            yield "a value takes one to four lines"
        if self.box is not None:
            left, top, right, bottom = self.box
            if not (0 <= left < right <= 1 and 0 <= top < bottom <= 1):
                yield "a box is left, top, right, bottom as shares of the card"


@dataclass(frozen=True, slots=True, kw_only=True)
class LicenceTemplate:
    """One layout of one state's licence.

    `id` becomes the page's `model`. `state` is the CURP's code of the state. `issuers` are whole
    phrases that only this state prints, as "GOBIERNO DEL ESTADO DE PUEBLA": a state's bare name
    stands in many an address. `permanent` are the words that stand for an expiry date where there
    is none. Raise ValueError for a template that could not be used.
    """

    __pydantic_config__: ClassVar = {"extra": "forbid"}

    id: str
    state: str
    issuers: tuple[str, ...]
    fields: Mapping[str, TemplateField] = field(default_factory=dict)
    dates: DateStyle = DateStyle.DAY_FIRST
    permanent: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for fault in self._faults():
            raise ValueError(fault)

    def _faults(self) -> Iterator[str]:
        if not 3 <= len(self.id) <= _LONGEST:
            yield "a template needs an id"
        if self.state not in BY_CODE:
            yield "state is the CURP's code of a state"
        if not self.issuers or not _are_wordings(self.issuers, 8):
            yield "a template needs a phrase that only its state prints"
        if not _are_wordings(self.permanent, 5):
            yield "permanent are words of five letters at least"
        if not self.fields or not self.fields.keys() <= FIELDS:
            yield f"fields are some of {', '.join(sorted(FIELDS))}"
        if "documentNumber" in self.fields and not self.fields["documentNumber"].shapes:
            yield "documentNumber needs a shape"
        if "licenceClass" in self.fields and not self.fields["licenceClass"].values:
            yield "licenceClass needs its values"


def _are_wordings(texts: tuple[str, ...], least: int) -> bool:
    return len(texts) <= _MOST_WORDINGS and all(least <= len(text) <= _LONGEST for text in texts)
