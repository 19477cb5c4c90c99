"""Where the API listens, its public URL, its folder and its rate limits."""

from enum import StrEnum
from ipaddress import IPv4Network, IPv6Network
from pathlib import Path

from pydantic import Field

from acredita.settings.base import CommaSeparated, SettingsGroup

# Requests per second. Rate limits count in microseconds.
FASTEST_RATE = 1_000_000


class Environment(StrEnum):
    DEVELOPMENT = "development"
    TEST = "test"
    PRODUCTION = "production"


class ServerSettings(SettingsGroup):
    env: Environment = Field(
        Environment.DEVELOPMENT,
        description="development, test or production. Production refuses sandbox providers.",
    )
    data_dir: Path = Field(
        Path(".acredita"),
        description="Folder of the embedded servers, local files and the development mailbox.",
    )
    host: str = Field("127.0.0.1", description="Address that the API listens on.")
    port: int = Field(8000, ge=0, le=65535, description="Port that the API listens on.")
    base_url: str = Field(
        "", description="Public URL of the API, used in links. Empty: http://HOST:PORT."
    )
    trusted_proxies: CommaSeparated[IPv4Network | IPv6Network] = Field(
        (),
        description=(
            "Networks whose X-Forwarded-For is trusted, such as 10.0.0.0/8, comma-separated. Empty:"
            " none."
        ),
    )
    inspection_url: str = Field(
        "",
        pattern="^(https?://.+)?$",
        description="Where workers decode uploads for the API, such as http://workers:8070. Empty: "
        "processes of the API's own machine.",
    )
    inspection_port: int = Field(
        0,
        ge=0,
        le=65535,
        description="Port on which a worker decodes uploads for the API. 0: none.",
    )
    inspection_host: str = Field("127.0.0.1", description="Address that INSPECTION_PORT is on.")
    org_rate_limit: int = Field(
        10,
        ge=1,
        le=FASTEST_RATE,
        description="Requests per second of an organization; see `acredita org set-rate`.",
    )
    org_rate_burst: int = Field(
        20, ge=1, le=FASTEST_RATE, description="Requests that an organization may send at once."
    )
    ip_rate_limit: int = Field(
        20,
        ge=1,
        le=FASTEST_RATE,
        description="Unauthenticated requests per second from one address.",
    )
    ip_rate_burst: int = Field(
        100,
        ge=1,
        le=FASTEST_RATE,
        description="Unauthenticated requests that one address may send at once.",
    )
    allow_sandbox_providers: bool = Field(
        False, description="Allow production to start with sandbox providers."
    )

    @property
    def public_url(self) -> str:
        return self.base_url.rstrip("/") or f"http://{self.host}:{self.port}"
