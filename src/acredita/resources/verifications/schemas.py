from typing import Any, Literal
from uuid import UUID

from pydantic import Field

from acredita.api.pagination import Pagination
from acredita.api.schemas import Body, FreeForm, Shape, Timestamp
from acredita.domain.verification import DocumentRole, StepStatus, StepType, VerificationStatus


class VerificationCreate(Body):
    workflow_id: str = Field(min_length=1, description="An active workflow of the organization.")
    metadata: FreeForm | None = None
    callback_url: str | None = Field(
        None,
        max_length=2048,
        description="An https address that is sent the result, signed with `callbackSecret`.",
        json_schema_extra={"format": "uri"},
    )
    external_id: str | None = Field(None, max_length=255, description="The caller's own id.")


class StatusChange(Body):
    status: Literal["APPROVED", "REJECTED", "MANUAL_REVIEW"]
    notes: str | None = Field(
        None, max_length=2000, description="The reviewer's reasons; kept sealed."
    )


class CreatedVerification(Shape):
    id: UUID
    status: VerificationStatus
    workflow_id: UUID
    external_id: str | None
    metadata: dict[str, Any] | None
    ip_address: str | None
    created_at: Timestamp
    updated_at: Timestamp
    callback_secret: str | None = Field(
        description="Signs the callback. It is shown here and never again."
    )


class CreatedVerificationAnswer(Shape):
    verification: CreatedVerification


class VerificationStepShape(Shape):
    id: UUID
    type: StepType
    status: StepStatus
    requires: list[DocumentRole] = Field(description="Roles still missing for this step.")
    result: dict[str, Any] | None = Field(
        description="What the step found; `code` and `message` when it did not pass."
    )


class VerificationShape(Shape):
    id: UUID
    status: VerificationStatus
    workflow_id: UUID
    steps: list[VerificationStepShape]
    created_at: Timestamp
    updated_at: Timestamp


class DocumentShape(Shape):
    id: UUID
    type: DocumentRole
    mime_type: str
    file_size: int = Field(description="Bytes.")
    created_at: Timestamp
    image_url: str = Field(description="A signed link to the image, valid for 15 minutes.")


class ExtractedField(Shape):
    field: str = Field(examples=["curp"])
    value: str
    confidence: float = Field(ge=0, le=1)
    decision: str = Field(description="ACCEPTED, REVIEW or REJECTED.")
    source: str = Field(description="The zone: ocr, mrz, barcode or government.")
    document_id: UUID | None
    alternatives: list[str]


class VerificationAnswer(Shape):
    verification: VerificationShape
    documents: list[DocumentShape]
    extraction: list[ExtractedField]


class ListedVerification(Shape):
    id: UUID
    status: VerificationStatus
    external_id: str | None
    created_at: Timestamp


class VerificationPage(Shape):
    verifications: list[ListedVerification]
    pagination: Pagination


class ChangedVerification(Shape):
    id: UUID
    status: VerificationStatus
    updated_at: Timestamp


class ChangedVerificationAnswer(Shape):
    verification: ChangedVerification
