"""The provider for IP geolocation and its files."""

from pathlib import Path

from pydantic import Field

from acredita.settings.base import CommaSeparated, SettingsGroup


class GeolocationSettings(SettingsGroup):
    geolocation_provider: str = Field(
        "sandbox",
        pattern="^(sandbox|maxmind|none)$",
        description="IP geolocation: sandbox (a small table), maxmind (the files below), or none.",
    )
    geolocation_city_file: Path | None = Field(
        None, description="City database in MaxMind's format (.mmdb)."
    )
    geolocation_asn_file: Path | None = Field(
        None, description="ASN database in MaxMind's format (.mmdb)."
    )
    geolocation_anonymous_ip_file: Path | None = Field(
        None, description="Anonymous-IP database in MaxMind's format (.mmdb)."
    )
    geolocation_vpn_files: CommaSeparated[Path] = Field(
        (), description="Files with VPN networks, one per line; comma-separated paths."
    )
    geolocation_proxy_files: CommaSeparated[Path] = Field(
        (), description="Files with proxy networks, one per line; comma-separated paths."
    )
    geolocation_tor_files: CommaSeparated[Path] = Field(
        (), description="Files with Tor exit nodes, one per line; comma-separated paths."
    )
    geolocation_hosting_files: CommaSeparated[Path] = Field(
        (), description="Files with data centre networks, one per line; comma-separated paths."
    )
    geolocation_check_interval: float = Field(
        30.0, gt=0, description="Seconds between checks for a newer version of these files."
    )
