"""Every knob of the service: one class, read from the environment (prefix ACREDITA_) and `.env`."""

import re
from enum import StrEnum
from ipaddress import IPv4Network, IPv6Network
from pathlib import Path
from typing import Annotated, Self

from pydantic import Field, SecretStr, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from acredita.kit.storage.s3_address import S3Address

DEVELOPMENT_SECRET = "development-only-secret-key-development-only"  # noqa: S105 (refused in production)
DEVELOPMENT_ENCRYPTION_KEY = "dev:" + "ZGV2ZWxvcG1lbnQtb25seS1lbmNyeXB0aW9uLWtleSE="
SHORTEST_SECRET = 32
# Requests a second are counted in microseconds.
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
        # `ACREDITA_X=` in a file means: leave the default.
        env_ignore_empty=True,
    )

    env: Environment = Field(
        Environment.DEVELOPMENT,
        description="development, test or production; production refuses default secrets.",
    )
    data_dir: Path = Field(
        Path(".acredita"),
        description="Folder of the embedded servers, local files and the development mailbox.",
    )
    host: str = Field("127.0.0.1", description="Address that the API listens on.")
    port: int = Field(8000, ge=0, le=65535, description="Port that the API listens on.")
    base_url: str = Field(
        "", description="Public address of the API, used in links; empty: http://HOST:PORT."
    )
    trusted_proxies: Annotated[tuple[IPv4Network | IPv6Network, ...], NoDecode] = Field(
        (),
        description="Networks, comma-separated, whose X-Forwarded-For is believed; default none.",
    )

    database_url: str = Field(
        "",
        description="postgresql+asyncpg://user:password@host/database; empty: an embedded server.",
    )
    database_pool_size: int = Field(
        20,
        ge=1,
        description="Most connections in each of a process's three pools to PostgreSQL.",
    )
    database_statement_timeout: float = Field(
        10.0, gt=0, description="Seconds after which PostgreSQL ends a statement."
    )
    redis_url: str = Field("", description="redis://host:port/0; empty: an embedded server.")

    secret_key: SecretStr = Field(
        SecretStr(DEVELOPMENT_SECRET),
        description="Keys the hashes of API keys, signs tokens and links; 32 characters or more.",
    )
    signing_keys: SecretStr = Field(
        SecretStr(""),
        description="Sign tokens and links in SECRET_KEY's place, newest first, comma-separated.",
    )
    encryption_keys: SecretStr = Field(
        SecretStr(DEVELOPMENT_ENCRYPTION_KEY),
        description="Keys of data at rest, newest first: `id:base64 of 32 bytes`, comma-separated.",
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
        description="open, or closed: organizations are made by `acredita org create` alone.",
    )

    org_rate_limit: int = Field(
        10,
        ge=1,
        le=FASTEST_RATE,
        description="Requests a second of one organization; `acredita org set-rate` raises one's.",
    )
    org_rate_burst: int = Field(
        20, ge=1, le=FASTEST_RATE, description="Requests of one organization that pass at once."
    )
    ip_rate_limit: int = Field(
        20,
        ge=1,
        le=FASTEST_RATE,
        description="Unauthenticated requests a second from one address.",
    )
    ip_rate_burst: int = Field(
        100,
        ge=1,
        le=FASTEST_RATE,
        description="Unauthenticated requests from one address that pass at once.",
    )

    smtp_url: SecretStr = Field(
        SecretStr(""),
        description="smtp://user:password@host:587 (STARTTLS) or smtps://; empty: the mailbox.",
    )
    smtp_ca_file: Path | None = Field(
        None, description="Extra certificate authorities trusted for the mail server."
    )
    mail_from: str = Field(
        "Acredita <acredita@localhost>", description="Sender of mails: Name <address@domain>."
    )
    dev_mailbox: Path | None = Field(
        None,
        description="Folder for one JSON file a message, not sent; empty: DATA_DIR/mailbox.",
    )

    sms_providers: Annotated[tuple[str, ...], NoDecode] = Field(
        ("sandbox",),
        description="twilio, gateway, sandbox (the mailbox): tried in this order; or none.",
    )
    sms_timeout: float = Field(
        10.0, gt=0, le=15, description="Seconds for one exchange with an SMS provider."
    )
    sms_ca_file: Path | None = Field(
        None, description="Extra certificate authorities trusted for SMS providers."
    )
    sms_countries: Annotated[tuple[str, ...], NoDecode] = Field(
        (),
        description="Countries, as MX,US, whose numbers get messages; empty: all (costs differ).",
    )
    twilio_account_id: str = Field("", description="Of Twilio's account: AC and 32 digits.")
    twilio_key_id: str = Field(
        "", description="Of an API key (SK and 32 digits); empty: the secret is the account's."
    )
    twilio_secret: SecretStr = Field(
        SecretStr(""), description="Of Twilio's API key, or its account's auth token."
    )
    twilio_sender: str = Field(
        "", description="A number in E.164 form, a sender's name, or a messaging service (MG...)."
    )
    twilio_url: str = Field("https://api.twilio.com", description="Base address of Twilio's API.")
    sms_gateway_url: SecretStr = Field(
        SecretStr(""),
        description="Of the SMS gateway, with {to}, {digits}, {national}, {text}, {key} filled in.",
    )
    sms_gateway_method: str = Field(
        "POST", pattern="^(GET|POST|PUT)$", description="By which the SMS gateway is called."
    )
    sms_gateway_headers: SecretStr = Field(
        SecretStr(""), description="For the SMS gateway: Name: value | Name: value."
    )
    sms_gateway_format: str = Field(
        "json", pattern="^(json|form)$", description="Of the SMS gateway's body: json or form."
    )
    sms_gateway_body: SecretStr = Field(
        SecretStr(""), description="For the SMS gateway, filled in like its address; may be empty."
    )
    sms_gateway_success: str = Field(
        "",
        description="What a good answer says: path.to.value=ok|queued; empty: any status of 2xx.",
    )
    otp_daily_limit: int = Field(
        1000, ge=1, description="One-time passwords that an organization may send a day (UTC)."
    )

    storage_url: str = Field(
        "",
        description=(
            "Where files are kept: file:///folder, or"
            " s3://bucket/prefix?endpoint=https://host&region=name; empty: DATA_DIR/files."
        ),
    )
    storage_access_key_id: str = Field(
        "", description="Of the S3 storage; empty: AWS_ACCESS_KEY_ID, profile or role."
    )
    storage_secret_access_key: SecretStr = Field(
        SecretStr(""),
        description="Of the S3 storage; empty: AWS_SECRET_ACCESS_KEY, profile or role.",
    )

    verification_ttl: int = Field(
        86_400, ge=1, description="Seconds after which an unfinished verification is EXPIRED."
    )

    sdk_require_token: bool = Field(
        False,
        description="Let the browser flow ask for a session token, beside the verification's id.",
    )
    sdk_streams: int = Field(
        1000, ge=1, description="Streams of events that one API process holds open to browsers."
    )
    sdk_streams_per_address: int = Field(
        250, ge=1, description="Of these, to one address: people behind one router share it."
    )

    privacy_notice_url: str = Field(
        "",
        pattern=r"^(https?://[^\s\"'<>\\]+)?$",
        description="Privacy notice that the pages link to; {organization} there becomes its id.",
    )

    webhook_allow_private: bool = Field(
        False,
        description="Admit http and private addresses as webhook targets (development, tests).",
    )
    webhook_ca_file: Path | None = Field(
        None, description="Extra certificate authorities trusted for webhook targets (tests)."
    )
    webhook_retry_delays: Annotated[tuple[float, ...], NoDecode] = Field(
        (10, 60, 300, 1800),
        description="Seconds before attempts 2 to 5 of a delivery, comma-separated.",
    )
    webhook_timeout: float = Field(
        10.0, gt=0, le=30, description="Seconds for the whole exchange of one delivery attempt."
    )
    webhook_concurrency: int = Field(
        8, ge=1, le=64, description="POSTs under way to one endpoint at a time."
    )
    webhook_resolver: Path | None = Field(
        None, description="A file of names and addresses used instead of DNS (tests)."
    )

    engine_processes: int = Field(
        1, ge=1, description="Processes of one worker that hold the recognition engines."
    )
    engine_threads: int = Field(
        2,
        ge=1,
        description="Threads of each engine process; 1 process x 2 threads answers soonest.",
    )
    engine_memory_limit: int = Field(
        4096, ge=512, description="MiB of address space of an engine process; a bomb ends there."
    )
    face_models: Path | None = Field(
        None,
        description="Folder of the face engine's models; unset: where `make models` put them.",
    )
    liveness_model: Path | None = Field(
        None,
        description="ONNX file of a passive liveness model, its description (.json) beside it.",
    )
    calibration: Path | None = Field(
        None,
        description="File of `acredita calibrate`: thresholds for fields; unset: the rules' own.",
    )
    training_lease_minutes: float = Field(
        15.0, gt=0, le=1440, description="Minutes that a document is a reviewer's to label."
    )
    job_lease: float = Field(
        30.0, gt=0, description="Seconds that a worker holds a job without a heartbeat."
    )
    worker_grace: float = Field(
        15.0, gt=0, description="Seconds that a stopping worker gives to jobs in flight."
    )

    government_provider: str = Field(
        "sandbox", pattern="^(sandbox|bridge)$", description="sandbox, or bridge (HTTP)."
    )
    government_bridge_url: str = Field("", description="Base address of the government bridge.")
    government_bridge_token: SecretStr = Field(
        SecretStr(""), description="Bearer token sent to the government bridge."
    )
    government_bridge_ca_file: Path | None = Field(
        None, description="Extra certificate authorities trusted for the government bridge."
    )
    government_timeout: float = Field(
        20.0, gt=0, description="Seconds for one question to the government bridge."
    )
    credit_provider: str = Field(
        "sandbox",
        pattern="^(sandbox|circulo|none)$",
        description="Credit bureau: sandbox, circulo (Círculo de Crédito), or none.",
    )
    credit_timeout: float = Field(
        30.0, gt=0, le=120, description="Seconds for one consultation of the credit bureau."
    )
    circulo_url: str = Field(
        "https://services.circulodecredito.com.mx",
        description="Base address of Círculo de Crédito's API.",
    )
    circulo_api_key: SecretStr = Field(
        SecretStr(""), description="Consumer key of Círculo de Crédito's developer portal."
    )
    circulo_username: str = Field("", description="User name at Círculo de Crédito.")
    circulo_password: SecretStr = Field(
        SecretStr(""), description="Password at Círculo de Crédito."
    )
    circulo_key_file: Path | None = Field(
        None, description="Our private key on the curve P-384, as PEM or PKCS #12."
    )
    circulo_key_password: SecretStr = Field(
        SecretStr(""), description="Of the file with our private key; may be empty."
    )
    circulo_certificate_file: Path | None = Field(
        None, description="Círculo de Crédito's certificate, by which its answers are verified."
    )
    circulo_ca_file: Path | None = Field(
        None, description="Extra certificate authorities trusted for Círculo de Crédito."
    )
    geolocation_provider: str = Field(
        "sandbox",
        pattern="^(sandbox|maxmind)$",
        description="Where addresses are: sandbox (a small table), or maxmind (the files below).",
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
        (), description="Lists of VPNs' networks, one a line, comma-separated paths."
    )
    geolocation_proxy_files: Annotated[tuple[Path, ...], NoDecode] = Field(
        (), description="Lists of proxies' networks, one a line, comma-separated paths."
    )
    geolocation_tor_files: Annotated[tuple[Path, ...], NoDecode] = Field(
        (), description="Lists of Tor's exits, one a line, comma-separated paths."
    )
    geolocation_hosting_files: Annotated[tuple[Path, ...], NoDecode] = Field(
        (), description="Lists of data centres' networks, one a line, comma-separated paths."
    )
    geolocation_check_interval: float = Field(
        30.0, gt=0, description="Seconds after which the files are looked at for a newer version."
    )
    allow_sandbox_providers: bool = Field(
        False, description="Let production start although a provider is a sandbox."
    )

    esignature_certificate: Path | None = Field(
        None,
        description=(
            "PEM with its chain, or PKCS#12, that seals signed packages; empty: a development one."
        ),
    )
    esignature_key: Path | None = Field(
        None, description="PEM key of ESIGNATURE_CERTIFICATE; empty with PKCS#12."
    )
    esignature_key_password: SecretStr = Field(
        SecretStr(""), description="Opens the key or the PKCS#12 file."
    )
    esignature_trusted: Path | None = Field(
        None,
        description="PEM of the authorities that stamp and certify; without it: no PAdES-B-LT.",
    )
    esignature_tsa_url: str = Field(
        "", description="Time-stamping authority (RFC 3161); empty: a development one."
    )
    esignature_tsa_username: str = Field("", description="Of the time-stamping authority, if any.")
    esignature_tsa_password: SecretStr = Field(
        SecretStr(""), description="Of the time-stamping authority."
    )
    esignature_tsa_timeout: float = Field(
        10.0, gt=0, le=30, description="Seconds for one exchange with it."
    )
    esignature_tsa_ca_file: Path | None = Field(
        None, description="Extra certificate authorities trusted for its TLS."
    )
    conservation_provider: str = Field(
        "none",
        pattern="^(none|rfc3161)$",
        description="NOM-151 certificates: none, or rfc3161 (an accredited provider's service).",
    )
    conservation_url: str = Field("", description="Address of the provider of conservation.")
    conservation_username: str = Field("", description="Of the provider of conservation, if any.")
    conservation_password: SecretStr = Field(
        SecretStr(""), description="Of the provider of conservation."
    )
    conservation_trusted: Path | None = Field(
        None, description="PEM of the authorities by which its certificates are believed."
    )

    metrics_host: str = Field(
        "127.0.0.1", description="Address that METRICS_PORT listens on; what it says is not secret."
    )
    metrics_port: int = Field(
        0,
        ge=0,
        le=65535,
        description="Port of each process for its /metrics and /health; 0: none.",
    )
    metrics_token: SecretStr = Field(
        SecretStr(""),
        description="Bearer token that /metrics asks for; with it, the API's port serves it, too.",
    )
    inngest_signing_key: SecretStr = Field(
        SecretStr(""),
        description="Key that Inngest signs its requests with; empty: /api/inngest answers 401.",
    )
    inngest_api_url: str = Field(
        "",
        pattern="^(https?://.+)?$",
        description="Inngest's API, where it runs on your own machines; empty: its cloud.",
    )
    inngest_dev: bool = Field(
        False,
        description="Obey Inngest's unsigned development server; with ENV=development alone.",
    )
    otel_exporter_otlp_endpoint: str = Field(
        "",
        pattern="^(https?://.+)?$",
        description="Collector of traces, OTLP over HTTP, as http://host:4318; empty: no traces.",
    )
    otel_exporter_otlp_headers: SecretStr = Field(
        SecretStr(""), description="Sent to that collector: `name=value`, comma-separated."
    )
    otel_traces_ratio: float = Field(
        1.0, ge=0, le=1, description="Share of the requests that are traced."
    )
    aml_refresh: Annotated[tuple[str, ...], NoDecode] = Field(
        (),
        description="Watchlists fetched daily, comma-separated: ids, or id=https://address.",
    )
    aml_refresh_timeout: float = Field(
        600.0, gt=0, description="Seconds for fetching one file of a watchlist."
    )
    aml_refresh_limit: int = Field(
        1024, ge=1, description="MiB of one file of a watchlist; a longer one is refused."
    )
    aml_ca_file: Path | None = Field(
        None, description="Extra certificate authorities trusted where watchlists are fetched."
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

    @field_validator("storage_url")
    @classmethod
    def known_storage(cls, value: str) -> str:
        if value.startswith("s3://"):
            S3Address.from_url(value)
        elif value and not value.startswith("file:///"):
            raise ValueError("is written file:///folder or s3://bucket/prefix")
        return value

    @field_validator("sms_providers")
    @classmethod
    def known_sms_providers(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if value == ("none",):
            return ()
        if not value or len(set(value)) < len(value) or set(value) - SMS_PROVIDERS:
            raise ValueError("names twilio, gateway or sandbox, each once; or none")
        return value

    @field_validator("sms_countries")
    @classmethod
    def country_codes(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if not all(re.fullmatch("[A-Z]{2}", code) for code in value):
            raise ValueError("names countries by two capital letters: MX,US")
        return value

    @field_validator("aml_refresh")
    @classmethod
    def known_watchlists(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if not all(re.fullmatch(r"[a-z0-9-]{1,50}(=https?://\S+)?", source) for source in value):
            raise ValueError("names watchlists by their ids, or as id=https://address")
        return value

    @field_validator("webhook_retry_delays")
    @classmethod
    def four_delays(cls, value: tuple[float, ...]) -> tuple[float, ...]:
        if len(value) != 4 or any(delay < 0 for delay in value):
            raise ValueError("needs four delays of zero or more seconds")
        return value

    @model_validator(mode="after")
    def refuse_defaults_in_production(self) -> Self:
        if self.env is not Environment.PRODUCTION:
            return self
        faults = []
        if self.secret_key.get_secret_value() == DEVELOPMENT_SECRET:
            faults.append("ACREDITA_SECRET_KEY is missing or the development default")
        elif len(self.secret_key.get_secret_value()) < SHORTEST_SECRET:
            faults.append(f"ACREDITA_SECRET_KEY is shorter than {SHORTEST_SECRET} characters")
        if any(
            len(key) < SHORTEST_SECRET or key == DEVELOPMENT_SECRET for key in self.signing_secrets
        ):
            faults.append(
                f"ACREDITA_SIGNING_KEYS holds the development default or less than"
                f" {SHORTEST_SECRET} characters"
            )
        if DEVELOPMENT_ENCRYPTION_KEY in self.encryption_keys.get_secret_value():
            faults.append("ACREDITA_ENCRYPTION_KEYS is missing or the development default")
        if not self.database_url:
            faults.append("ACREDITA_DATABASE_URL is missing")
        if not self.redis_url:
            faults.append("ACREDITA_REDIS_URL is missing")
        if self.government_provider == "sandbox" and not self.allow_sandbox_providers:
            faults.append(
                "ACREDITA_GOVERNMENT_PROVIDER is the sandbox"
                " (set ACREDITA_ALLOW_SANDBOX_PROVIDERS=true to run on it all the same)"
            )
        faults += [
            f"ACREDITA_{name.upper()} is the sandbox"
            " (set ACREDITA_ALLOW_SANDBOX_PROVIDERS=true to run on it all the same)"
            for name in ("credit_provider", "geolocation_provider")
            if getattr(self, name) == "sandbox" and not self.allow_sandbox_providers
        ]
        if not self.smtp_url.get_secret_value() and not self.allow_sandbox_providers:
            faults.append(
                "ACREDITA_SMTP_URL is missing"
                " (set ACREDITA_ALLOW_SANDBOX_PROVIDERS=true to let mails go to a folder)"
            )
        if "sandbox" in self.sms_providers and not self.allow_sandbox_providers:
            faults.append(
                "ACREDITA_SMS_PROVIDERS names the sandbox"
                " (set ACREDITA_ALLOW_SANDBOX_PROVIDERS=true to let messages go to a folder)"
            )
        if not self.allow_sandbox_providers:
            faults += [
                f"ACREDITA_{name.upper()} is missing (set"
                " ACREDITA_ALLOW_SANDBOX_PROVIDERS=true to sign with a development one)"
                for name in ("esignature_certificate", "esignature_tsa_url")
                if not getattr(self, name)
            ]
        if faults:
            raise ValueError("production refuses to start: " + "; ".join(faults))
        return self

    @property
    def signing_secrets(self) -> tuple[str, ...]:
        """What signs tokens and links: the first one does, all of them are believed."""
        keys = self.signing_keys.get_secret_value().split(",")
        given = tuple(key.strip() for key in keys if key.strip())
        return given or (self.secret_key.get_secret_value(),)

    @property
    def aml_sources(self) -> dict[str, tuple[str, ...]]:
        """The addresses of each watchlist that is fetched daily; none: its publisher's own."""
        sources: dict[str, tuple[str, ...]] = {}
        for source in self.aml_refresh:
            list_id, _, address = source.partition("=")
            sources[list_id] = (*sources.get(list_id, ()), *filter(None, (address,)))
        return sources

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
        """Of the local storage."""
        if not self.storage_url:
            return self.data_dir / "files"
        return Path(self.storage_url.removeprefix("file://"))
