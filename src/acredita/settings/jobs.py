"""Background jobs, and Inngest, which can start them."""

from uuid import UUID

from pydantic import Field, SecretStr, field_validator

from acredita.kit.ids import parse as parse_id
from acredita.settings.base import CommaSeparated, SettingsGroup


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
    job_limit_per_organization: int = Field(
        32,
        ge=0,
        description=(
            "Jobs of an organization that all workers together run at once, of the engines and of"
            " the registries. 0: no limit."
        ),
    )
    job_turns: CommaSeparated[str] = Field(
        (),
        description=(
            "Organizations that get several of their documents checked per turn, comma-separated:"
            " id=number. The others get 1."
        ),
    )
    engine_queue: int = Field(
        2000,
        ge=1,
        description=(
            "Engine jobs of an organization that may wait. Uploads beyond get 429 QUEUE_FULL."
        ),
    )
    engine_queue_of_browsers: int = Field(
        500,
        ge=1,
        description=(
            "Of these, jobs from sessions that browsers opened. Uploads of browsers beyond get 429."
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

    @field_validator("job_turns")
    @classmethod
    def ids_with_numbers(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for each in value:
            organization_id, _, number = each.partition("=")
            if parse_id(organization_id) is None or not number.isdecimal() or int(number) < 1:
                raise ValueError("must be organizations' ids, each with = and a number from 1")
        return value

    @property
    def turns_of_organizations(self) -> dict[UUID, int]:
        pairs = (each.partition("=") for each in self.job_turns)
        return {UUID(organization_id): int(number) for organization_id, _, number in pairs}
