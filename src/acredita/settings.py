"""All settings, read from the environment (prefix ACREDITA_) and from `.env`."""

import re
from enum import StrEnum
from ipaddress import IPv4Network, IPv6Network
from pathlib import Path
from typing import Annotated

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from acredita.kit import database_url
from acredita.kit.storage.s3_address import S3Address

DEVELOPMENT_SECRET = "development-only-secret-key-development-only"  # noqa: S105 (refused where others can reach it)
DEVELOPMENT_ENCRYPTION_KEY = "dev:" + "ZGV2ZWxvcG1lbnQtb25seS1lbmNyeXB0aW9uLWtleSE="
SHORTEST_SECRET = 32
# The value of a provider's setting that turns its feature off.
NONE = "none"
# Requests per second. Rate limits count in microseconds.
FASTEST_RATE = 1_000_000
SMS_PROVIDERS = {"twilio", "gateway", "sandbox"}


class Environment(StrEnum):
    DEVELOPMENT = "development"
    TEST = "test"
    PRODUCTION = "production"


class Settings(BaseSettings):
    model_config = SettingsConfigDict(
        env_prefix="ACREDITA_",
        env_file=".env",
        extra="ignore",
        frozen=True,
        hide_input_in_errors=True,
        # `ACREDITA_X=` means the default.
        env_ignore_empty=True,
    )

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
    trusted_proxies: Annotated[tuple[IPv4Network | IPv6Network, ...], NoDecode] = Field(
        (),
        description="Networks whose X-Forwarded-For is trusted, comma-separated. Empty: none.",
    )

    database_url: str = Field(
        "",
        description=(
            "postgresql://user:password@host:5432/database; sslmode and sslrootcert as in libpq."
            " Empty: an embedded server."
        ),
    )
    embedded_postgres: str = Field(
        "",
        description="host:port of the embedded PostgreSQL. The commands that start it set this.",
    )
    database_pool_size: int = Field(
        20,
        ge=1,
        description="Maximum connections in each of a process's three PostgreSQL pools.",
    )
    database_statement_timeout: float = Field(
        10.0, gt=0, description="Seconds after which PostgreSQL cancels a statement."
    )
    redis_url: str = Field("", description="redis://host:port/0. Empty: an embedded server.")

    secret_key: SecretStr = Field(
        SecretStr(DEVELOPMENT_SECRET),
        description="Secret to hash API keys and to sign tokens and links. At least 32 characters.",
    )
    signing_keys: SecretStr = Field(
        SecretStr(""),
        description="Secrets that replace SECRET_KEY for signing, newest first, comma-separated.",
    )
    encryption_keys: SecretStr = Field(
        SecretStr(DEVELOPMENT_ENCRYPTION_KEY),
        description=(
            "Keys for data at rest: `id:base64 of 32 bytes`, newest first, comma-separated."
        ),
    )
    access_token_lifetime: int = Field(
        3600, ge=60, description="Seconds that an access token is valid (specification: 3600)."
    )
    media_link_lifetime: int = Field(
        900, ge=10, description="Seconds that a signed link to a document's image is valid."
    )

    registration: str = Field(
        "open",
        pattern="^(open|closed)$",
        description="open, or closed: only `acredita org create` creates organizations.",
    )

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

    smtp_url: SecretStr = Field(
        SecretStr(""),
        description=(
            "smtp://user:password@host:587 (STARTTLS) or smtps://. Empty: the mailbox. none: no "
            "e-mail."
        ),
    )
    smtp_ca_file: Path | None = Field(
        None, description="Additional CA certificates (PEM) trusted for the mail server."
    )
    mail_from: str = Field(
        "Acredita <acredita@localhost>", description="Sender of e-mails: Name <address@domain>."
    )
    dev_mailbox: Path | None = Field(
        None,
        description=(
            "Folder for e-mails as JSON files, instead of sending. Empty: DATA_DIR/mailbox."
        ),
    )

    sms_providers: Annotated[tuple[str, ...], NoDecode] = Field(
        ("sandbox",),
        description="twilio, gateway, sandbox (the mailbox), tried in this order; or none.",
    )
    sms_timeout: float = Field(
        10.0, gt=0, le=15, description="Seconds for one request to an SMS provider."
    )
    sms_ca_file: Path | None = Field(
        None, description="Additional CA certificates (PEM) trusted for SMS providers."
    )
    sms_countries: Annotated[tuple[str, ...], NoDecode] = Field(
        (),
        description=(
            "Countries that may receive messages, such as MX,US. Empty: all (costs differ)."
        ),
    )
    twilio_account_id: str = Field("", description="Twilio account SID: AC and 32 digits.")
    twilio_key_id: str = Field(
        "",
        description="Twilio API key SID: SK and 32 digits. Empty: TWILIO_SECRET is the auth token.",
    )
    twilio_secret: SecretStr = Field(
        SecretStr(""), description="Secret of the Twilio API key, or the account's auth token."
    )
    twilio_sender: str = Field(
        "", description="Number in E.164 form, sender name, or messaging service SID (MG...)."
    )
    twilio_url: str = Field("https://api.twilio.com", description="Base URL of Twilio's API.")
    sms_gateway_url: SecretStr = Field(
        SecretStr(""),
        description="SMS gateway URL; {to}, {digits}, {national}, {text} and {key} are replaced.",
    )
    sms_gateway_method: str = Field(
        "POST",
        pattern="^(GET|POST|PUT)$",
        description="HTTP method for the SMS gateway: GET, POST or PUT.",
    )
    sms_gateway_headers: SecretStr = Field(
        SecretStr(""), description="Headers for the SMS gateway: Name: value | Name: value."
    )
    sms_gateway_format: str = Field(
        "json",
        pattern="^(json|form)$",
        description="Format of the SMS gateway's request body: json or form.",
    )
    sms_gateway_body: SecretStr = Field(
        SecretStr(""),
        description=(
            "Body for the SMS gateway, with the same placeholders as the URL. May be empty."
        ),
    )
    sms_gateway_success: str = Field(
        "",
        description="Required in a successful answer: path.to.value=ok|queued. Empty: any 2xx.",
    )
    otp_daily_limit: int = Field(
        1000, ge=1, description="One-time passwords that an organization may send per day (UTC)."
    )

    storage_url: str = Field(
        "",
        description=(
            "File storage: file:///folder, or "
            "s3://bucket/prefix?endpoint=https://host&region=name. Empty: DATA_DIR/files."
        ),
    )
    storage_access_key_id: str = Field(
        "", description="S3 access key id. Empty: AWS_ACCESS_KEY_ID, profile or role."
    )
    storage_secret_access_key: SecretStr = Field(
        SecretStr(""),
        description="S3 secret access key. Empty: AWS_SECRET_ACCESS_KEY, profile or role.",
    )

    verification_ttl: int = Field(
        86_400, ge=1, description="Seconds after which an unfinished verification becomes EXPIRED."
    )

    sdk_require_token: bool = Field(
        False,
        description="Require a session token for the browser flow, besides the verification's id.",
    )
    sdk_streams: int = Field(
        1000, ge=1, description="Maximum event streams to browsers per API process."
    )
    sdk_streams_per_address: int = Field(
        250,
        ge=1,
        description="Maximum event streams per address. People behind one router share it.",
    )

    privacy_notice_url: str = Field(
        "",
        pattern=r"^(https?://[^\s\"'<>\\]+)?$",
        description="Privacy notice that pages link to. {organization} is replaced by the id.",
    )

    webhook_allow_private: bool = Field(
        False,
        description="Allow http and private addresses as webhook targets (development, tests).",
    )
    webhook_ca_file: Path | None = Field(
        None, description="Additional CA certificates (PEM) trusted for webhook targets (tests)."
    )
    webhook_retry_delays: Annotated[tuple[float, ...], NoDecode] = Field(
        (10, 60, 300, 1800),
        description="Seconds before delivery attempts 2 to 5, comma-separated.",
    )
    webhook_timeout: float = Field(
        10.0,
        gt=0,
        le=30,
        description="Seconds for one delivery attempt, from DNS to the end of the answer.",
    )
    webhook_concurrency: int = Field(
        8, ge=1, le=64, description="Concurrent requests to one webhook endpoint."
    )
    webhook_resolver: Path | None = Field(
        None, description="File with host names and addresses that replaces DNS (tests)."
    )

    engine_processes: int = Field(
        1, ge=1, description="Processes per worker that run the recognition engines."
    )
    engine_threads: int = Field(
        2,
        ge=1,
        description="Threads per engine process. 1 process with 2 threads has the lowest latency.",
    )
    engine_memory_limit: int = Field(
        4096,
        ge=512,
        description="Address space limit of an engine process in MiB, against hostile files.",
    )
    face_models: Path | None = Field(
        None,
        description="Folder of the face engine's models. Empty: the output of `make models`.",
    )
    liveness_model: Path | None = Field(
        None,
        description="ONNX file of a passive liveness model; its description (.json) is next to it.",
    )
    calibration: Path | None = Field(
        None,
        description="File from `acredita calibrate` with field thresholds. Empty: built-in values.",
    )
    training_lease_minutes: float = Field(
        15.0, gt=0, le=1440, description="Minutes that a reviewer has to label a document."
    )
    job_lease: float = Field(
        30.0, gt=0, description="Seconds that a worker keeps a job without a heartbeat."
    )
    worker_grace: float = Field(
        15.0, gt=0, description="Seconds that a stopping worker waits for running jobs."
    )

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
    credit_provider: str = Field(
        "sandbox",
        pattern="^(sandbox|circulo|none)$",
        description="Credit bureau: sandbox, circulo (Círculo de Crédito), or none.",
    )
    credit_timeout: float = Field(
        30.0, gt=0, le=120, description="Seconds for one request to the credit bureau."
    )
    circulo_url: str = Field(
        "https://services.circulodecredito.com.mx",
        description="Base URL of Círculo de Crédito's API.",
    )
    circulo_api_key: SecretStr = Field(
        SecretStr(""), description="Consumer key from Círculo de Crédito's developer portal."
    )
    circulo_username: str = Field("", description="User name at Círculo de Crédito.")
    circulo_password: SecretStr = Field(
        SecretStr(""), description="Password at Círculo de Crédito."
    )
    circulo_key_file: Path | None = Field(
        None, description="Our P-384 private key, as PEM or PKCS#12."
    )
    circulo_key_password: SecretStr = Field(
        SecretStr(""), description="Password of CIRCULO_KEY_FILE. May be empty."
    )
    circulo_certificate_file: Path | None = Field(
        None, description="Círculo de Crédito's certificate, to verify its answers."
    )
    circulo_ca_file: Path | None = Field(
        None, description="Additional CA certificates (PEM) trusted for Círculo de Crédito."
    )
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
    geolocation_vpn_files: Annotated[tuple[Path, ...], NoDecode] = Field(
        (), description="Files with VPN networks, one per line; comma-separated paths."
    )
    geolocation_proxy_files: Annotated[tuple[Path, ...], NoDecode] = Field(
        (), description="Files with proxy networks, one per line; comma-separated paths."
    )
    geolocation_tor_files: Annotated[tuple[Path, ...], NoDecode] = Field(
        (), description="Files with Tor exit nodes, one per line; comma-separated paths."
    )
    geolocation_hosting_files: Annotated[tuple[Path, ...], NoDecode] = Field(
        (), description="Files with data centre networks, one per line; comma-separated paths."
    )
    geolocation_check_interval: float = Field(
        30.0, gt=0, description="Seconds between checks for a newer version of these files."
    )
    allow_sandbox_providers: bool = Field(
        False, description="Allow production to start with sandbox providers."
    )

    esignature_certificate: Path | None = Field(
        None,
        description=(
            "Certificate that seals signed packages: PEM with chain, or PKCS#12. Empty: a "
            "development one. none: no e-signatures."
        ),
    )
    esignature_key: Path | None = Field(
        None, description="PEM key of ESIGNATURE_CERTIFICATE. Empty with PKCS#12."
    )
    esignature_key_password: SecretStr = Field(
        SecretStr(""), description="Password of the key or the PKCS#12 file."
    )
    esignature_trusted: Path | None = Field(
        None,
        description="PEM of the trusted timestamp and signing CAs. Empty: no PAdES-B-LT.",
    )
    esignature_tsa_url: str = Field(
        "",
        description=(
            "Timestamp authority (RFC 3161). Empty: a development one. none: no e-signatures."
        ),
    )
    esignature_tsa_username: str = Field(
        "", description="User name at the timestamp authority, if required."
    )
    esignature_tsa_password: SecretStr = Field(
        SecretStr(""), description="Password at the timestamp authority."
    )
    esignature_tsa_timeout: float = Field(
        10.0, gt=0, le=30, description="Seconds for one request to the timestamp authority."
    )
    esignature_tsa_ca_file: Path | None = Field(
        None, description="Additional CA certificates (PEM) trusted for its TLS connection."
    )
    conservation_provider: str = Field(
        "none",
        pattern="^(none|rfc3161)$",
        description="NOM-151 certificates: none, or rfc3161 (an accredited provider's service).",
    )
    conservation_url: str = Field("", description="URL of the conservation provider.")
    conservation_username: str = Field(
        "", description="User name at the conservation provider, if required."
    )
    conservation_password: SecretStr = Field(
        SecretStr(""), description="Password at the conservation provider."
    )
    conservation_trusted: Path | None = Field(
        None, description="PEM of the CAs that are trusted to issue its certificates."
    )

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
    aml_refresh: Annotated[tuple[str, ...], NoDecode] = Field(
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

    log_level: str = Field("INFO", pattern="^(DEBUG|INFO|WARNING|ERROR)$", description="Log level.")

    @field_validator(
        "trusted_proxies",
        "webhook_retry_delays",
        "aml_refresh",
        "sms_providers",
        "sms_countries",
        "geolocation_vpn_files",
        "geolocation_proxy_files",
        "geolocation_tor_files",
        "geolocation_hosting_files",
        mode="before",
    )
    @classmethod
    def split_at_commas(cls, value: object) -> object:
        if isinstance(value, str):
            return tuple(part.strip() for part in value.split(",") if part.strip())
        return value

    @field_validator("database_url")
    @classmethod
    def known_database(cls, value: str) -> str:
        return database_url.normalized(value) if value else value

    @field_validator("storage_url")
    @classmethod
    def known_storage(cls, value: str) -> str:
        if value.startswith("s3://"):
            S3Address.from_url(value)
        elif value and not value.startswith("file:///"):
            raise ValueError("must have the form file:///folder or s3://bucket/prefix")
        return value

    @field_validator("sms_providers")
    @classmethod
    def known_sms_providers(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if value == (NONE,):
            return ()
        if not value or len(set(value)) < len(value) or set(value) - SMS_PROVIDERS:
            raise ValueError("must list twilio, gateway or sandbox, each at most once; or none")
        return value

    @field_validator("sms_countries")
    @classmethod
    def country_codes(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if not all(re.fullmatch("[A-Z]{2}", code) for code in value):
            raise ValueError("must list countries as two capital letters: MX,US")
        return value

    @field_validator("aml_refresh")
    @classmethod
    def known_watchlists(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if not all(re.fullmatch(r"[a-z0-9-]{1,50}(=https?://\S+)?", source) for source in value):
            raise ValueError("must list watchlists as ids, or as id=https://address")
        return value

    @field_validator("webhook_retry_delays")
    @classmethod
    def four_delays(cls, value: tuple[float, ...]) -> tuple[float, ...]:
        if len(value) != 4 or any(delay < 0 for delay in value):
            raise ValueError("must be four delays of zero or more seconds")
        return value

    @property
    def signing_secrets(self) -> tuple[str, ...]:
        """The secrets for tokens and links. The first one signs, all of them verify."""
        keys = self.signing_keys.get_secret_value().split(",")
        given = tuple(key.strip() for key in keys if key.strip())
        return given or (self.secret_key.get_secret_value(),)

    @property
    def aml_sources(self) -> dict[str, tuple[str, ...]]:
        """Watchlist id to download URLs, for daily downloads. No URL means the publisher's."""
        sources: dict[str, tuple[str, ...]] = {}
        for source in self.aml_refresh:
            list_id, _, address = source.partition("=")
            sources[list_id] = (*sources.get(list_id, ()), *filter(None, (address,)))
        return sources

    @property
    def has_registries(self) -> bool:
        return self.government_provider != NONE

    @property
    def has_email(self) -> bool:
        return self.smtp_url.get_secret_value() != NONE

    @property
    def has_esignature(self) -> bool:
        return self.esignature_certificate != Path(NONE) and self.esignature_tsa_url != NONE

    @property
    def development_authority_folder(self) -> Path:
        return self.data_dir / "development-authority"

    @property
    def mailbox_folder(self) -> Path:
        return self.dev_mailbox or self.data_dir / "mailbox"

    @property
    def public_url(self) -> str:
        return self.base_url.rstrip("/") or f"http://{self.host}:{self.port}"

    @property
    def storage_place(self) -> Path | S3Address:
        if self.storage_url.startswith("s3://"):
            return S3Address.from_url(self.storage_url)
        return self.storage_folder

    @property
    def storage_folder(self) -> Path:
        """The folder of the local storage."""
        if not self.storage_url:
            return self.data_dir / "files"
        return Path(self.storage_url.removeprefix("file://"))
