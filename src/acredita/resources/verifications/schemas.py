from typing import Any, Literal
from uuid import UUID

from pydantic import ConfigDict, Field

from acredita.api.pagination import CursorPage, Pagination
from acredita.api.schemas import (
    ReasonCodeField,
    Shape,
    StepResult,
    Timestamp,
)
from acredita.api.step_types import KnownStepType
from acredita.domain.audit import Action
from acredita.domain.history import HistoryKind
from acredita.domain.identifiers.formatting import SEX_LETTERS
from acredita.domain.verification import (
    CaptureSource,
    DocumentRole,
    PersonalData,
    StepStatus,
    VerificationStatus,
)
from acredita.models import MediaKind
from acredita.resources.audit.schemas import ActorShape
from acredita.resources.capture_links.schemas import CaptureAnswer, CaptureState

# Which signals of a step's result a response has.
ShownSignals = Literal["raised", "all"]


class CreatedVerification(Shape):
    id: UUID
    status: VerificationStatus
    workflow_id: UUID
    external_id: str | None = Field(examples=["cliente-4711"])
    metadata: dict[str, Any] | None = Field(examples=[{"sucursal": "Centro"}])
    ip_address: str | None = Field(
        description="The caller's address. Null with a link, until the person opens it.",
        examples=["203.0.113.9"],
    )
    created_at: Timestamp
    updated_at: Timestamp
    callback_secret: str | None = Field(
        description="The secret that signs the callback. Only this response contains it.",
        examples=["whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="],
    )
    capture: CaptureAnswer | None = Field(
        description="The person's link, if the request asks for one. Otherwise null."
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
            "The findings of the step. Contains `code` and `message` if the step did not pass. A"
            " list `signals` has the raised ones; with `signals=all` of the request, all."
        ),
        examples=[
            {
                "curp": "GOPA900101MDFMRN09",
                "signals": [
                    {
                        "signal": "glare",
                        "raised": True,
                        "measure": 0.15,
                        "threshold": 0.06,
                        "detail": "data",
                        "box": [0.41, 0.22, 0.63, 0.51],
                        "version": "conditions-2",
                        "documentId": "0b6a4c3e-1f7b-4c55-9a51-2f9b8f0d3a11",
                    }
                ],
            }
        ],
    )


class DecidingPolicy(Shape):
    id: UUID | None = Field(description="Null if the workflow's policy had no published version.")
    version: int | None = Field(examples=[2])
    digest: str | None = Field(
        description="SHA-256 of the rules, in hex.",
        examples=["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"],
    )
    rule: str | None = Field(
        description="The rule that decided; null for `otherwise`.", examples=["Parecido bajo"]
    )
    queue: str | None = Field(description="Who should review it.", examples=["fraude"])
    without_policy: VerificationStatus = Field(
        description="The outcome without a policy.", examples=["APPROVED"]
    )


class DecisionShape(Shape):
    """The last decision of the rules. A reviewer may have decided otherwise since: the history has
    both.
    """

    status: VerificationStatus
    reasons: list[str] = Field(
        description="Each is a type of step, or POLICY, and a reason code.",
        examples=[["POLICY: RISK_ABOVE_LIMIT"]],
    )
    rules: str = Field(description="The version of the rules.", examples=["policy/1"])
    policy: DecidingPolicy | None = Field(description="Null if no policy decided.")


class VerificationShape(Shape):
    id: UUID
    status: VerificationStatus
    workflow_id: UUID
    external_id: str | None = Field(examples=["cliente-4711"])
    metadata: dict[str, Any] | None = Field(examples=[{"sucursal": "Centro"}])
    steps: list[VerificationStepShape]
    decision: DecisionShape | None = Field(
        description=(
            "Null until the rules have decided, and for callers below REVIEWER. The history has all"
            " decisions."
        )
    )
    created_at: Timestamp
    updated_at: Timestamp
    capture: CaptureState | None = Field(
        description="The state of the person's newest link; null if there is none."
    )


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
    source: CaptureSource | None = Field(
        description=(
            "Where the person's browser says that the image comes from: a signal, which a"
            " manipulated browser can forge. Null: it said nothing."
        ),
        examples=["camera"],
    )
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
    value: str = Field(description=SEX_LETTERS, examples=["GOPA900101MDFMRN09"])
    confidence: float = Field(ge=0, le=1)
    decision: str = Field(description="ACCEPTED, REVIEW or REJECTED.", examples=["ACCEPTED"])
    source: str = Field(description="The zone: ocr, mrz, barcode or government.", examples=["mrz"])
    document_id: UUID | None
    alternatives: list[str] = Field(examples=[["G0PA900101MDFMRN09"]])


