"""Background jobs, and Inngest, which can start them."""

from pydantic import Field, SecretStr

from acredita.settings.base import SettingsGroup


class JobSettings(SettingsGroup):
    job_lease: float = Field(
        30.0, gt=0, description="Seconds that a worker keeps a job without a heartbeat."
    )
    job_longest_wait: float = Field(
        6.0,
        ge=0,
        description=(
            "Hours that a job waits for a storage, database, registry or mail server that is away,"
            " without spending an attempt."
        ),
    )
    worker_grace: float = Field(
        15.0, gt=0, description="Seconds that a stopping worker waits for running jobs."
    )
    inngest_signing_key: SecretStr = Field(
        SecretStr(""),
        description="Inngest's signing key. Empty: /api/inngest answers 401.",
    )
    inngest_api_url: str = Field(
        "",
        pattern="^(https?://.+)?$",
        description="URL of a self-hosted Inngest API. Empty: Inngest's cloud.",
    )
    inngest_dev: bool = Field(
        False,
        description="Accept Inngest's unsigned development server; only with ENV=development.",
    )
