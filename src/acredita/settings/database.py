"""PostgreSQL and Redis."""

import re
from urllib.parse import urlsplit

from pydantic import Field, field_validator

from acredita.kit import database_url
from acredita.settings.base import SettingsGroup

REDIS_PATH = re.compile(r"(?:/[0-9]*)?")


class DatabaseSettings(SettingsGroup):
    database_url: str = Field(
        "",
        description=(
            "postgresql://user:password@host:5432/database; several hosts, target_session_attrs,"
            " sslmode and sslrootcert as in libpq; pgbouncer=true for a pooler in transaction mode."
            " Empty: an embedded server."
        ),
    )
    database_direct_url: str = Field(
        "",
        description=(
            "The database's address without the pooler, for migrations and backups. Empty:"
            " ACREDITA_DATABASE_URL."
        ),
    )
    database_read_url: str = Field(
        "",
        description=(
            "A read replica's address, for lists and counts. They may lag. Empty: the database."
        ),
    )
    database_read_lag: float = Field(
        5.0,
        gt=0,
        description="Seconds that the replica may lag. Beyond, the database itself is read.",
    )
    database_pool_size: int = Field(
        20,
        ge=2,
        description=(
            "Most connections of a process to PostgreSQL. It takes fewer when PostgreSQL and its"
            " other processes need them, and closes those that rest."
        ),
    )
    database_statement_timeout: float = Field(
        10.0, gt=0, description="Seconds after which PostgreSQL cancels a statement."
    )
    embedded_postgres: str = Field(
        "",
        description="host:port of the embedded PostgreSQL. The commands that start it set this.",
    )
    redis_url: str = Field("", description="redis://host:port/0. Empty: an embedded server.")

    @field_validator("redis_url")
    @classmethod
    def numbered_redis(cls, value: str) -> str:
        """The client would take database 0 in place of what is no number.

        A password that is not encoded would end as a port or a fragment, and in the message.
        """
        if not value.startswith(("redis://", "rediss://")):
            return value
        try:
            parts = urlsplit(value)
            is_whole = (parts.port is None or parts.port > 0) and not parts.fragment
        except ValueError:
            is_whole = False
        if not is_whole:
            raise ValueError(
                "must have the form redis://:password@host:6379/0, with other characters than"
                " letters and digits percent-encoded"
            ) from None
        if not REDIS_PATH.fullmatch(parts.path):
            raise ValueError("the database must be a number, as in redis://host:6379/0")
        return value

    @property
    def direct_url(self) -> str:
        return self.database_direct_url or self.database_url

    @field_validator("database_url", "database_direct_url", "database_read_url")
    @classmethod
    def known_database(cls, value: str) -> str:
        return database_url.normalized(value) if value else value