class VerificationAnswer(Shape):
    verification: VerificationShape
    documents: list[DocumentShape]
    extraction: list[ExtractedField]
    masked: list[PersonalData] = Field(
        default_factory=list, description="What is masked for this user; absent if nothing is."
    )


class ListedVerification(Shape):
    id: UUID
    status: VerificationStatus
    external_id: str | None = Field(examples=["cliente-4711"])
    created_at: Timestamp


def _leave_out_if_exact(schema: dict[str, Any]) -> None:
    schema["required"].remove("totalIsExact")


class SearchPagination(Pagination):
    model_config = ConfigDict(json_schema_extra=_leave_out_if_exact)

    total_is_exact: bool = Field(
        default=True,
        description=(
            "false if a search can have more hits than `total`: it counts a common text only among"
            " the newest 8,000 verifications. Absent otherwise."
        ),
    )


class VerificationPage(CursorPage):
    verifications: list[ListedVerification]
    pagination: SearchPagination


class ChangedVerification(Shape):
    id: UUID
    status: VerificationStatus
    updated_at: Timestamp


class ChangedVerificationAnswer(Shape):
    verification: ChangedVerification


class RetakeAnswer(ChangedVerificationAnswer):
    capture: CaptureAnswer


class RequestedReading(Shape):
    verification_id: UUID
    message: str = Field(examples=["The documents are read again. The history shows the result."])


class Replay(Shape):
    """What the rules decide today on the stored evidence. Nothing is changed."""

    status: VerificationStatus
    reasons: list[str] = Field(examples=[["FACE_MATCH: FACE_UNCERTAIN"]])
    rules: str = Field(description="The version of the rules.", examples=["decision/1"])
    policy: dict[str, Any] | None = Field(
        description="The policy's id, version, SHA-256, rule and queue; null without a policy.",
        examples=[None],
    )
    required_step: KnownStepType | None = Field(
        description="The step that the policy would require first.", examples=[None]
    )
    pictures: list[DocumentRole] = Field(
        description=(
            "The pictures that the policy would ask for again first; `status` is the one if they"
            " cannot be asked for."
        ),
        examples=[[]],
    )
    stored: dict[str, Any] | None = Field(
        description="The decision of the rules at the time; null if only a reviewer decided.",
        examples=[{"status": "APPROVED", "reasons": [], "rules": "decision/1"}],
    )
    is_same: bool = Field(description="Whether status and reasons are those of `stored`.")


class Proposal(Shape):
    id: UUID
    status: Literal["APPROVED", "REJECTED", "MANUAL_REVIEW"]
    reason: ReasonCodeField | None
    proposed_by: UUID = Field(description="The id of the user.")


class ProposedDecision(Shape):
    """The decision waits for a second reviewer; the status is still the former one."""

    verification: ChangedVerification
    proposal: Proposal


class UpdatedVerification(Shape):
    id: UUID
    status: VerificationStatus
    relationship_ended_at: Timestamp | None
    updated_at: Timestamp


class UpdatedVerificationAnswer(Shape):
    verification: UpdatedVerification


class AddedNote(Shape):
    id: UUID = Field(description="The id of the entry of the history.")


class HistoryItem(Shape):
    id: UUID
    kind: str = Field(
        description="A kind of entry, or an action of the audit log about the verification.",
        examples=[*HistoryKind, Action.DOCUMENTS_UPLOADED, Action.RETAKE_ASKED],
    )
    actor: ActorShape
    details: dict[str, Any] = Field(
        description="Ids, codes, statuses and versions; no personal data.",
        examples=[{"previousStatus": "MANUAL_REVIEW", "newStatus": "APPROVED"}],
    )
    note: str | None = Field(
        description="The reviewer's note as it was at the time. Null once the data are purged."
        " `•••` if the organization masks it for this user.",
        examples=["La foto coincide; revisado por videollamada."],
    )
    created_at: Timestamp


class HistoryPage(Shape):
    history: list[HistoryItem]
    pagination: Pagination
