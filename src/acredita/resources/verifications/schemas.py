from typing import Any, Literal
from uuid import UUID

from pydantic import Field

from acredita.api.pagination import CursorPage, Pagination
from acredita.api.schemas import Body, FreeForm, Shape, StepResult, Timestamp
from acredita.api.step_types import KnownStepType
from acredita.domain.verification import DocumentRole, StepStatus, VerificationStatus
from acredita.models import MediaKind


class VerificationCreate(Body):
    workflow_id: str = Field(
        min_length=1,
        description="An active workflow of the organization.",
        examples=["0b6a4c3e-1f7b-4c55-9a51-2f9b8f0d3a11"],
    )
    metadata: FreeForm | None = Field(None, examples=[{"sucursal": "Centro"}])
    callback_url: str | None = Field(
        None,
        max_length=2048,
        description="An https address that is sent the result, signed with `callbackSecret`.",
        json_schema_extra={"format": "uri"},
        examples=["https://hooks.example.com/resultado"],
    )
    external_id: str | None = Field(
        None, max_length=255, description="The caller's own id.", examples=["cliente-4711"]
    )


class StatusChange(Body):
    status: Literal["APPROVED", "REJECTED", "MANUAL_REVIEW"]
    notes: str | None = Field(
        None,
        max_length=2000,
        description="The reviewer's reasons. Stored encrypted.",
        examples=["La foto coincide; revisado por videollamada."],
    )


class CreatedVerification(Shape):
    id: UUID
    status: VerificationStatus
    workflow_id: UUID
    external_id: str | None = Field(examples=["cliente-4711"])
    metadata: dict[str, Any] | None = Field(examples=[{"sucursal": "Centro"}])
    ip_address: str | None = Field(examples=["203.0.113.9"])
    created_at: Timestamp
    updated_at: Timestamp
    callback_secret: str | None = Field(
        description="The secret that signs the callback. Only this response contains it.",
        examples=["whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="],
    )


class CreatedVerificationAnswer(Shape):
    verification: CreatedVerification


class VerificationStepShape(Shape):
    id: UUID
    type: KnownStepType
    status: StepStatus
    requires: list[DocumentRole] = Field(description="Roles still missing for this step.")
    result: StepResult | None = Field(
        description=(
            "The findings of the step. Contains `code` and `message` if the step did not pass."
        ),
        examples=[{"curp": "GOPA900101MDFMRN09"}],
    )


class VerificationShape(Shape):
    id: UUID
    status: VerificationStatus
    workflow_id: UUID
    steps: list[VerificationStepShape]
    created_at: Timestamp
    updated_at: Timestamp


class MediaShape(Shape):
    id: UUID
    kind: MediaKind = Field(description="page: the document's page, flattened and upright.")
    image_url: str = Field(
        description="A signed link to the image, valid for 15 minutes.",
        examples=[
            "https://api.example/v1/passport-image/0b6a4c3e-1f7b-4c55-9a51-2f9b8f0d3a11?key=MTc2"
        ],
    )


class DocumentShape(Shape):
    id: UUID
    type: DocumentRole
    mime_type: str = Field(examples=["image/jpeg"])
    file_size: int = Field(description="Size in bytes.")
    created_at: Timestamp
    image_url: str = Field(
        description="A signed link to the image, valid for 15 minutes.",
        examples=[
            "https://api.example/v1/documents/0b6a4c3e-1f7b-4c55-9a51-2f9b8f0d3a11/image?key=MTc2"
        ],
    )
    media: list[MediaShape] = Field(description="Images that were derived from the document.")


class ExtractedField(Shape):
    field: str = Field(examples=["curp"])
    value: str = Field(examples=["GOPA900101MDFMRN09"])
    confidence: float = Field(ge=0, le=1)
    decision: str = Field(description="ACCEPTED, REVIEW or REJECTED.", examples=["ACCEPTED"])
    source: str = Field(description="The zone: ocr, mrz, barcode or government.", examples=["mrz"])
    document_id: UUID | None
    alternatives: list[str] = Field(examples=[["G0PA900101MDFMRN09"]])


class VerificationAnswer(Shape):
    verification: VerificationShape
    documents: list[DocumentShape]
    extraction: list[ExtractedField]


class ListedVerification(Shape):
    id: UUID
    status: VerificationStatus
    external_id: str | None = Field(examples=["cliente-4711"])
    created_at: Timestamp


class VerificationPage(CursorPage):
    verifications: list[ListedVerification]
    pagination: Pagination


class ChangedVerification(Shape):
    id: UUID
    status: VerificationStatus
    updated_at: Timestamp


class ChangedVerificationAnswer(Shape):
    verification: ChangedVerification
