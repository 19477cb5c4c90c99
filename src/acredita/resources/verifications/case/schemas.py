from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from acredita.api.schemas import Body, Shape, Timestamp
from acredita.domain.verification import DocumentRole, PersonalData, VerificationStatus
from acredita.resources.training.schemas import FieldShape
from acredita.resources.verifications.schemas import VerificationAnswer


class LocatedField(FieldShape):
    """A field of a judged document. Its `sources` say where the pictures show it."""

    document_id: UUID
    role: DocumentRole = Field(description="Of the document.")


class LocatedFields(Shape):
    fields_: list[LocatedField] = Field(alias="fields")


class VerificationLink(Shape):
    """Another verification of the organization with the same identifiers."""

    verification_id: UUID
    status: VerificationStatus
    created_at: Timestamp
    via: list[Literal["CURP", "RFC", "PHONE", "EMAIL", "EXTERNAL_ID"]] = Field(
        description="What both have.", examples=[["CURP", "PHONE"]]
    )


class VerificationLinks(Shape):
    links: list[VerificationLink] = Field(description="Newest first; at most 100.")


class RevealRequest(Body):
    kinds: list[Annotated[PersonalData, Field(strict=False)]] = Field(
        min_length=1,
        max_length=len(PersonalData),
        description="FIELDS: the values, results and metadata. PICTURES: the links to pictures."
        " NOTES: the reviewers' notes, in `notes`.",
        examples=[["FIELDS"]],
    )


class RevealedNote(Shape):
    id: UUID = Field(description="The id of the entry of the history.")
    note: str = Field(examples=["La foto coincide; revisado por videollamada."])


class RevealedVerification(VerificationAnswer):
    notes: list[RevealedNote] = Field(
        default_factory=list,
        description="The reviewers' notes, oldest first; absent if NOTES are not revealed.",
    )
