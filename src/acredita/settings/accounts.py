"""Registration, and the lifetimes of sessions, tokens and links."""

from pydantic import Field

from acredita.settings.base import SettingsGroup


class AccountSettings(SettingsGroup):
    access_token_lifetime: int = Field(
        3600, ge=60, description="Seconds that an access token is valid (specification: 3600)."
    )
    session_lifetime: int = Field(
        12 * 3600, ge=300, description="Seconds after which a session of a browser ends."
    )
    session_idle_timeout: int = Field(
        1800, ge=120, description="Seconds without use after which a session ends."
    )
    sign_in_recent: int = Field(
        900,
        ge=60,
        description="Seconds after a sign-in in which the user may change second factors.",
    )
    media_link_lifetime: int = Field(
        900, ge=10, description="Seconds that a signed link to a document's image is valid."
    )
    registration: str = Field(
        "open",
        pattern="^(open|closed)$",
        description="open, or closed: only `acredita org create` creates organizations.",
    )
