"""What callers ask of verifications. What they get is in `schemas`."""

from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from acredita.api.schemas import (
    Body,
    ClientTime,
    FreeForm,
    ReasonCodeField,
)
from acredita.domain.phone_and_email import Channel
from acredita.domain.reasons import REASONS, PolicyReason, ReviewerReason
from acredita.domain.verification import (
    DocumentRole,
    VerificationStatus,
)
from acredita.resources.capture_links.schemas import CaptureWrite

# Two to three text messages with the link.
LONGEST_NOTE_BY_SMS = 200


def _known(code: str) -> str:
    if code not in REASONS:
        raise ValueError("is not a reason code: see docs/reference/reasons.md")
    return code


KnownReason = Annotated[ReasonCodeField, AfterValidator(_known)]


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
    capture: CaptureWrite | None = Field(
        None,
        description=(
            "Makes a link with which the person goes through the verification in a browser, on"
            " any device: see `capture` of the response. Null: no link."
        ),
    )


class StatusChange(Body):
    status: Literal["APPROVED", "REJECTED", "MANUAL_REVIEW"]
    notes: str | None = Field(
        None,
        max_length=2000,
        description="The reviewer's reasons. Stored encrypted.",
        examples=["La foto coincide; revisado por videollamada."],
    )
    expected_status: VerificationStatus | None = Field(
        None,
        strict=False,
        description=(
            "The status that the reviewer has read. With another one by now, the answer is 409"
            " STATUS_CHANGED, so that nobody replaces a decision without having seen it."
        ),
        examples=["MANUAL_REVIEW"],
    )
    reason: KnownReason | None = Field(
        None,
        description=(
            "The code of the reason, optional: one that docs/reference/reasons.md gives for"
            " `status`. A step's code is a reason to reject or to review."
        ),
        examples=["IDENTITY_CONFIRMED_IN_PERSON"],
    )

    @model_validator(mode="after")
    def reason_fits_the_status(self) -> Self:
        status = VerificationStatus(self.status)
        if self.reason is None or status in REASONS[self.reason].outcomes:
            return self
        own = [
            code
            for family in (ReviewerReason, PolicyReason)
            for code in family
            if status in code.outcomes
        ]
        others = "" if status is VerificationStatus.APPROVED else ", or a step's code"
        raise ValueError(
            f"{self.reason} is no reason for {status}: expected {', '.join(own)}{others}"
        )


class VerificationUpdate(Body):
    """An absent field stays unchanged."""

    relationship_ended_at: ClientTime | None = Field(
        None,
        description=(
            "When the relationship with the person ended. The retention period counts from it"
            " where the organization's `retentionStart` is RELATIONSHIP_END. Null clears it."
        ),
        examples=["2026-01-31T06:00:00.000Z"],
    )


class RetakeSending(Body):
    channel: Channel = Field(
        strict=False,
        description=(
            "By which the message goes: to the `email` or the `phone` of the verification's"
            " `metadata`."
        ),
        examples=["email"],
    )


class RetakeRequest(Body):
    """Which pictures the person takes again."""

    pictures: list[Annotated[DocumentRole, Field(strict=False)]] = Field(
        min_length=1,
        max_length=len(DocumentRole),
        description=(
            "Their roles. A step that needs both sides of a card asks for both; a person who sent a"
            " passport in place of a card is asked for the passport."
        ),
        examples=[["front", "back"]],
    )
    message: str | None = Field(
        None,
        min_length=1,
        max_length=2000,
        description="What you write to the person. Stored encrypted in the history.",
        examples=["La foto del frente está borrosa. Por favor, tómala de nuevo con luz."],
    )
    send: RetakeSending | None = Field(
        None,
        description=(
            "Sends the message and the link to the person, in `capture.language` or in Spanish."
            f" A message by `sms` has at most {LONGEST_NOTE_BY_SMS} characters. Null: you send"
            " them."
        ),
    )
    capture: CaptureWrite = Field(
        default_factory=CaptureWrite, description="The link for the person.", examples=[{}]
    )


class NoteCreate(Body):
    note: str = Field(
        min_length=1,
        max_length=2000,
        description="Stored encrypted, and never changed.",
        examples=["Llamé a la persona; manda su comprobante mañana."],
    )


class SecondReview(Body):
    # Another proposal may have replaced the one that the second reviewer saw.
    proposal: str = Field(
        max_length=36,
        description="The id of the proposal that you saw.",
        examples=["018f2b6e-4c0d-7a3b-9e5f-1a2b3c4d5e6f"],
    )
    notes: str | None = Field(
        None,
        max_length=2000,
        description="The second reviewer's reasons. Stored encrypted.",
        examples=["De acuerdo: la foto coincide."],
    )


class ReplayRequest(Body):
    policy_id: str | None = Field(
        None,
        description="A policy to try. Null: what decides the workflow's verifications today.",
        examples=["0b6a4c3e-1f7b-4c55-9a51-2f9b8f0d3a11"],
    )
    version: int | None = Field(
        None,
        ge=1,
        le=2**31 - 1,
        description="Its version, also a draft. Null: the newest.",
        examples=[2],
    )
