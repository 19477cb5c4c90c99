from typing import Annotated, Literal
from uuid import UUID

import email_validator
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from acredita.api.schemas import Body, Shape, Timestamp
from acredita.domain.roles import Role
from acredita.resources.organizations.schemas import OrganizationShape

# Allow addresses of internal domains (.local, .test ...).
email_validator.SPECIAL_USE_DOMAIN_NAMES.clear()


def valid_email(value: str) -> str:
    """Normalize an e-mail address. Raise ValueError if it is not valid."""
    try:
        checked = email_validator.validate_email(value, check_deliverability=False)
    except email_validator.EmailNotValidError:
        raise ValueError("is not an e-mail address") from None
    email = checked.normalized
    # Except for ASCII, PostgreSQL's lower() depends on its locale: lower-case other letters here.
    return email if email.isascii() else email.lower()


Email = Annotated[
    str,
    Field(max_length=320, json_schema_extra={"format": "email"}, examples=["ana@banco.example"]),
    AfterValidator(valid_email),
]
NewPassword = Annotated[str, Field(min_length=12, max_length=128)]


class NewOrganization(Body):
    org_name: str = Field(min_length=2, max_length=100, examples=["Banco Ejemplo"])
    email: Email


class Registration(NewOrganization):
    password: NewPassword = Field(examples=["correcto caballo bateria grapa"])


class RegisteredOrganization(Shape):
    id: UUID = Field(description="The `client_id` of the token exchange.")
    name: str = Field(examples=["Banco Ejemplo"])
    slug: str = Field(examples=["banco-ejemplo"])


class UserShape(Shape):
    id: UUID
    email: str = Field(examples=["ana@banco.example"])
    role: Role


class RegisteredKey(Shape):
    id: UUID
    name: str = Field(examples=["Default"])
    key: str = Field(
        description="The raw API key. No other response shows it.",
        examples=["ak_4k2m9x7q_8Jt1vQzXw3nRk6LbYc0dHfMgPsUaEoIiTlNeWjCxVbB"],
    )
    prefix: str = Field(examples=["ak_4k2m9x7q"])
    created_at: Timestamp


class RegistrationAnswer(Shape):
    org: RegisteredOrganization
    user: UserShape
    api_key: RegisteredKey


class TokenRequest(BaseModel):
    """RFC 6749, section 4.4. The OAuth names keep their underscores."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, hide_input_in_errors=True)

    grant_type: Literal["client_credentials"]
    client_id: str = Field(
        min_length=1,
        description="The organization's id.",
        examples=["0b6a4c3e-1f7b-4c55-9a51-2f9b8f0d3a11"],
    )
    client_secret: str = Field(
        min_length=1,
        description="A raw API key.",
        examples=["ak_4k2m9x7q_8Jt1vQzXw3nRk6LbYc0dHfMgPsUaEoIiTlNeWjCxVbB"],
    )


class TokenAnswer(BaseModel):
    model_config = ConfigDict(json_schema_serialization_defaults_required=True)

    access_token: str = Field(
        examples=["eyJhbGciOiJIUzI1NiIsImtpZCI6IjEifQ.eyJzdWIiOiIwYjZhIn0.c2lnbmF0dXJl"]
    )
    token_type: Literal["Bearer"] = "Bearer"  # noqa: S105 (the type's name)
    expires_in: int = Field(description="Validity in seconds.", examples=[3600])


class EmailAndPassword(Body):
    # Not validated: a malformed address belongs to no user.
    email: str = Field(max_length=320, examples=["ana@banco.example"])
    password: str = Field(min_length=1, max_length=256, examples=["correcto caballo bateria grapa"])


class Login(EmailAndPassword):
    code: str | None = Field(
        None,
        max_length=64,
        description=(
            "The code of the authenticator app, or a recovery code, for a user with a second"
            " factor."
        ),
        examples=["492039"],
    )


class LoginAnswer(TokenAnswer):
    user: UserShape
    org: OrganizationShape


class ForgottenPassword(Body):
    email: Email


class PasswordReset(Body):
    token: str = Field(
        min_length=32,
        max_length=128,
        description="The token of the mailed link.",
        examples=["kq3mZ0v9Xc7Yw2Lr5Tt8Bn1Hs4Jd6Pf0Ga"],
    )
    password: NewPassword = Field(examples=["correcto caballo bateria grapa"])


class Message(Shape):
    message: str = Field(
        description="Human-readable result.", examples=["The password is set. Sign in with it."]
    )
