"""The schemas of the compatible API. Unknown keys are ignored, not rejected."""

from typing import Annotated, Any, Literal

from pydantic import (
    AliasChoices,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    WithJsonSchema,
)

from acredita.api.schemas import Body, FreeForm, Shape, Timestamp
from acredita.domain import strict_json
from acredita.domain.errors import ValidationFailed
from acredita.resources.capture_links.schemas import CaptureAnswer, CaptureWrite
from acredita.resources.sdk.schemas import ConsentWrite, SessionAnswer

EXAMPLE = "0b6a4c3e1f7b4c559a512f9b"
ID = Field(description="24 hexadecimal digits, or the id as in /v1.", examples=[EXAMPLE])


class LenientBody(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True, frozen=True, hide_input_in_errors=True)


def _parse(given: Any) -> Any:
    if not isinstance(given, str):
        return given
    try:
        return strict_json.parse(given.encode()) if given.strip() else None
    except ValidationFailed:
        raise ValueError("is not an object, nor one as a JSON text") from None


# With its additional properties, generators of Java write a union that does not compile.
_Described = Annotated[FreeForm, WithJsonSchema({"type": "object"})]
# The other API's reference has a text, its examples have an object.
Metadata = Annotated[
    FreeForm | None,
    BeforeValidator(_parse, json_schema_input_type=_Described | str | None),
    Field(description="Free-form key-value pairs, at most 16 KiB; an object, or its JSON text."),
]

CallbackUrl = Annotated[
    str | None,
    Field(
        # The reference has both spellings, and different ones for one check.
        validation_alias=AliasChoices("callbackUrl", "callbackURL"),
        max_length=2048,
        description="An https URL that also receives the answer, as a POST.",
    ),
]


class TokenForm(LenientBody):
    """A token request, from its form and its Authorization header."""

    grant_type: str = Field("", examples=["client_credentials"])
    client_id: str = Field("", examples=[EXAMPLE])
    client_secret: str = Field(
        "", examples=["ak_4k2m9x7q_8Jt1vQzXw3nRk6LbYc0dHfMgPsUaEoIiTlNeWjCxVbB"]
    )
    scope: str = Field("", examples=["verification_flow"])


class TokenUser(Shape):
    id: str = Field(alias="_id", description="The organization's id.", examples=[EXAMPLE])


class TokenPayload(Shape):
    user: TokenUser


class MetamapToken(BaseModel):
    model_config = ConfigDict(json_schema_serialization_defaults_required=True)

    access_token: str = Field(
        examples=["eyJhbGciOiJIUzI1NiIsImtpZCI6IjEifQ.eyJzdWIiOiIwYjZhIn0.c2lnbmF0dXJl"]
    )
    expiresIn: int = Field(description="Validity of the token in seconds.", examples=[3600])  # noqa: N815
    payload: TokenPayload


class MetamapScopedToken(BaseModel):
    model_config = ConfigDict(json_schema_serialization_defaults_required=True)

    access_token: str = Field(
        examples=["eyJhbGciOiJIUzI1NiIsImtpZCI6IjEifQ.eyJzdWIiOiIwYjZhIn0.c2lnbmF0dXJl"]
    )
    expires_in: int = Field(description="Validity of the token in seconds.", examples=[3600])
    scope: str = Field(examples=["verification_flow"])
    token_type: Literal["bearer"] = "bearer"  # noqa: S105 (the type's name)


# Not part of MetaMap's API.
GivenCapture = Annotated[
    CaptureWrite | None,
    Field(description="Makes a link for the person, as in POST /v1/verifications."),
]
AnsweredCapture = Annotated[
    CaptureAnswer | None,
    Field(description="The person's link. Absent, unless the request asks for one."),
]
# Clients that make an object of each answer refuse a field that MetaMap does not have.
MAY_LACK_A_LINK = ConfigDict(json_schema_serialization_defaults_required=False)


