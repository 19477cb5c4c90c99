"""Verifications and the browser flow."""

from datetime import timedelta

from pydantic import Field

from acredita.settings.base import SettingsGroup


class VerificationSettings(SettingsGroup):
    verification_ttl: int = Field(
        86_400, ge=1, description="Seconds after which an unfinished verification becomes EXPIRED."
    )
    sdk_require_token: bool = Field(
        False,
        description="Require a session token for the browser flow, besides the verification's id.",
    )
    sdk_streams: int = Field(
        1000,
        ge=1,
        description="Maximum event streams to browsers per API process. An organization gets half.",
    )
    sdk_streams_per_address: int = Field(
        250,
        ge=1,
        description="Maximum event streams per address while half of all are open. People behind "
        "one router share it.",
    )
    privacy_notice_url: str = Field(
        "",
        pattern=r"^(https?://[^\s\"'<>\\]+)?$",
        description="Privacy notice that pages link to. {organization} is replaced by the id.",
    )
    review_lease_minutes: float = Field(
        15.0,
        gt=0,
        le=1440,
        description="Minutes that a reviewer holds a verification of the review queue, or a match "
        "of a watchlist, without acting on it.",
    )
    training_lease_minutes: float = Field(
        15.0, gt=0, le=1440, description="Minutes that a reviewer has to label a document."
    )

    @property
    def review_lease(self) -> timedelta:
        return timedelta(minutes=self.review_lease_minutes)
