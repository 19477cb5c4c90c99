"""PostgreSQL and Redis."""

from pydantic import Field, field_validator

from acredita.kit import database_url
from acredita.settings.base import SettingsGroup


class DatabaseSettings(SettingsGroup):
    database_url: str = Field(
        "",
        description=(
            "postgresql://user:password@host:5432/database; sslmode and sslrootcert as in libpq."
            " Empty: an embedded server."
        ),
    )
    database_pool_size: int = Field(
        20,
        ge=1,
        description="Maximum connections in each of a process's three PostgreSQL pools.",
    )
    database_statement_timeout: float = Field(
        10.0, gt=0, description="Seconds after which PostgreSQL cancels a statement."
    )
    embedded_postgres: str = Field(
        "",
        description="host:port of the embedded PostgreSQL. The commands that start it set this.",
    )
    redis_url: str = Field("", description="redis://host:port/0. Empty: an embedded server.")

    @field_validator("database_url")
    @classmethod
    def known_database(cls, value: str) -> str:
        return database_url.normalized(value) if value else value
