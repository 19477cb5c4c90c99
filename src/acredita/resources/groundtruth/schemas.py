from datetime import datetime
from typing import Annotated, Any, Self
from uuid import UUID

from pydantic import AfterValidator, Field

from acredita.api.pagination import Pagination
from acredita.api.schemas import Body, FreeForm, Shape, Timestamp
from acredita.domain.documents.licence_templates import FIELDS
from acredita.domain.faces import Band
from acredita.domain.identifiers.states import STATES
from acredita.models import TrialStatus

KNOWN_FIELDS = FIELDS | {"surnames", "fullName"}
_CODES = frozenset(state.code for state in STATES)


def _state(code: str) -> str:
    if code not in _CODES:
        raise ValueError("is no state's code, as CURPs have it")
    return code


def _field(name: str) -> str:
    if name not in KNOWN_FIELDS:
        raise ValueError(f"is none of {', '.join(sorted(KNOWN_FIELDS))}")
    return name


StateCode = Annotated[
    str,
    AfterValidator(_state),
    Field(
        description="The state's code, as CURPs have it.",
        examples=["JC"],
        json_schema_extra={"enum": sorted(_CODES)},
    ),
]
FieldName = Annotated[
    str, AfterValidator(_field), Field(json_schema_extra={"enum": sorted(KNOWN_FIELDS)})
]
KnownFields = Annotated[
    dict[FieldName, Annotated[str, Field(min_length=1, max_length=300)]],
    Field(
        description="What stands on the licence, by the names that readings use; dates YYYY-MM-DD.",
        examples=[{"documentNumber": "R0012345", "dateOfBirth": "1990-05-17"}],
    ),
]
Notes = Annotated[
    str, Field(max_length=2000, description="For people.", examples=["Lote de mayo; muy gastada."])
]
Status = Annotated[TrialStatus, Field(description="Of the engine's look at it.", examples=["DONE"])]


class LicenceTruthWrite(Body):
    """The form's field `truth`, as JSON."""

    state: StateCode | None = None
    fields: KnownFields | None = None
    notes: Notes | None = None


class LicenceTruthChange(Body):
    """What is left out stays; `fields` is replaced as a whole."""

    state: StateCode | None = None
    fields: KnownFields = Field(default_factory=dict)
    notes: Notes | None = None


class FieldTrialShape(Shape):
    field: str = Field(examples=["documentNumber"])
    expected: str | None = Field(description="What is known to stand there.", examples=["R0012345"])
    read: str | None = Field(description="What was read.", examples=["R0012345"])
    confidence: float | None = Field(ge=0, le=1, examples=[0.98])
    is_correct: bool | None = Field(description="Null for a field of which nothing is known.")
    read_before: str | None = Field(
        description="By the reading before this one.", examples=["R0012346"]
    )
    was_correct_before: bool | None


class ReadByShape(Shape):
    """Which engine read it, and what it took it for."""

    engine: str = Field(examples=["documents-1 rapidocr-3.10 ppocr-v6"])
    rules: str = Field(examples=["documents-2026.2"])
    kind: str = Field(examples=["DRIVER_LICENCE"])
    state: str | None = Field(examples=["JC"])
    model: str | None = Field(description="The template that fitted.", examples=["JC-2020"])
    at: Timestamp


class LicenceTruthShape(Shape):
    id: UUID
    state: str | None = Field(examples=["JC"])
    fields: dict[str, str] = Field(description="What is known.")
    notes: str | None = Field(examples=["Lote de mayo; muy gastada."])
    status: Status
    read_by: ReadByShape | None
    previously_read_by: ReadByShape | None
    compared: int = Field(ge=0, description="How many fields are known.", examples=[9])
    correct: int = Field(ge=0, description="How many of them were read right.", examples=[9])
    trials: list[FieldTrialShape] = Field(description="Field by field, the last reading.")
    created_at: Timestamp
    updated_at: Timestamp


class LicenceTruthPage(Shape):
    licences: list[LicenceTruthShape]
    pagination: Pagination


