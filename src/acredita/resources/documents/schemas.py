from uuid import UUID

from pydantic import Field

from acredita.api.schemas import Shape
from acredita.domain.verification import DocumentRole


class UploadedDocument(Shape):
    id: UUID
    type: DocumentRole
    mime_type: str = Field(
        description="The type that the file's bytes indicate.", examples=["image/jpeg"]
    )


class UploadAnswer(Shape):
    uploaded: list[UploadedDocument]
    message: str = Field(examples=["2 files were stored; the checks go on with what has arrived."])
