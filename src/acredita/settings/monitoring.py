"""Metrics, traces and logs."""

from pydantic import Field, SecretStr

from acredita.settings.base import SettingsGroup


class MonitoringSettings(SettingsGroup):
    metrics_host: str = Field(
        "127.0.0.1", description="Address that METRICS_PORT listens on. Metrics contain no secrets."
    )
    metrics_port: int = Field(
        0,
        ge=0,
        le=65535,
        description="Port of each process for /metrics and /health. 0: none.",
    )
    metrics_token: SecretStr = Field(
        SecretStr(""),
        description="Bearer token for /metrics. If set, the API's port also serves /metrics.",
    )
    otel_exporter_otlp_endpoint: str = Field(
        "",
        pattern="^(https?://.+)?$",
        description="OTLP/HTTP trace collector, such as http://host:4318. Empty: no traces.",
    )
    otel_exporter_otlp_headers: SecretStr = Field(
        SecretStr(""), description="Headers for the trace collector: `name=value`, comma-separated."
    )
    otel_traces_ratio: float = Field(
        1.0, ge=0, le=1, description="Share of requests that are traced, 0 to 1."
    )
    log_level: str = Field(
        "INFO",
        pattern="^(DEBUG|INFO|WARNING|ERROR)$",
        description="Log level: DEBUG, INFO, WARNING or ERROR.",
    )