class TrialAnswer(Shape):
    id: UUID
    status: Status


class StateCount(Shape):
    state: str = Field(description="The code, as CURPs have it.", examples=["JC"])
    name: str = Field(examples=["Jalisco"])
    licences: int = Field(ge=0, examples=[42])
    has_template: bool = Field(description="Whether a layout of this state is known.")


class StateList(Shape):
    states: list[StateCount]


class StateTruthShape(Shape):
    """A licence, seen as a question: of which state is it?"""

    id: UUID
    state: str | None = Field(description="What is known.", examples=["JC"])
    read_state: str | None = Field(description="What was read.", examples=["JC"])
    is_correct: bool | None = Field(description="Null while either is not there.")
    model: str | None = Field(description="The template that fitted.", examples=["JC-2020"])
    has_template: bool = Field(description="Whether a template was drawn up from this licence.")
    status: Status
    created_at: Timestamp

    @classmethod
    def of(cls, row: Any, *, has_template: bool) -> Self:
        read = row.read_by or {}
        state = read.get("state")
        return cls(
            id=row.id,
            state=row.state,
            read_state=state,
            is_correct=None if row.state is None or row.read_by is None else state == row.state,
            model=read.get("model"),
            has_template=has_template,
            status=TrialStatus(row.status),
            created_at=row.created_at,
        )


class StateTruthPage(Shape):
    licences: list[StateTruthShape]
    pagination: Pagination


class StateTruthDetail(StateTruthShape):
    template: dict[str, Any] | None = Field(description="As it was given.")


class StateTruthChange(Body):
    """What is left out stays."""

    state: StateCode | None = None
    template: FreeForm | None = Field(
        None,
        description=(
            "How licences with this layout are read (docs/ground-truth): it counts at once for all"
            " of the organization's documents. Null takes it away. ADMIN."
        ),
    )


class StateStat(Shape):
    state: str | None = Field(description="Null: not known.", examples=["JC"])
    name: str | None = Field(examples=["Jalisco"])
    licences: int = Field(ge=0, examples=[42])
    read: int = Field(ge=0, description="Those that the engine has looked at.", examples=[42])
    state_correct: int = Field(ge=0, description="Of the right state.", examples=[41])
    fields_compared: int = Field(ge=0, examples=[378])
    fields_correct: int = Field(ge=0, examples=[371])
    accuracy: float | None = Field(
        description="fieldsCorrect of fieldsCompared; null of none.", examples=[0.981]
    )
    has_template: bool


class StateStats(Shape):
    states: list[StateStat]


class SelfieTruthWrite(Body):
    """The form's field `truth`, as JSON."""

    is_same_person: bool
    notes: Notes | None = None


class SelfieTruthChange(Body):
    """What is left out stays."""

    is_same_person: bool = Field(False, description="Whether both show one person.")
    notes: Notes | None = None


class FaceMatchShape(Shape):
    code: str | None = Field(description="Why there is no match.", examples=["FACE_MISMATCH"])
    distance: float | None = Field(examples=[0.41])
    similarity: float | None = Field(ge=0, le=1, examples=[0.94])
    band: Band | None
    engine: str = Field(examples=["face-2 blazeface facemesh dlib-resnet-v1"])
    calibration: str = Field(examples=["dlib-resnet-v1-views/2026-11"])
    at: datetime

    @property
    def says_same_person(self) -> bool | None:
        return {Band.MATCH: True, Band.MISMATCH: False}.get(self.band) if self.band else None


class SelfieTruthShape(Shape):
    id: UUID
    is_same_person: bool = Field(description="What is known.")
    notes: str | None = Field(examples=["Lote de mayo; muy gastada."])
    status: Status
    result: FaceMatchShape | None
    previous_result: FaceMatchShape | None
    is_correct: bool | None = Field(
        description="Null where the engine is not certain, or could not compare."
    )
    created_at: Timestamp
    updated_at: Timestamp


class SelfieTruthPage(Shape):
    selfies: list[SelfieTruthShape]
    pagination: Pagination
