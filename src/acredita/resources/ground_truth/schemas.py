from datetime import datetime
from typing import Annotated, Any, Self
from uuid import UUID

from pydantic import AfterValidator, Field

from acredita.api.pagination import Pagination
from acredita.api.schemas import Body, FreeForm, ReasonCodeField, Shape, Timestamp
from acredita.domain.documents.licence_templates import FIELDS
from acredita.domain.faces import Band
from acredita.domain.identifiers.formatting import SEX_LETTERS
from acredita.domain.identifiers.states import STATES
from acredita.models import TrialStatus

KNOWN_FIELDS = FIELDS | {"surnames", "fullName"}
_CODES = frozenset(state.code for state in STATES)


def _state(code: str) -> str:
    if code not in _CODES:
        raise ValueError("is not the code of a state, as in a CURP")
    return code


def _field(name: str) -> str:
    if name not in KNOWN_FIELDS:
        raise ValueError(f"must be one of {', '.join(sorted(KNOWN_FIELDS))}")
    return name


StateCode = Annotated[
    str,
    AfterValidator(_state),
    Field(
        description="The state's code, as in a CURP.",
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
        description=(
            "The values on the licence, by field name. Names are those that readings use; dates "
            f"are YYYY-MM-DD. {SEX_LETTERS}"
        ),
        examples=[{"documentNumber": "R0012345", "dateOfBirth": "1990-05-17"}],
    ),
]
Notes = Annotated[
    str,
    Field(
        max_length=2000, description="Notes for people.", examples=["Lote de mayo; muy gastada."]
    ),
]
Status = Annotated[
    TrialStatus,
    Field(description=("Status of the engine's processing of this sample."), examples=["DONE"]),
]


class LicenceTruthWrite(Body):
    """The form's field `truth`, as JSON."""

    state: StateCode | None = None
    fields: KnownFields | None = None
    notes: Notes | None = None


class LicenceTruthChange(Body):
    """Absent fields stay unchanged. `fields` is replaced as a whole."""

    state: StateCode | None = None
    fields: KnownFields = Field(default_factory=dict)
    notes: Notes | None = None


class FieldTrialShape(Shape):
    field: str = Field(examples=["documentNumber"])
    expected: str | None = Field(description="The known value.", examples=["R0012345"])
    read: str | None = Field(description="The value that the engine read.", examples=["R0012345"])
    confidence: float | None = Field(ge=0, le=1, examples=[0.98])
    is_correct: bool | None = Field(description="Null if the value of the field is not known.")
    read_before: str | None = Field(
        description="The value of the previous reading.", examples=["R0012346"]
    )
    was_correct_before: bool | None


class ReadByShape(Shape):
    """The engine that read the document, and the type that it recognized."""

    engine: str = Field(examples=["documents-1 rapidocr-3.10 ppocr-v6"])
    rules: str = Field(examples=["documents-2026.2"])
    kind: str = Field(examples=["DRIVER_LICENCE"])
    state: str | None = Field(examples=["JC"])
    model: str | None = Field(
        description="The template that matched the document.", examples=["JC-2020"]
    )
    at: Timestamp


class LicenceTruthShape(Shape):
    id: UUID
    state: str | None = Field(examples=["JC"])
    fields: dict[str, str] = Field(description=f"The known values. {SEX_LETTERS}")
    notes: str | None = Field(examples=["Lote de mayo; muy gastada."])
    status: Status
    read_by: ReadByShape | None
    previously_read_by: ReadByShape | None
    compared: int = Field(ge=0, description="Number of fields whose value is known.", examples=[9])
    correct: int = Field(
        ge=0, description="Number of these fields that were read correctly.", examples=[9]
    )
    trials: list[FieldTrialShape] = Field(description="The last reading, one entry per field.")
    created_at: Timestamp
    updated_at: Timestamp


class LicenceTruthPage(Shape):
    licences: list[LicenceTruthShape]
    pagination: Pagination


class TrialAnswer(Shape):
    id: UUID
    status: Status


class StateCount(Shape):
    state: str = Field(description="The state's code, as in a CURP.", examples=["JC"])
    name: str = Field(examples=["Jalisco"])
    licences: int = Field(ge=0, examples=[42])
    has_template: bool = Field(description="Whether a template of this state exists.")


class StateList(Shape):
    states: list[StateCount]


class StateTruthShape(Shape):
    """The state of a licence: the known one and the recognized one."""

    id: UUID
    state: str | None = Field(description="The known state.", examples=["JC"])
    read_state: str | None = Field(description="The recognized state.", examples=["JC"])
    is_correct: bool | None = Field(
        description="Null until the state is known and the licence has been read."
    )
    model: str | None = Field(
        description="The template that matched the document.", examples=["JC-2020"]
    )
    has_template: bool = Field(description="Whether a template was made from this licence.")
    status: Status
    created_at: Timestamp

    @classmethod
    def from_row(cls, row: Any, *, has_template: bool) -> Self:
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
    template: dict[str, Any] | None = Field(description="The template, as it was sent.")


class StateTruthChange(Body):
    """Absent fields stay unchanged."""

    state: StateCode | None = None
    template: FreeForm | None = Field(
        None,
        description=(
            "The template of this layout (docs/engineers/ground-truth.md). It applies to all of "
            "the organization's documents immediately. Null removes it. Requires ADMIN."
        ),
    )


class StateStat(Shape):
    state: str | None = Field(description="Null: the state is not known.", examples=["JC"])
    name: str | None = Field(examples=["Jalisco"])
    licences: int = Field(ge=0, examples=[42])
    read: int = Field(ge=0, description="Licences that the engine has processed.", examples=[42])
    state_correct: int = Field(
        ge=0, description="Licences whose state was recognized correctly.", examples=[41]
    )
    fields_compared: int = Field(ge=0, examples=[378])
    fields_correct: int = Field(ge=0, examples=[371])
    accuracy: float | None = Field(
        description="`fieldsCorrect` / `fieldsCompared`. Null if no field was compared.",
        examples=[0.981],
    )
    has_template: bool


class StateStats(Shape):
    states: list[StateStat]


class SelfieTruthWrite(Body):
    """The form's field `truth`, as JSON."""

    is_same_person: bool
    notes: Notes | None = None


class SelfieTruthChange(Body):
    """Absent fields stay unchanged."""

    is_same_person: bool = Field(False, description="Whether both images show the same person.")
    notes: Notes | None = None


class FaceMatchShape(Shape):
    code: ReasonCodeField | None = Field(
        description="Why there is no match.", examples=["FACE_MISMATCH"]
    )
    distance: float | None = Field(examples=[0.41])
    similarity: float | None = Field(ge=0, le=1, examples=[0.94])
    band: Band | None
    engine: str = Field(examples=["face-4 blazeface facemesh sface-2021dec"])
    calibration: str = Field(examples=["sface-2021dec/2026-11"])
    at: datetime

    @property
    def says_same_person(self) -> bool | None:
        return {Band.MATCH: True, Band.MISMATCH: False}.get(self.band) if self.band else None


class SelfieTruthShape(Shape):
    id: UUID
    is_same_person: bool = Field(description="The known answer.")
    notes: str | None = Field(examples=["Lote de mayo; muy gastada."])
    status: Status
    result: FaceMatchShape | None
    previous_result: FaceMatchShape | None
    is_correct: bool | None = Field(
        description="Null if the engine is not certain or could not compare the faces."
    )
    created_at: Timestamp
    updated_at: Timestamp


class SelfieTruthPage(Shape):
    selfies: list[SelfieTruthShape]
    pagination: Pagination
