"""Deliveries to webhook endpoints."""

from pathlib import Path

from pydantic import Field, field_validator

from acredita.settings.base import CommaSeparated, SettingsGroup

MOST_WORKERS = 16


class WebhookSettings(SettingsGroup):
    webhook_allow_private: bool = Field(
        False,
        description="Allow http and private addresses as webhook targets (development, tests).",
    )
    webhook_ca_file: Path | None = Field(
        None, description="Additional CA certificates (PEM) trusted for webhook targets (tests)."
    )
    webhook_retry_delays: CommaSeparated[float] = Field(
        (10, 60, 300, 1800),
        description="Seconds before delivery attempts 2 to 5, comma-separated.",
    )
    webhook_timeout: float = Field(
        10.0,
        gt=0,
        le=30,
        description="Seconds for one delivery attempt, from DNS to the end of the answer.",
    )
    webhook_concurrency: int = Field(
        8, ge=1, le=64, description="Concurrent requests to one webhook endpoint."
    )
    webhook_workers: int = Field(
        1,
        ge=1,
        le=MOST_WORKERS,
        description=(
            "Workers that serve one webhook endpoint at once while it answers faster than one of"
            " them sends. Together they keep to the concurrent requests above."
        ),
    )
    webhook_log_days: int = Field(
        90,
        ge=30,
        description=(
            "Days after which events and their deliveries are dropped, by whole months. The"
            " retention period of an organization may delete them earlier."
        ),
    )
    webhook_resolver: Path | None = Field(
        None, description="File with host names and addresses that replaces DNS (tests)."
    )

    @field_validator("webhook_retry_delays")
    @classmethod
    def four_delays(cls, value: tuple[float, ...]) -> tuple[float, ...]:
        if len(value) != 4 or any(delay < 0 for delay in value):
            raise ValueError("must be four delays of zero or more seconds")
        return value
