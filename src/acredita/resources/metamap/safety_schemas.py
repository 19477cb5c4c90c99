"""The schemas of checks outside of any verification: watchlists, PEPs, e-mail and phone."""

from typing import Annotated, Any, Literal

from pydantic import Field

from acredita.api.schemas import Shape
from acredita.resources.metamap.schemas import (
    EXAMPLE,
    CallbackUrl,
    Check,
    LenientBody,
    Metadata,
)

# Forms and some examples of the reference write numbers and truth values as texts.
LooseInteger = Annotated[int, Field(strict=False)]
LooseBoolean = Annotated[bool, Field(strict=False)]


class WatchlistCheck(LenientBody):
    name: str = Field(max_length=500, examples=["Ottoline Fanshawe Dubois"])
    entityType: Literal["person", "company"] = "person"  # noqa: N815
    birthYear: LooseInteger | None = Field(None, examples=[1969])  # noqa: N815
    countryCodes: list[str] | None = Field(None, examples=[["MX"]])  # noqa: N815
    exactMatch: LooseBoolean = Field(False)  # noqa: N815
    fuzzinessThreshold: LooseInteger = Field(  # noqa: N815
        50, ge=0, le=100, description="A whole number, 0 to 100: a lowest score of 1 to 0.5."
    )
    monitor: LooseBoolean = Field(False, description="true is refused.")
    callbackUrl: CallbackUrl = Field(  # noqa: N815
        None, examples=["https://banco.example/listas"]
    )
    metadata: Metadata = Field(None, examples=[{"pedido": "4711"}])


class WatchlistAnswer(Shape):
    data: dict[str, Any] = Field(
        examples=[
            {
                "searchedOn": "2026-01-31 18:05:09",
                "nameSearched": "Ottoline Fanshawe Dubois",
                "profileUrl": f"https://api.example/v1/aml/screenings/{EXAMPLE}",
                "searchId": EXAMPLE,
                "error": None,
            }
        ]
    )
    metadata: dict[str, Any] = Field(
        description="The request's; empty without.", examples=[{"pedido": "4711"}]
    )


class PepCheck(Check):
    fullName: str = Field(max_length=500, examples=["Ottoline Fanshawe Dubois"])  # noqa: N815


class RiskCheck(LenientBody):
    recipient: str = Field(
        max_length=320,
        description="A phone with its country code, or an e-mail address.",
        examples=["525512345678"],
    )
    callbackUrl: CallbackUrl = Field(  # noqa: N815
        None, examples=["https://banco.example/riesgo"]
    )
    metadata: Metadata = Field(None, examples=[{"pedido": "4711"}])


class OwnershipCheck(RiskCheck):
    """A code for a phone or a mailbox. `senderName` and `senderEmail` are ignored: the message
    names the organization, so that nobody sends in another name."""

    locale: str | None = Field(
        None,
        max_length=35,
        description="Language of the message; by default English.",
        examples=["es_MX"],
    )


class CheckAnswer(Shape):
    error: dict[str, Any] | None = Field(
        examples=[
            {"type": "systemError", "code": "system.serviceUnavailable", "message": "Unavailable."}
        ]
    )
    data: dict[str, Any] | None = Field(examples=[{"confirmationCode": "402913"}])
    metadata: dict[str, Any] = Field(
        description="The request's; empty without.", examples=[{"pedido": "4711"}]
    )


class CallbackDetails(LenientBody):
    url: str = Field(max_length=2048, examples=["https://banco.example/pdf"])
    headers: dict[str, str] = Field(
        default_factory=dict,
        description="Sent with the POST. `Host`, lengths and the type of the content are ours.",
        examples=[{"api_key": "abc"}],
    )


class ReportRequest(LenientBody):
    request_id: str = Field(max_length=200, examples=["informe-4711"])
    verification_ids: list[str] = Field(min_length=1, max_length=10, examples=[[EXAMPLE]])
    callback_details: CallbackDetails = Field(description="Where the PDF files are posted.")
    metadata: Metadata = Field(None, examples=[{"pedido": "4711"}])


class ReportAnswer(Shape):
    status: str = Field(
        description="FAILURE if an id is rejected, otherwise SUCCESS.", examples=["SUCCESS"]
    )
    accepted_verification_ids: list[str] = Field(examples=[[EXAMPLE]])
    rejected_verification_ids: list[str] = Field(
        description="Those that do not exist, are not decided, or are deleted.", examples=[[]]
    )