class Start(LenientBody):
    flowId: str = Field(  # noqa: N815
        validation_alias=AliasChoices("flowId", "metamap_id"),
        description=(
            "24 hexadecimal digits, or the id as in /v1. `metamap_id` is another name of it."
        ),
        examples=[EXAMPLE],
    )
    metadata: Metadata = Field(None, examples=[{"email": "ana@banco.example"}])
    identityId: str | None = Field(  # noqa: N815
        None, description="The id of a person who is verified again.", examples=[EXAMPLE]
    )
    capture: GivenCapture = None


class StartIdentity(LenientBody):
    flowId: str | None = Field(  # noqa: N815
        None,
        validation_alias=AliasChoices("flowId", "metamap_id"),
        description=(
            "Default: the organization's chosen workflow, or its oldest active one. `metamap_id` is"
            " another name of it."
        ),
        examples=[EXAMPLE],
    )
    metadata: Metadata = Field(None, examples=[{"email": "ana@banco.example"}])
    capture: GivenCapture = None


class Identity(Shape):
    id: str = Field(alias="_id", examples=[EXAMPLE])
    alive: bool | None = Field(
        description="Whether the liveness step of the newest verification passed. Null: unknown."
    )
    date_created: Timestamp
    date_updated: Timestamp
    metadata: dict[str, Any] = Field(examples=[{"email": "ana@banco.example"}])
    status: str = Field(
        description="The status of the newest verification, or deleted.", examples=["pending"]
    )
    user: str = Field(description="The organization's id.", examples=[EXAMPLE])


class StartedIdentity(Identity):
    model_config = MAY_LACK_A_LINK

    capture: AnsweredCapture = None


class ButtonSession(LenientBody):
    """The data that the button in the browser sends. `identityId` is ignored, because a browser
    cannot prove it."""

    clientId: Annotated[str, ID]  # noqa: N815
    flowId: str | None = Field(  # noqa: N815
        None,
        description=(
            "Default, also for an empty one: the organization's chosen workflow, or its oldest"
            " active one."
        ),
        examples=[EXAMPLE],
    )
    metadata: Metadata = Field(None, examples=[{"sucursal": "Centro"}])
    consent: ConsentWrite | None = Field(None, description="The same as in POST /v1/sdk/session.")


class MetamapSessionAnswer(SessionAnswer):
    identity_id: str = Field(examples=[EXAMPLE])


class NewAlias(Body):
    alias: str = Field(
        pattern="^[0-9a-f]{24}$", description="24 hexadecimal digits.", examples=[EXAMPLE]
    )


class Aliases(Shape):
    aliases: list[str] = Field(
        description="Those that were added, newest first, then the workflow's own.",
        examples=[[EXAMPLE]],
    )


class DefaultFlow(Body):
    is_default: bool = Field(
        description="Whether compatible calls without a `flowId` use this workflow.",
        examples=[True],
    )


class DefaultFlowShape(Shape):
    is_default: bool = Field(examples=[True])


class FlowShape(Shape):
    id: str = Field(examples=[EXAMPLE])
    name: str = Field(examples=["Alta de cuenta"])


class DeviceShape(Shape):
    ua: str | None = Field(
        description=("The User-Agent of the client that started the verification."),
        examples=["okhttp/4.12.0"],
    )
    ip: str | None = Field(examples=["203.0.113.9"])
    vpn_detection_enabled: bool


class StartedMetamapVerification(Shape):
    model_config = MAY_LACK_A_LINK

    id: str = Field(examples=[EXAMPLE])
    identity: str = Field(description="The identity to send inputs for.", examples=[EXAMPLE])
    flow: FlowShape
    documents: list[dict[str, Any]] = Field(examples=[[]])
    expired: bool
    inputs: list[dict[str, Any]] = Field(examples=[[{"id": "selfie-photo", "status": 0}]])
    steps: list[dict[str, Any]] = Field(examples=[[{"id": "document", "status": 0}]])
    metadata: dict[str, Any] = Field(examples=[{"email": "ana@banco.example"}])
    device_fingerprint: DeviceShape
    has_problem: bool
    capture: AnsweredCapture = None


class IdentityStatus(Shape):
    id: str = Field(examples=[EXAMPLE])
    status: str = Field(
        description="pending, running, verified, rejected, reviewNeeded, or deleted.",
        examples=["verified"],
    )


