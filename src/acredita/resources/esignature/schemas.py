"""Requests and responses of signed packages (specification, Electronic signature)."""

from typing import Annotated
from uuid import UUID

from pydantic import AfterValidator, Field

from acredita.api.schemas import Body, Shape, Timestamp
from acredita.domain.esignature import PackageStatus, Tier
from acredita.engines.signing.package import ContentFormat, Level

EXAMPLE_DIGEST = "b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c"


def _name(text: str) -> str:
    if not text.isprintable() or not text.strip():
        raise ValueError("is blank, or has control characters")
    return text


class DocumentToSign(Body):
    title: str = Field(min_length=1, max_length=255, examples=["Contrato de apertura de cuenta"])
    content: str = Field(
        min_length=1,
        max_length=500_000,
        description="Plain text, Markdown or HTML. Scripts do not run; URLs are not fetched.",
        examples=["# Contrato\n\nQue celebran por una parte **Banco Uno** y por la otra…"],
    )
    format: ContentFormat | None = Field(
        None,
        strict=False,
        description="The format of the content. Default: detected.",
        examples=["markdown"],
    )


class SignRequest(Body):
    verification_id: str = Field(
        min_length=1,
        max_length=255,
        description="The verification of the person who signs.",
        examples=["3f0c5a52-6c1c-4a3e-9a39-0d6d6a9e8a11"],
    )
    tier: Tier = Field(
        strict=False,
        description=(
            "The required evidence. id_and_name requires a passed DOCUMENT_OCR step; "
            "face_id_and_name also requires a passed FACE_MATCH step. Both require that the "
            "signer's name equals the name on the document."
        ),
    )
    signer_name: Annotated[str, AfterValidator(_name)] = Field(
        min_length=2,
        max_length=500,
        description="The signer's full name.",
        examples=["Ana María de la Cruz Ruiz"],
    )
    documents: list[DocumentToSign] = Field(min_length=1, max_length=5)
    touch_signature: str | None = Field(
        None,
        max_length=2_000_000,
        description="The drawn signature: PNG or JPEG, as a data URL or base64.",
        examples=[None],
    )
    ip_address: str | None = Field(
        None, max_length=45, description="The signer's IP address.", examples=["203.0.113.7"]
    )
    user_agent: str | None = Field(
        None,
        max_length=1024,
        description="The User-Agent of the signer's browser.",
        examples=["Mozilla/5.0"],
    )


class SignedDocument(Shape):
    title: str = Field(examples=["Contrato de apertura de cuenta"])
    format: ContentFormat = Field(examples=["markdown"])
    characters: int = Field(examples=[18240])
    sha256: str = Field(
        description="SHA-256 of the content in UTF-8, hexadecimal.", examples=[EXAMPLE_DIGEST]
    )


class DocumentEvidence(Shape):
    step_id: UUID
    passed_at: Timestamp | None
    name: str = Field(
        description="The name on the document.", examples=["ANA MARIA DE LA CRUZ RUIZ"]
    )


class FaceEvidence(Shape):
    step_id: UUID
    passed_at: Timestamp | None
    similarity: float | None = Field(description="0 to 1.", examples=[0.93])


class Evidence(Shape):
    """The evidence of the tier. A part that the tier does not require is null."""

    verification_status: str = Field(
        description="Status of the verification at the time of the request.", examples=["APPROVED"]
    )
    document: DocumentEvidence | None
    face: FaceEvidence | None


class Pdf(Shape):
    sha256: str = Field(
        description="SHA-256 of the signed file, hexadecimal.", examples=[EXAMPLE_DIGEST]
    )
    file_size: int = Field(description="Size in bytes.", examples=[184320])
    pages: int = Field(examples=[7])
    replaced_characters: int = Field(
        description=(
            "Number of characters that the typefaces lack. A replacement character stands for "
            "each. The exact texts are attached to the PDF."
        ),
        examples=[0],
    )


class Sealing(Shape):
    """The electronic seal of the PDF and its time stamp."""

    level: Level
    certificate_subject: str = Field(examples=["Common Name: Firma de Banco Uno"])
    certificate_sha256: str = Field(examples=[EXAMPLE_DIGEST])
    timestamp_authority: str = Field(examples=["Common Name: TSA de un PSC acreditado"])
    timestamped_at: Timestamp
    is_development: bool = Field(
        description="Whether the certificate or the time stamp is from a development authority.",
        examples=[False],
    )


class Conservation(Shape):
    """NOM-151-SCFI-2016: a certificate of conservation by an accredited provider."""

    status: str = Field(
        description=(
            "NONE: no provider is configured, so there is no certificate. PENDING: it is requested "
            "after the PDF is signed. ISSUED: `token` has it. FAILED: the provider issued none."
        ),
        examples=["NONE"],
    )
    provider: str | None = Field(examples=[None])
    issued_at: Timestamp | None
    token: str | None = Field(
        description="The certificate over the PDF's SHA-256, DER in base64.", examples=[None]
    )


class SignatureRecord(Shape):
    id: UUID
    verification_id: UUID
    status: PackageStatus = Field(
        description=(
            "PENDING: the PDF is being made. SIGNED: the PDF is available. FAILED: there will be "
            "no PDF."
        )
    )
    code: str | None = Field(
        description=(
            "The reason of FAILED: TOO_LONG, TOO_COMPLEX, TIMESTAMP_REFUSED, "
            "TIMESTAMP_UNAVAILABLE, GIVEN_UP. While PENDING: what the package waits for."
        ),
        examples=[None],
    )
    tier: Tier
    signer_name: str | None = Field(
        description="Null after a purge.", examples=["Ana María de la Cruz Ruiz"]
    )
    documents: list[SignedDocument] = Field(description="Empty after a purge.")
    has_touch_signature: bool | None
    ip_address: str | None = Field(examples=["203.0.113.7"])
    user_agent: str | None = Field(examples=["Mozilla/5.0"])
    evidence: Evidence | None
    pdf: Pdf | None = Field(description="Null unless SIGNED.")
    seal: Sealing | None = Field(description="Null unless SIGNED.")
    conservation: Conservation
    sandbox: bool | None = Field(
        description=(
            "Whether a development authority sealed or time-stamped it. Null unless SIGNED."
        ),
        examples=[False],
    )
    created_at: Timestamp
    signed_at: Timestamp | None
    purged_at: Timestamp | None
