"""Refuses sandbox providers in production, and settings that an option needs but that are empty."""

from collections.abc import Iterator, Mapping

from pydantic import SecretStr

from acredita.kit import tracing
from acredita.settings import NONE, Environment, Settings
from acredita.settings_check.faults import Fault, variable

ALLOW = "ACREDITA_ALLOW_SANDBOX_PROVIDERS=true"
# (Setting, option) → the settings that the option needs.
NEEDED: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("government_provider", "bridge"): ("government_bridge_url", "government_bridge_token"),
    ("credit_provider", "circulo"): (
        "circulo_api_key",
        "circulo_username",
        "circulo_password",
        "circulo_key_file",
        "circulo_certificate_file",
    ),
    ("sms_providers", "twilio"): ("twilio_account_id", "twilio_secret", "twilio_sender"),
    ("sms_providers", "gateway"): ("sms_gateway_url",),
    ("conservation_provider", "rfc3161"): ("conservation_url", "conservation_trusted"),
}
# (Setting, option) → settings that only this option uses, besides those that it needs.
USED: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("government_provider", "bridge"): ("government_bridge_ca_file", "government_timeout"),
    ("credit_provider", "circulo"): ("circulo_url", "circulo_key_password", "circulo_ca_file"),
    ("sms_providers", "twilio"): ("twilio_key_id", "twilio_url"),
    ("sms_providers", "gateway"): (
        "sms_gateway_method",
        "sms_gateway_headers",
        "sms_gateway_format",
        "sms_gateway_body",
        "sms_gateway_success",
    ),
    ("conservation_provider", "rfc3161"): ("conservation_username", "conservation_password"),
    ("geolocation_provider", "maxmind"): (
        "geolocation_city_file",
        "geolocation_asn_file",
        "geolocation_anonymous_ip_file",
        "geolocation_vpn_files",
        "geolocation_proxy_files",
        "geolocation_tor_files",
        "geolocation_hosting_files",
    ),
}
# Setting → settings that have an effect only beside it.
DEPENDENT: Mapping[str, tuple[str, ...]] = {
    "database_read_url": ("database_read_lag",),
    "smtp_url": ("smtp_ca_file",),
    "esignature_certificate": ("esignature_key", "esignature_key_password"),
    "esignature_tsa_url": (
        "esignature_tsa_username",
        "esignature_tsa_password",
        "esignature_tsa_ca_file",
    ),
    "aml_refresh": ("aml_refresh_timeout", "aml_refresh_limit", "aml_ca_file"),
    "inspection_port": ("inspection_host",),
    "metrics_port": ("metrics_host",),
}
OF_TRACES = ("otel_exporter_otlp_headers", "otel_traces_ratio")
IN_A_BUCKET = ("storage_access_key_id", "storage_secret_access_key", "storage_ca_file")


def check(settings: Settings) -> Iterator[Fault]:
    """Check that providers are chosen and complete."""
    if settings.env is Environment.PRODUCTION:
        yield from _missing_servers(settings)
        if not settings.allow_sandbox_providers:
            yield from _sandboxes(settings)
    for (setting, option), needed in NEEDED.items():
        if _chosen(settings, setting, option):
            yield from (
                Fault(
                    variable(name),
                    f"is missing, and {variable(setting)}={option} needs it. Set it, or choose"
                    f" {NONE}. It is: {Settings.model_fields[name].description}",
                )
                for name in needed
                if not is_set(settings, name)
            )
    yield from _half_signing(settings)
    yield from _half_credentials(settings)


def _half_credentials(settings: Settings) -> Iterator[Fault]:
    """Refuse half of the S3 credentials: every request would be refused."""
    names = ("storage_access_key_id", "storage_secret_access_key")
    given = [name for name in names if is_set(settings, name)]
    if len(given) == 1:
        [missing] = set(names) - set(given)
        yield Fault(
            variable(missing),
            f"is missing, and {variable(given[0])} is set. Set both, or neither.",
        )


