from datetime import datetime
from typing import Annotated, Any, Self
from uuid import UUID

from pydantic import Field, WithJsonSchema

from acredita.api.schemas import Body, Shape, Timestamp
from acredita.domain.caller import CallerKind
from acredita.domain.documents import PageKind
from acredita.domain.identifiers.formatting import SEX_LETTERS
from acredita.domain.labelling import Statement
from acredita.domain.verification import DocumentRole
from acredita.models import MediaKind
from acredita.resources.training.items import MetamapStatus

LONGEST_REVIEW = 86_400
Note = Annotated[str, Field(max_length=2000)]
Share = Annotated[float, Field(ge=0, le=1, examples=[0.92])]


class LeaseShape(Shape):
    reviewer_id: UUID = Field(description="Id of the user or API key that holds the lease.")
    expires_at: Timestamp


class QueuedDocument(Shape):
    """The facts by which a reviewer chooses a document. Its content is at
    /v1/training/docs/{docId}."""

    id: UUID
    verification_id: UUID
    doc_type: PageKind = Field(description="The recognized type.")
    engine_version: str = Field(examples=["documents-1 rapidocr-3.10 ppocr-v6"])
    lowest_confidence: Share = Field(
        description=("The lowest confidence of its fields. 0: no field was read.")
    )
    disagreements: int = Field(
        ge=0, description="Fields whose sources contradict each other.", examples=[1]
    )
    hit_rate: Share = Field(description="Share of the document's fields that were accepted.")
    metamap_status: MetamapStatus = Field(
        description=("The status of the verification, in MetaMap's terms.")
    )
    batch_id: UUID | None
    lease: LeaseShape | None = Field(
        description=("The lease of the reviewer who works on the document.")
    )
    created_at: Timestamp

    @classmethod
    def from_row(cls, row: Any, now: datetime) -> Self:
        leased = row[10] is not None and row[11] > now
        return cls(
            id=row[0],
            verification_id=row[1],
            created_at=row[2],
            doc_type=PageKind(row[3]),
            engine_version=row[4],
            lowest_confidence=row[5],
            disagreements=row[6],
            hit_rate=row[7],
            metamap_status=MetamapStatus(row[8]),
            batch_id=row[9],
            lease=LeaseShape(reviewer_id=row[10], expires_at=row[11]) if leased else None,
        )


class QueueAnswer(Shape):
    documents: list[QueuedDocument]
    next_after: UUID | None = Field(
        description=("The value of `after` for the next page. Null: there are no more documents.")
    )


class NextAnswer(Shape):
    document: QueuedDocument | None = Field(
        description="The document, leased to the caller. Null: no document is left."
    )


Box = Annotated[
    tuple[float, float, float, float],
    # Generators of clients know no tuples (`prefixItems`).
    WithJsonSchema(
        {
            "type": "array",
            "items": {"type": "number"},
            "minItems": 4,
            "maxItems": 4,
            "description": "Left, top, right and bottom, as fractions of the page's width and "
            "height.",
            "examples": [[0.31, 0.28, 0.52, 0.33]],
        }
    ),
]


class SourceShape(Shape):
    """The value of a field from one source."""

    source: str = Field(
        description=(
            "ocr: printed text. mrz: machine-readable zone. barcode: barcode. government: a "
            "registry's record."
        ),
        examples=["mrz"],
    )
    value: str = Field(examples=["GOPA900101MDFMRN09"])
    confidence: Share | None = Field(description="Null for registries.")
    alternatives: list[str] = Field(examples=[["G0PA900101MDFMRN09"]])
    media_id: UUID | None = Field(description="The image of the page that shows the value.")
    box: Box | None


class FieldShape(Shape):
    field: str = Field(examples=["curp"])
    value: str | None = Field(
        description=f"Null: the field was not read. {SEX_LETTERS}", examples=["GOPA900101MDFMRN09"]
    )
    confidence: Share | None
    decision: str | None = Field(description="ACCEPTED, REVIEW or REJECTED.", examples=["REVIEW"])
    source: str | None = Field(description="The source of `value`.", examples=["ocr"])
    reasons: list[str] = Field(
        description="Why the field was not accepted.", examples=[["LOW_CONFIDENCE"]]
    )
    sources: list[SourceShape]


class TrainingMedia(Shape):
    id: UUID
    kind: MediaKind
    url: str = Field(
        description="A signed link, valid for 15 minutes. It supports range requests.",
        examples=[
            "https://api.example/v1/training/media/0b6a4c3e-1f7b-4c55-9a51-2f9b8f0d3a11?key=MTc2"
        ],
    )


class FieldLabel(Body):
    field_name: str = Field(min_length=1, max_length=64, examples=["curp"])
    confirmed_value: str | None = Field(
        None,
        min_length=1,
        max_length=1000,
        description=f"The value on the document, if the document has the field. {SEX_LETTERS}",
        examples=["GOPA900101MDFMRN09"],
    )
    was_ml_correct: bool | None = Field(
        None,
        description=(
            "Whether the reading is correct. Null: derived from `confirmedValue`, if given."
        ),
    )
    was_metamap_correct: bool | None = Field(
        None, description="Whether MetaMap's value of the same field is correct, if known."
    )
    was_field_present: bool | None = Field(
        None, description="false: the document has no such field."
    )
    notes: Note | None = Field(None, examples=["La última letra está gastada."])

    @property
    def statement(self) -> Statement:
        return Statement(
            self.field_name,
            self.confirmed_value,
            self.was_ml_correct,
            self.was_metamap_correct,
            self.was_field_present,
        )


