from uuid import UUID

from pydantic import Field

from acredita.api.schemas import Shape, Timestamp


class OrganizationShape(Shape):
    id: UUID = Field(description="Also the client_id of the token exchange.")
    name: str = Field(examples=["Banco Ejemplo"])
    slug: str = Field(examples=["banco-ejemplo"])
    data_retention_days: int = Field(
        ge=30, le=3650, description="Days until files and personal data are purged."
    )
    created_at: Timestamp


class OrganizationAnswer(Shape):
    org: OrganizationShape
