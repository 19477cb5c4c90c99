"""The provider for government registries."""

from pathlib import Path

from pydantic import Field, SecretStr

from acredita.settings.base import NONE, SettingsGroup


class GovernmentSettings(SettingsGroup):
    government_provider: str = Field(
        "sandbox",
        pattern="^(sandbox|bridge|none)$",
        description="Government registries: sandbox, bridge (HTTP), or none.",
    )
    government_bridge_url: str = Field("", description="Base URL of the government bridge.")
    government_bridge_token: SecretStr = Field(
        SecretStr(""), description="Bearer token for the government bridge."
    )
    government_bridge_ca_file: Path | None = Field(
        None, description="Additional CA certificates (PEM) trusted for the government bridge."
    )
    government_timeout: float = Field(
        20.0, gt=0, description="Seconds for one request to the government bridge."
    )

    @property
    def has_registries(self) -> bool:
        return self.government_provider != NONE