class LabelWrite(Body):
    fields: list[FieldLabel] = Field(max_length=100, description="Each field occurs at most once.")
    document_type_override: str | None = Field(
        None,
        # Stored unsealed because it is counted; so it must be a word, never personal data.
        pattern="^[A-Z][A-Z_]{1,39}$",
        description=(
            "The correct document type, if the recognized type is wrong: a word in capitals."
        ),
        examples=["DRIVER_LICENCE"],
    )
    flags: list[Annotated[str, Field(min_length=1, max_length=50, examples=["glare"])]] | None = (
        Field(None, max_length=20)
    )
    review_seconds: float | None = Field(
        None,
        ge=0,
        le=LONGEST_REVIEW,
        allow_inf_nan=False,
        description="How many seconds the reviewer took.",
        examples=[14.2],
    )
    review_notes: Note | None = Field(None, examples=["Foto oscura, todo legible."])


class LabelShape(Shape):
    id: UUID
    document_id: UUID
    version: int = Field(
        ge=1, description="The label with the highest version counts.", examples=[1]
    )
    reviewer_id: UUID
    reviewer_kind: CallerKind = Field(description="user or client. A client is an API key.")
    created_at: Timestamp


class LabelAnswer(Shape):
    label: LabelShape


class StandingLabel(LabelShape):
    """The current label, as it was sent."""

    fields: list[dict[str, Any]] = Field(examples=[[{"fieldName": "curp", "wasMlCorrect": True}]])
    document_type_override: str | None = Field(examples=["DRIVER_LICENCE"])
    flags: list[str] = Field(examples=[["glare"]])
    review_seconds: float | None = Field(examples=[14.2])
    review_notes: str | None = Field(examples=["Foto oscura, todo legible."])


class CodeShape(Shape):
    """A decoded barcode of the page."""

    symbology: str = Field(examples=["QR_CODE"])
    text: str = Field(examples=["https://qr.ine.mx/…"])
    media_id: UUID | None
    box: Box | None


class TrainingDocument(QueuedDocument):
    """A document with all extracted values, by source."""

    type: DocumentRole = Field(description="The role in which the document was uploaded.")
    mime_type: str = Field(examples=["image/jpeg"])
    rules_version: str = Field(examples=["documents-2026.2"])
    image_url: str = Field(
        description="A signed link to the uploaded file.",
        examples=[
            "https://api.example/v1/documents/0b6a4c3e-1f7b-4c55-9a51-2f9b8f0d3a11/image?key=MTc2"
        ],
    )
    media: list[TrainingMedia] = Field(description="The flattened pages. `box` refers to these.")
    fields: list[FieldShape]
    codes: list[CodeShape]
    field_names: list[str] = Field(
        description="Names that a label may use.", examples=[["curp", "dateOfBirth"]]
    )
    label: StandingLabel | None = Field(
        description=("The current label. Null: the document has no label yet.")
    )
    masked: bool = Field(
        False,
        description=(
            "Whether the organization masks the values and links for this user, until they reveal"
            " them."
        ),
    )


class TrainingDocumentAnswer(Shape):
    document: TrainingDocument


class SkipAnswer(Shape):
    document_id: UUID
    skipped_at: Timestamp


class BatchShape(Shape):
    id: UUID
    name: str = Field(examples=["Licencias de noviembre"])
    total: int = Field(
        ge=0, description="Number of documents, without purged ones.", examples=[200]
    )
    labelled: int = Field(ge=0, examples=[120])
    in_hand: int = Field(
        ge=0, description="Documents that are leased to a reviewer right now.", examples=[2]
    )
    created_at: Timestamp


class BatchList(Shape):
    batches: list[BatchShape]


class TypeProgress(Shape):
    doc_type: PageKind
    total: int = Field(ge=0, examples=[80])
    labelled: int = Field(ge=0, examples=[50])


class BatchDetail(BatchShape):
    by_doc_type: list[TypeProgress]


class TrainingBatchAnswer(Shape):
    batch: BatchDetail


class ReviewerStats(Shape):
    reviewer_id: UUID
    reviewer_kind: CallerKind
    documents: int = Field(
        ge=0, description="Documents labelled in the last 30 days.", examples=[310]
    )
    documents_last_day: int = Field(ge=0, examples=[25])
    median_review_seconds: float | None = Field(
        description="Null if no label has `reviewSeconds`.", examples=[13.5]
    )
    documents_per_hour: float | None = Field(
        description="Computed from `reviewSeconds` of the labels.", examples=[210.4]
    )
    skipped: int = Field(ge=0, examples=[4])
    agreement: Share | None = Field(
        description=(
            "Share of fields that another reviewer judged in the same way. Null: no field was "
            "judged twice."
        )
    )


class TrainingStats(Shape):
    waiting: int = Field(ge=0, description="Documents without a label.", examples=[1200])
    labelled: int = Field(ge=0, examples=[310])
    in_hand: int = Field(
        ge=0, description="Documents that are leased to a reviewer right now.", examples=[3]
    )
    reviewers: list[ReviewerStats]