class MetamapStep(Shape):
    status: int = Field(
        description="0: waiting. 100: running. 200: complete; it failed if it has an error.",
        examples=[200],
    )
    id: str = Field(examples=["document-reading"])
    data: dict[str, Any] | None = Field(examples=[{"curp": {"value": "GOPA900101MDFMRN09"}}])
    error: dict[str, Any] | None = Field(
        examples=[{"type": "StepError", "code": "curp.invalid", "message": "Unknown CURP."}]
    )


class MetamapDocument(Shape):
    country: str = Field(examples=["MX"])
    region: str = Field(description="Always empty.", examples=[""])
    type: str = Field(
        description="national-id, driving-license, or passport.", examples=["national-id"]
    )
    steps: list[MetamapStep]
    fields: dict[str, Any] = Field(examples=[{"fullName": {"value": "ANA PAZ", "label": "Name"}}])
    photos: list[str] = Field(
        description="Signed links to the images. They expire; then they require the bearer token.",
        examples=[["https://api.example/v1/metamap/file?location=0b6a4c3e&key=1790000000.c2ln"]],
    )


class MetamapVerification(Shape):
    id: str = Field(examples=[EXAMPLE])
    expired: bool
    identity: IdentityStatus
    flow: FlowShape
    steps: list[MetamapStep]
    documents: list[MetamapDocument]
    inputs: list[dict[str, Any]] = Field(examples=[[{"id": "selfie-photo", "status": 200}]])
    has_problem: bool
    computed: dict[str, Any] = Field(
        examples=[{"age": {"data": 33}, "isDocumentExpired": {"data": {"national-id": False}}}]
    )
    metadata: dict[str, Any] = Field(examples=[{"email": "ana@banco.example"}])
    device_fingerprint: DeviceShape


class TakenInput(Shape):
    data: dict[str, Any] = Field(
        examples=[{"inputType": "selfie-photo", "type": "selfie-photo", "filename": "selfie.jpg"}]
    )
    result: bool


class RefusedInput(Shape):
    data: dict[str, Any] = Field(
        examples=[{"inputType": "selfie-photo", "type": "selfie-photo", "filename": "selfie.jpg"}]
    )
    error: dict[str, Any] = Field(
        examples=[{"type": "ValidationError", "code": "selfiePhoto.unreadable"}]
    )


class Movement(LenientBody):
    status: str = Field(description="verified, rejected, or reviewNeeded.", examples=["verified"])


class Empty(BaseModel):
    """The request succeeded. The response has no content."""


class GovernmentAnswer(Shape):
    status: int = Field(description="200: the check is complete.", examples=[200])
    timestamp: Timestamp
    id: str = Field(examples=["mexican-curp-validation"])
    error: dict[str, Any] | None = Field(
        examples=[{"type": "govCheckError", "code": "curp.invalid", "message": "Unknown CURP."}]
    )
    data: dict[str, Any] | None = Field(examples=[{"curp": "GOPA900101MDFMRN09"}])


class Check(LenientBody):
    """A query to a registry, optionally with a callback URL."""

    metadata: Metadata = Field(
        None,
        description="Returned with the answer that is sent to the callback URL.",
        examples=[{"pedido": "4711"}],
    )
    callbackUrl: CallbackUrl = Field(  # noqa: N815
        None, examples=["https://banco.example/curp"]
    )
    webhookUrl: str | None = Field(  # noqa: N815
        None,
        max_length=2048,
        description="Another name of `callbackUrl`, as is `callbackURL`.",
        examples=["https://banco.example/ine"],
    )


class CurpCheck(Check):
    curp: str = Field(max_length=40, examples=["GOPA900101MDFMRN09"])


class IneCheck(Check):
    documentNumber: str = Field(  # noqa: N815
        "", max_length=40, description="The CIC.", examples=["123456789"]
    )
    ocrNumber: str = Field("", max_length=40, examples=["4921087654321"])  # noqa: N815
    cde: str = Field(
        "", max_length=40, description="Clave de elector.", examples=["GRLPMR90021409M700"]
    )
    ne: str = Field("", max_length=40, description="Número de emisión.", examples=["01"])


class RfcCheck(Check):
    rfc: str = Field(max_length=40, examples=["GOPA900101AB1"])
