"""Watchlists: downloads and records."""

import re
from pathlib import Path

from pydantic import Field, field_validator

from acredita.settings.base import CommaSeparated, SettingsGroup


class WatchlistSettings(SettingsGroup):
    aml_refresh: CommaSeparated[str] = Field(
        (),
        description="Watchlists to download daily, comma-separated: ids, or id=https://address.",
    )
    aml_refresh_timeout: float = Field(
        600.0, gt=0, description="Seconds to download one file of a watchlist."
    )
    aml_refresh_limit: int = Field(
        1024, ge=1, description="Maximum size of a watchlist file in MiB."
    )
    aml_ca_file: Path | None = Field(
        None, description="Additional CA certificates (PEM) trusted for watchlist downloads."
    )

    aml_screening_years: int = Field(
        10,
        ge=1,
        le=30,
        description="Calendar years that records of screenings are kept (LFPIORPI: ten).",
    )

    @field_validator("aml_refresh")
    @classmethod
    def known_watchlists(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if not all(re.fullmatch(r"[a-z0-9-]{1,50}(=https?://\S+)?", source) for source in value):
            raise ValueError("must list watchlists as ids, or as id=https://address")
        return value

    @property
    def aml_sources(self) -> dict[str, tuple[str, ...]]:
        """Watchlist id to download URLs, for daily downloads. No URL means the publisher's."""
        sources: dict[str, tuple[str, ...]] = {}
        for source in self.aml_refresh:
            list_id, _, address = source.partition("=")
            sources[list_id] = (*sources.get(list_id, ()), *filter(None, (address,)))
        return sources
