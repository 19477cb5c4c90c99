from typing import Annotated
from urllib.parse import urlsplit
from uuid import UUID

from pydantic import AfterValidator, Field, field_validator

from acredita.api.schemas import Body, Shape, Timestamp
from acredita.domain.contact import contact_of
from acredita.domain.languages import PersonLanguage
from acredita.domain.retention import RetentionStart

MOST_ORIGINS = 50
# The law on money laundering is reported to ask for ten years from the end of the relationship.
MOST_YEARS = 30
START_MEANING = (
    "From when a verification's retention counts. RELATIONSHIP_END: from its"
    " `relationshipEndedAt`; as long as that is null, the verification is kept."
)
SECOND_MEANING = (
    "Whether a reviewer's decision takes effect only when another user confirms it. Only an OWNER"
    " can turn it off."
)
FACTOR_MEANING = (
    "Whether users need a second factor to sign in. A user without one sets it up at the next"
    " sign-in. Only an OWNER can turn it off."
)
REVEAL_MEANING = (
    "Whether the fields, pictures and notes of a verification are masked for users until a reviewer"
    " reveals them, which the audit log records. API keys see them always. Only an OWNER can turn"
    " it off."
)
MOST_SLA_HOURS = 24 * 365
SLA_MEANING = (
    "Hours within which a verification in review is to be decided. The review queue shows the"
    " deadline; null: none."
)
LANGUAGE_MEANING = (
    "The language of the capture page for browsers without a known one; null: Spanish in Mexico's"
    " time zones, otherwise English."
)
CONTACT_MEANING = (
    "Where the verified people turn to, shown at the end of the capture page: an https URL, an"
    " e-mail address or a phone number in E.164 format; null: none is shown."
)
LONGEST_CONTACT = 300
LOCAL_HOSTS = {"localhost", "127.0.0.1", "::1"}
_LABEL = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"
ORIGIN_PATTERN = rf"^https://{_LABEL}(\.{_LABEL})*(:[1-9][0-9]{{0,3}})?$"
DEFAULT_PORTS = {"https": 443, "http": 80}


class OrganizationShape(Shape):
    id: UUID = Field(
        description=("The organization's id. Also the `client_id` of the token exchange.")
    )
    name: str = Field(examples=["Banco Ejemplo"])
    slug: str = Field(examples=["banco-ejemplo"])
    data_retention_days: int = Field(
        ge=30, le=3650, description="Days after which files and personal data are purged."
    )
    data_retention_years: int | None = Field(
        ge=1, le=MOST_YEARS, description="Calendar years, which replace the days; null: the days."
    )
    retention_start: RetentionStart = Field(description=START_MEANING)
    requires_second_reviewer: bool = Field(description=SECOND_MEANING)
    second_factor_required: bool = Field(description=FACTOR_MEANING)
    reveals_on_demand: bool = Field(description=REVEAL_MEANING)
    review_sla_hours: int | None = Field(ge=1, le=MOST_SLA_HOURS, description=SLA_MEANING)
    default_language: PersonLanguage | None = Field(description=LANGUAGE_MEANING)
    support_contact: str | None = Field(
        description=CONTACT_MEANING, examples=["https://banco.example/ayuda"]
    )
    created_at: Timestamp


class OrganizationAnswer(Shape):
    org: OrganizationShape


class OrganizationUpdate(Body):
    """An absent field stays unchanged. Those that can be empty may be null."""

    name: str = Field(default_factory=str, min_length=2, max_length=100, examples=["Banco Ejemplo"])
    data_retention_days: int = Field(default_factory=int, ge=30, le=3650)
    data_retention_years: int | None = Field(
        None, ge=1, le=MOST_YEARS, description="Calendar years, which replace the days."
    )
    retention_start: RetentionStart = Field(
        RetentionStart.CREATION,
        strict=False,
        description=START_MEANING,
        examples=["RELATIONSHIP_END"],
    )
    requires_second_reviewer: bool = Field(False, description=SECOND_MEANING)
    second_factor_required: bool = Field(False, description=FACTOR_MEANING)
    reveals_on_demand: bool = Field(False, description=REVEAL_MEANING)
    review_sla_hours: int | None = Field(
        None, ge=1, le=MOST_SLA_HOURS, description=SLA_MEANING, examples=[24]
    )
    default_language: PersonLanguage | None = Field(
        None, strict=False, description=LANGUAGE_MEANING, examples=["es"]
    )
    support_contact: str | None = Field(
        None,
        min_length=3,
        max_length=LONGEST_CONTACT,
        description=CONTACT_MEANING,
        examples=["https://banco.example/ayuda"],
    )

    @field_validator("support_contact")
    @classmethod
    def one_form(cls, value: str | None) -> str | None:
        """Normalize the contact. Raise ValueError if it is none of the three."""
        return value and contact_of(value).text


def _origin(value: str) -> str:
    """Normalize to the form of the Origin header, so that origins can be compared as strings."""
    fault = ValueError("is not an origin such as https://app.banco.example")
    try:
        parts = urlsplit(value)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise fault from None
    literal = f"[{host}]" if ":" in host else host
    origin = f"{parts.scheme}://{literal}"
    if port is not None and port != DEFAULT_PORTS.get(parts.scheme):
        origin += f":{port}"
    is_safe = parts.scheme == "https" or (parts.scheme == "http" and host in LOCAL_HOSTS)
    is_whole = value.lower() in {origin, f"{origin}:{DEFAULT_PORTS.get(parts.scheme)}"}
    if not host or not is_safe or not is_whole or not value.isascii() or set(host) & set("*%_ "):
        raise fault
    return origin


Origin = Annotated[
    str,
    # The pattern documents the format in the OpenAPI document; `_origin` validates.
    Field(max_length=255, json_schema_extra={"pattern": ORIGIN_PATTERN}),
    AfterValidator(_origin),
]


class AllowedOrigins(Shape):
    allowed_origins: list[str] = Field(examples=[["https://app.banco.example"]])


class AllowedOriginsUpdate(Body):
    allowed_origins: list[Origin] = Field(
        max_length=MOST_ORIGINS,
        description="https origins; http only for localhost. The list replaces the former one.",
        examples=[["https://app.banco.example"]],
    )
