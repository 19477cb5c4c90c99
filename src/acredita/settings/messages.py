"""E-mail and text messages."""

import re
from pathlib import Path

from pydantic import Field, SecretStr, field_validator

from acredita.settings.base import NONE, CommaSeparated, SettingsGroup

SMS_PROVIDERS = {"twilio", "gateway", "sandbox"}


class MessageSettings(SettingsGroup):
    smtp_url: SecretStr = Field(
        SecretStr(""),
        description=(
            "smtp://user:password@host:587 (STARTTLS) or smtps://. Empty: the mailbox. none: no "
            "e-mail."
        ),
    )
    smtp_ca_file: Path | None = Field(
        None, description="Additional CA certificates (PEM) trusted for the mail server."
    )
    mail_from: str = Field(
        "Acredita <acredita@localhost>", description="Sender of e-mails: Name <address@domain>."
    )
    dev_mailbox: Path | None = Field(
        None,
        description=(
            "Folder for e-mails as JSON files, instead of sending. Empty: DATA_DIR/mailbox."
        ),
    )
    sms_providers: CommaSeparated[str] = Field(
        ("sandbox",),
        description="twilio, gateway, sandbox (the mailbox), tried in this order; or none.",
    )
    sms_timeout: float = Field(
        10.0, gt=0, le=15, description="Seconds for one request to an SMS provider."
    )
    sms_ca_file: Path | None = Field(
        None, description="Additional CA certificates (PEM) trusted for SMS providers."
    )
    sms_countries: CommaSeparated[str] = Field(
        (),
        description=(
            "Countries that may receive messages, such as MX,US. Empty: all (costs differ)."
        ),
    )
    sms_gateway_url: SecretStr = Field(
        SecretStr(""),
        description="SMS gateway URL; {to}, {digits}, {national}, {text} and {key} are replaced.",
    )
    sms_gateway_method: str = Field(
        "POST",
        pattern="^(GET|POST|PUT)$",
        description="HTTP method for the SMS gateway: GET, POST or PUT.",
    )
    sms_gateway_headers: SecretStr = Field(
        SecretStr(""), description="Headers for the SMS gateway: Name: value | Name: value."
    )
    sms_gateway_format: str = Field(
        "json",
        pattern="^(json|form)$",
        description="Format of the SMS gateway's request body: json or form.",
    )
    sms_gateway_body: SecretStr = Field(
        SecretStr(""),
        description=(
            "Body for the SMS gateway, with the same placeholders as the URL. May be empty."
        ),
    )
    sms_gateway_success: str = Field(
        "",
        description="Required in a successful answer: path.to.value=ok|queued. Empty: any 2xx.",
    )
    twilio_account_id: str = Field("", description="Twilio account SID: AC and 32 digits.")
    twilio_key_id: str = Field(
        "",
        description="Twilio API key SID: SK and 32 digits. Empty: TWILIO_SECRET is the auth token.",
    )
    twilio_secret: SecretStr = Field(
        SecretStr(""), description="Secret of the Twilio API key, or the account's auth token."
    )
    twilio_sender: str = Field(
        "", description="Number in E.164 form, sender name, or messaging service SID (MG...)."
    )
    twilio_url: str = Field("https://api.twilio.com", description="Base URL of Twilio's API.")
    otp_daily_limit: int = Field(
        1000,
        ge=1,
        description="One-time passwords that an organization's own systems may send per day (UTC).",
    )
    otp_anonymous_daily_limit: int = Field(
        500,
        ge=1,
        le=5000,
        description=(
            "One-time passwords that anonymous sessions of an organization may send in 24 hours."
        ),
    )
    otp_anonymous_foreign_limit: int = Field(
        50,
        ge=1,
        le=5000,
        description=(
            "Text messages of these that go to one country other than Mexico in 24 hours."
        ),
    )
    otp_anonymous_installation_limit: int = Field(
        1000,
        ge=1,
        le=5000,
        description=(
            "One-time passwords that anonymous sessions of all organizations may send in an hour."
        ),
    )

    @property
    def has_email(self) -> bool:
        return self.smtp_url.get_secret_value() != NONE

    @field_validator("sms_providers")
    @classmethod
    def known_sms_providers(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if value == (NONE,):
            return ()
        if not value or len(set(value)) < len(value) or set(value) - SMS_PROVIDERS:
            raise ValueError("must list twilio, gateway or sandbox, each at most once; or none")
        return value

    @field_validator("sms_countries")
    @classmethod
    def country_codes(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if not all(re.fullmatch("[A-Z]{2}", code) for code in value):
            raise ValueError("must list countries as two capital letters: MX,US")
        return value
