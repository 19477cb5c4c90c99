"""Requests and answers of signed packages (specification, Electronic signature)."""

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
        description="Plain text, Markdown or HTML. Nothing in it is run or fetched.",
        examples=["# Contrato\n\nQue celebran por una parte **Banco Uno** y por la otra…"],
    )
    format: ContentFormat | None = Field(
        None,
        strict=False,
        description="What the content is; without it, what it seems to be.",
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
            "What the signature rests on. id_and_name needs a passed DOCUMENT_OCR step, "
            "face_id_and_name a passed FACE_MATCH step besides, and both that the signer's name "
            "is the one on the document."
        ),
    )
    signer_name: Annotated[str, AfterValidator(_name)] = Field(
        min_length=2,
        max_length=500,
        description="The signer's whole name.",
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
        None, max_length=45, description="The signer's.", examples=["203.0.113.7"]
    )
    user_agent: str | None = Field(
        None, max_length=1024, description="The signer's browser.", examples=["Mozilla/5.0"]
    )


class SignedDocument(Shape):
    title: str = Field(examples=["Contrato de apertura de cuenta"])
    format: ContentFormat = Field(examples=["markdown"])
    characters: int = Field(examples=[18240])
    sha256: str = Field(description="Of the content in UTF-8.", examples=[EXAMPLE_DIGEST])


class DocumentEvidence(Shape):
    step_id: UUID
    passed_at: Timestamp | None
    name: str = Field(
        description="As the document shows it.", examples=["ANA MARIA DE LA CRUZ RUIZ"]
    )


class FaceEvidence(Shape):
    step_id: UUID
    passed_at: Timestamp | None
    similarity: float | None = Field(description="0 to 1.", examples=[0.93])


class Evidence(Shape):
    """What the tier rests on; null what it does not ask for."""

    verification_status: str = Field(
        description="When the signature was asked for.", examples=["APPROVED"]
    )
    document: DocumentEvidence | None
    face: FaceEvidence | None


class Pdf(Shape):
    sha256: str = Field(description="Of the signed file.", examples=[EXAMPLE_DIGEST])
    file_size: int = Field(description="Bytes.", examples=[184320])
    pages: int = Field(examples=[7])
    replaced_characters: int = Field(
        description=(
            "Characters that the typeface has not, and that a replacement stands for on the page. "
            "The exact texts are attached to the PDF."
        ),
        examples=[0],
    )


class Sealing(Shape):
    """The PDF's electronic seal, and the time stamp of it."""

    level: Level
    certificate_subject: str = Field(examples=["Common Name: Firma de Banco Uno"])
    certificate_sha256: str = Field(examples=[EXAMPLE_DIGEST])
    timestamp_authority: str = Field(examples=["Common Name: TSA de un PSC acreditado"])
    timestamped_at: Timestamp
    is_development: bool = Field(
        description="The certificate or the time stamp is of a development authority.",
        examples=[False],
    )


class Conservation(Shape):
    """NOM-151-SCFI-2016: a certificate of conservation by an accredited provider."""

    status: str = Field(
        description=(
            "NONE: no provider is configured, and there is no certificate. PENDING: it is asked "
            "for once the PDF is signed. ISSUED. FAILED: the provider gave none."
        ),
        examples=["NONE"],
    )
    provider: str | None = Field(examples=[None])
    issued_at: Timestamp | None
    token: str | None = Field(
        description="The certificate, DER in base64, over the PDF's SHA-256.", examples=[None]
    )


class SignatureRecord(Shape):
    id: UUID
    verification_id: UUID
    status: PackageStatus = Field(
        description="PENDING: being made. SIGNED: the PDF is there. FAILED: there will be none."
    )
    code: str | None = Field(
        description=(
            "Why it failed: TOO_LONG, TOO_COMPLEX, TIMESTAMP_REFUSED, TIMESTAMP_UNAVAILABLE, "
            "GIVEN_UP. While it is PENDING: what it waits for."
        ),
        examples=[None],
    )
    tier: Tier
    signer_name: str | None = Field(
        description="Null once purged.", examples=["Ana María de la Cruz Ruiz"]
    )
    documents: list[SignedDocument] = Field(description="Empty once purged.")
    has_touch_signature: bool | None
    ip_address: str | None = Field(examples=["203.0.113.7"])
    user_agent: str | None = Field(examples=["Mozilla/5.0"])
    evidence: Evidence | None
    pdf: Pdf | None = Field(description="Once SIGNED.")
    seal: Sealing | None = Field(description="Once SIGNED.")
    conservation: Conservation
    sandbox: bool | None = Field(
        description="A development authority sealed or stamped it; null until then.",
        examples=[False],
    )
    created_at: Timestamp
    signed_at: Timestamp | None
    purged_at: Timestamp | None