def _missing_servers(settings: Settings) -> Iterator[Fault]:
    examples = {
        "database_url": "postgresql://user:password@host:5432/database",
        "redis_url": "redis://:password@host:6379/0",
    }
    for name, example in examples.items():
        if not getattr(settings, name):
            yield Fault(
                variable(name), f"is missing. Production starts no servers: set it to {example}."
            )


def _sandboxes(settings: Settings) -> Iterator[Fault]:
    for name, real in (
        ("government_provider", "bridge"),
        ("credit_provider", "circulo"),
        ("geolocation_provider", "maxmind"),
    ):
        if getattr(settings, name) == "sandbox":
            yield Fault(
                variable(name),
                "is the sandbox, which answers with invented data. Set it to"
                f" {real} or {NONE}, or set {ALLOW}.",
            )
    if "sandbox" in settings.sms_providers:
        yield Fault(
            variable("sms_providers"),
            "includes the sandbox, which writes messages to a folder. Set it to twilio, gateway or"
            f" {NONE}, or set {ALLOW}.",
        )
    if not settings.smtp_url.get_secret_value():
        yield Fault(
            variable("smtp_url"),
            "is missing, so e-mails would be written to a folder. Set it to"
            f" smtp://user:password@host:587 or {NONE}, or set {ALLOW}.",
        )
    for name, real in (
        ("esignature_certificate", "a file"),
        ("esignature_tsa_url", "an https address"),
    ):
        if not getattr(settings, name):
            yield Fault(
                variable(name),
                "is missing, so signatures would be without value. Set it to"
                f" {real} or {NONE}, or set {ALLOW}.",
            )


def _half_signing(settings: Settings) -> Iterator[Fault]:
    """Refuse one half of e-signatures without the other: the operator believes that they work."""
    off = {
        "esignature_certificate": str(settings.esignature_certificate) == NONE,
        "esignature_tsa_url": settings.esignature_tsa_url == NONE,
    }
    if len(set(off.values())) == 1:
        return
    [name] = [name for name, is_off in off.items() if is_off]
    [other] = off.keys() - {name}
    if is_set(settings, other):
        yield Fault(
            variable(name),
            f"is {NONE}, which turns e-signatures off, but {variable(other)} is set. Set both, or"
            f" set both to {NONE}.",
        )


def unused(settings: Settings) -> Iterator[Fault]:
    """Return the changed settings without effect: what they belong to is not chosen or not set."""
    for reason, names in _idle(settings):
        for name in names:
            if getattr(settings, name) != Settings.model_fields[name].default:
                yield Fault(variable(name), f"has no effect: {reason}.")


def _idle(settings: Settings) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Return why settings have no effect, with their names."""
    for (setting, option), names in (*NEEDED.items(), *USED.items()):
        if not _chosen(settings, setting, option):
            yield f"{variable(setting)} does not include {option}", names
    for setting, names in DEPENDENT.items():
        if not is_set(settings, setting):
            yield f"{variable(setting)} is not set", names
        elif _chosen(settings, setting, NONE):
            yield f"{variable(setting)} is {NONE}", names
    if not (settings.otel_exporter_otlp_endpoint or tracing.environment_names_endpoint()):
        yield f"{variable('otel_exporter_otlp_endpoint')} is not set", OF_TRACES
    if not settings.storage_url.startswith("s3://"):
        reason = f"{variable('storage_url')} is no s3:// address, so files are in a folder"
        yield reason, IN_A_BUCKET


def _chosen(settings: Settings, setting: str, option: str) -> bool:
    value = _plain(settings, setting)
    return option in value if isinstance(value, tuple) else str(value) == option


def is_set(settings: Settings, name: str) -> bool:
    """Whether a setting has a value."""
    return bool(_plain(settings, name))


def _plain(settings: Settings, name: str) -> object:
    value = getattr(settings, name)
    return value.get_secret_value() if isinstance(value, SecretStr) else value
